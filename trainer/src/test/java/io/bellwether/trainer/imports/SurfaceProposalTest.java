package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SurfaceProposalTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MICROS = 1_767_225_600_000_000L;

  @Test
  void eachFeatureIsDeclaredByWhatWasSeenOfIt() throws Exception {
    SurfaceProposal proposal = new SurfaceProposal("teas");
    for (int i = 0; i < 40; i++) {
      String context =
          """
          {"day":"%s","visitor":"v%d","age":%d,"new":true,"taste":[1,2.5],"tags":["a","b"],
           "mixed":%s,"empty":null}\
          """
              .formatted(i % 2 == 0 ? "mon" : "tue \\\"x\\\"", i, i, i % 2 == 0 ? "1" : "\"one\"");
      proposal.add(decision(null, context, List.of("{\"price\":2}", "{}"), 1));
    }
    Surface surface = read(proposal);
    assertEquals("teas", surface.name());
    assertEquals(1, surface.slateSize());
    assertEquals(2, surface.maxCandidates());
    assertEquals(
        new Feature.Category("day", List.of("mon", "tue \"x\""), 1024), of(surface, "day"));
    assertEquals(new Feature.Category("visitor", List.of(), 256), of(surface, "visitor"));
    assertTrue(of(surface, "age") instanceof Feature.Number);
    assertEquals(new Feature.Flag("new"), of(surface, "new"));
    assertEquals(new Feature.Vector("taste", 2), of(surface, "taste"));
    assertEquals(new Feature.Categories("tags", List.of(), 16, 2), of(surface, "tags"));
    assertEquals(new Feature.Category("mixed", List.of(), 16), of(surface, "mixed"));
    assertTrue(proposal.yaml().contains("# left out: empty, never given"));
    assertTrue(proposal.yaml().contains("# seen from 0 to 39"));
    assertEquals(List.of("item", "price"), surface.item().stream().map(Feature::name).toList());
  }

  @Test
  void signalsAreFlagsNumbersOrTheRewardAndTheirWindowsHoldWhatWasSeen() throws Exception {
    SurfaceProposal proposal = new SurfaceProposal("s");
    List<Reaction> reactions =
        List.of(
            new Reaction("click", 0, 1, MICROS),
            new Reaction("seconds", 0, 2.5, MICROS + Duration.ofHours(30).toNanos() / 1000),
            new Reaction("no name", 0, 1, MICROS));
    proposal.add(decision("ann", "{}", List.of("{}"), 1, reactions));
    proposal.add(decision("ann", "{}", List.of("{}"), 1, reactions.subList(0, 1)));
    Surface surface = read(proposal);
    assertEquals(Signal.Type.FLAG, surface.signal("click").orElseThrow().type());
    assertEquals(Duration.ofHours(24), surface.signal("click").orElseThrow().window());
    assertEquals(Signal.Type.NUMBER, surface.signal("seconds").orElseThrow().type());
    assertEquals(Duration.ofDays(7), surface.signal("seconds").orElseThrow().window());
    assertEquals("click", surface.objective().signal());
    // One subject came twice, so that there is a next decision.
    assertEquals(0.9, surface.objective().discount());
    assertTrue(proposal.yaml().contains("# left out: signal no name"));

    SurfaceProposal quiet = new SurfaceProposal("s");
    quiet.add(decision(null, "{}", List.of("{}"), 1));
    assertEquals("reward", read(quiet).objective().signal());
    assertEquals(Signal.Type.NUMBER, read(quiet).signal("reward").orElseThrow().type());
  }

  @Test
  void slatesAndCandidatesKeepToWhatASurfaceAllows() throws Exception {
    SurfaceProposal proposal = new SurfaceProposal("s");
    proposal.add(decision(null, "{}", Collections.nCopies(1_200, "{}"), 60));
    Surface surface = read(proposal);
    assertEquals(50, surface.slateSize());
    assertEquals(1_000, surface.maxCandidates());
    assertTrue(proposal.yaml().contains("# the log has up to 1200 candidates"));
  }

  @Test
  void anEmptySampleIsASurfaceToo() throws Exception {
    assertEquals(List.of(), read(new SurfaceProposal("s")).context());
    assertThrows(IllegalArgumentException.class, () -> new SurfaceProposal("no name"));
  }

  @Test
  void memoryIsBoundedWhateverTheLog() throws Exception {
    SurfaceProposal proposal = new SurfaceProposal("s");
    for (int i = 0; i < 30; i++) {
      ObjectNode context = JSON.createObjectNode();
      for (int j = 0; j < 100; j++) {
        context.put("f" + i + "-" + j, "x");
        context.put("bad name " + i + "-" + j, "x");
      }
      context.put("id", "value " + i);
      proposal.add(decision(null, context.toString(), List.of("{}"), 1));
    }
    Surface surface = read(proposal);
    assertEquals(SurfaceProposal.MAX_FEATURES - 1, surface.context().size());
    assertTrue(proposal.yaml().length() < 200_000);
  }

  @Test
  void textsOfSeveralLinesAreHashedSinceAFileListsOnlyWhatFitsOnOne() throws Exception {
    for (String value : List.of("\n", "a\r", "a\u2028b", "", "x".repeat(129))) {
      SurfaceProposal proposal = new SurfaceProposal("s");
      ObjectNode context = JSON.createObjectNode().put("note", value);
      for (int i = 0; i < 30; i++) {
        proposal.add(decision(null, context.toString(), List.of("{}"), 1));
      }
      assertEquals(new Feature.Category("note", List.of(), 16), of(read(proposal), "note"));
    }
  }

  /** Names such as {@code null} and values of any characters stay what they are in YAML. */
  @Property(tries = 100)
  void whateverIsProposedReadsAndTakesItsOwnSample(@ForAll @Size(max = 6) List<String> texts)
      throws Exception {
    ObjectNode context = JSON.createObjectNode();
    String[] names = {"null", "true", "1e5", "007", "no", "x"};
    for (int i = 0; i < texts.size(); i++) {
      context.put(names[i], texts.get(i));
      context.put(texts.get(i), i);
    }
    SurfaceProposal proposal = new SurfaceProposal("null");
    for (int i = 0; i < 30; i++) {
      proposal.add(decision(null, context.toString(), List.of(context.toString()), 1));
    }
    Surface surface = read(proposal);
    assertEquals("null", surface.name());
    FeatureEncoder encoder = new FeatureEncoder(surface.context());
    List<Violation> violations = new ArrayList<>();
    encoder.encode(
        new FeatureFit(surface.context()).fit(context, name -> {}),
        "#",
        new float[encoder.width()],
        0,
        violations);
    assertEquals(List.of(), violations);
    assertEquals(texts.isEmpty(), surface.context().isEmpty());
  }

  private static Feature of(Surface surface, String name) {
    return surface.context().stream()
        .filter(feature -> feature.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Surface read(SurfaceProposal proposal) throws InvalidSurfaceException {
    return new SurfaceReader().parse("proposal", proposal.yaml().getBytes(UTF_8));
  }

  private static LoggedDecision decision(
      @Nullable String subject, String context, List<String> items, int slots) throws IOException {
    return decision(subject, context, items, slots, List.of());
  }

  private static LoggedDecision decision(
      @Nullable String subject,
      String context,
      List<String> items,
      int slots,
      List<Reaction> reactions)
      throws IOException {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      candidates.add(new Candidate("tea-" + i, (ObjectNode) JSON.readTree(items.get(i))));
    }
    List<Slot> shown = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      shown.add(new Slot(i, 0.5, null));
    }
    return new LoggedDecision(
        "d",
        subject,
        MICROS,
        (ObjectNode) JSON.readTree(context),
        candidates,
        shown,
        1,
        true,
        Propensities.EXACT,
        OptionalInt.empty(),
        "v",
        reactions,
        new Origin("f", 1));
  }
}
