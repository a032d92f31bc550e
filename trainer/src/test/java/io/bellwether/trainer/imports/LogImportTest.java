package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogImportTest {

  private static final String SURFACE =
      """
      surface: shop
      slate: { size: 2, candidates: { max: 5 } }
      context:
        - { name: hour, type: number, min: 0, max: 23 }
      history: { signals: [click], last: 3 }
      item:
        - { name: price, type: number }
        - { name: kind, type: category }
      signals:
        - { name: click, type: flag, window: 10m }
        - { name: bye, type: flag, window: 10m }
      objective: { maximize: click }
      sessions: { gap: 30m, ends-with: bye }
      """;
  private static final long SECOND = 1_000_000L;
  private static final long T0 = 1_700_000_000L * SECOND;
  private static final LogImport.Options OPTIONS = new LogImport.Options(false, false);

  @TempDir private Path folder;
  private Surface surface;

  @BeforeEach
  void readSurface() throws Exception {
    surface = new SurfaceReader().parse("shop.yaml", SURFACE.getBytes(UTF_8));
  }

  @Test
  void decisionsOfASubjectBecomeSessionsWithTheHistoryThatWasKnownThen() throws IOException {
    List<LogReader.Entry> log = new ArrayList<>();
    log.add(read(decision("d4", "ann", 4 * 3600, 1)));
    log.add(read(decision("d2", "ann", 60, 1, new Reaction("click", 0, 1, T0 + 70 * SECOND))));
    log.add(read(decision("x1", "bob", 61, 0)));
    log.add(read(decision("d1", "ann", 0, 0, new Reaction("click", 0, 1, T0 + 90 * SECOND))));
    log.add(read(decision("d3", "ann", 120, 0)));
    ImportSummary summary = run(log, OPTIONS);
    assertEquals(5, summary.decisions().count());
    assertEquals(3, summary.decisions().sessions());
    assertEquals("d1", row("d2").getSessionId());
    assertEquals("d3", row("d2").getNextDecisionId());
    assertEquals(2, row("d3").getStep());
    assertNull(row("d3").getNextDecisionId());
    assertTrue(row("d3").getTruncated());
    assertEquals("d4", row("d4").getSessionId());
    // valid, gap, price, given, kind, click; the click on d1 came after d2 was decided
    float[] second = Floats.of(row("d2").getDecision().getHistory());
    assertEquals(18, second.length);
    assertEquals(0, second[6]);
    assertEquals(1, second[12]);
    assertEquals(0, second[17]);
    float[] third = Floats.of(row("d3").getDecision().getHistory());
    assertEquals(1, third[11]);
    assertEquals(1, third[17]);
    assertEquals(List.of("d1", "d2", "x1", "d3", "d4"), ids());
  }

  @Test
  void aFileThatIsNotThereIsRefusedByNameBeforeAnythingIsWritten() throws IOException {
    Path missing = folder.resolve("missing.csv");
    ImportSource source =
        new ImportSource("log", List.of(missing), "", false, () -> new ListedReader(List.of(), 1));
    for (boolean dryRun : new boolean[] {true, false}) {
      LogImport log = new LogImport(surface, new LogImport.Options(dryRun, false), line -> {});
      ImportRefused refused =
          assertThrows(ImportRefused.class, () -> log.run(source, folder.resolve("imports")));
      assertTrue(String.valueOf(refused.getMessage()).startsWith(missing + " does not exist"));
    }
    assertFalse(Files.exists(folder.resolve("imports")));
  }

  @Test
  void aSessionThatEndsByItselfIsTerminated() throws IOException {
    run(
        List.of(
            read(decision("a", "ann", 0, 0, new Reaction("bye", -1, 1, T0 + SECOND))),
            read(decision("b", "ann", 60, 0))),
        OPTIONS);
    assertTrue(row("a").getTerminated());
    assertFalse(row("a").getTruncated());
    assertEquals("b", row("b").getSessionId());
    assertEquals(1, row("a").getOutcomes().size());
  }

  @Test
  void whereverAnImportIsInterruptedItsResultHasTheSameBytes() throws IOException {
    List<LogReader.Entry> log = manyEntries(400);
    run(log, OPTIONS);
    Map<String, String> expected = bytes(folder.resolve("log"));
    assertTrue(expected.keySet().stream().anyMatch(name -> name.endsWith("rejects.tsv")));
    Random random = new Random(7);
    for (int attempt = 0; attempt < 4; attempt++) {
      Path into = folder.resolve("interrupted-" + attempt);
      List<Integer> opened = new ArrayList<>();
      for (int failure = 0; failure < 3; failure++) {
        int at = random.nextInt(log.size());
        assertThrows(IOException.class, () -> run(log, OPTIONS, into, at, opened));
        assertFalse(Files.exists(into.resolve("log")));
      }
      run(log, OPTIONS, into, Integer.MAX_VALUE, opened);
      assertEquals(expected, bytes(into.resolve("log")));
      try (Stream<Path> left = Files.list(into)) {
        assertEquals(
            List.of(".log.lock", "log"),
            left.map(path -> path.getFileName().toString()).sorted().toList());
      }
    }
  }

  @Test
  void theOrderOfTheLogChangesNothing() throws IOException {
    List<LogReader.Entry> log = new ArrayList<>(manyEntries(200));
    // Of decisions with one id the first one is taken.
    Set<String> ids = new HashSet<>();
    log.removeIf(
        entry -> !(entry instanceof LogReader.Read read && ids.add(read.decision().decisionId())));
    run(log, OPTIONS);
    Map<String, String> expected = bytes(folder.resolve("log/surface=shop"));
    Collections.shuffle(log, new Random(3));
    run(log, OPTIONS, folder.resolve("shuffled"), Integer.MAX_VALUE, new ArrayList<>());
    assertEquals(expected, bytes(folder.resolve("shuffled/log/surface=shop")));
  }

  @Test
  void aDryRunTellsTheSameAndWritesNothing() throws IOException {
    List<LogReader.Entry> log = manyEntries(300);
    Path into = folder.resolve("dry");
    ImportSummary dry =
        run(log, new LogImport.Options(true, false), into, Integer.MAX_VALUE, new ArrayList<>());
    assertFalse(Files.exists(into));
    ImportSummary real = run(log, OPTIONS);
    assertEquals(real.rejected(), dry.rejected());
    assertEquals(real.reasons(), dry.reasons());
    assertEquals(real.examples(), dry.examples());
    assertEquals(real.duplicates(), dry.duplicates());
    assertEquals(real.propensities().notPositive(), dry.propensities().notPositive());
    assertTrue(dry.folder().isEmpty());
  }

  @Test
  void whatCannotBeUsedIsRejectedWithItsReason() throws IOException {
    LoggedDecision good = decision("good", "ann", 0, 0);
    List<LogReader.Entry> log =
        new ArrayList<>(List.of(read(good), read(decision("good", "bob", 1, 1))));
    log.add(read(with(good, "zero", 0.0)));
    log.add(read(with(good, "log", -0.105)));
    log.add(read(with(good, "percent", 25.0)));
    log.add(read(with(good, "nan", Double.NaN)));
    log.add(read(with(good, "tiny", 1e-12)));
    log.add(read(decision("early", "ann", -1_700_000_000L, 0)));
    log.add(read(decision("far", "ann", 0, 4)));
    log.add(read(decision("hour", "ann", 0, 0, context(99))));
    log.add(read(decision("value", "ann", 5, 0, new Reaction("click", 0, 2, T0))));
    log.add(read(decision("left", "ann", 6, 0, new Reaction("like", 0, 1, T0))));
    log.add(read(decision("dangling", "ann", 7, 0, new Reaction("click", 7, 1, T0))));
    ImportSummary summary = run(log, OPTIONS);
    String rejects = Files.readString(summary.rejects().orElseThrow());
    for (String expected :
        List.of(
            "propensity is 0.0, must be in (0, 1]",
            "propensity is -0.105, must be in (0, 1]; looks like a log-probability",
            "propensity is 25.0, must be in (0, 1]; looks like a percentage",
            "propensity is NaN, must be in (0, 1]",
            "time is 1970-01-01T00:00:00Z, must be from 1990 to 2100; is it in another unit?",
            "shows candidate 4, must be from 0 to 2",
            "#/context/hour is 99, must be a number from 0.0 to 23.0",
            "click is 2.0, outside [0.0, 1.0]",
            "has the decision id of log.txt line 1, which was taken")) {
      assertTrue(rejects.contains(expected), expected + " in " + rejects);
    }
    assertEquals(8, summary.rejected());
    assertEquals(1, summary.duplicates());
    assertEquals(2, summary.propensities().notPositive());
    assertEquals(1, summary.propensities().aboveOne());
    assertEquals(1, summary.propensities().tiny());
    assertEquals(4, summary.decisions().count());
    assertEquals(2, summary.reactionsLeftOut().size());
    assertEquals("ann", row("good").getDecision().getSubjectId());
  }

  @Test
  void featuresThatOnlyOneSideKnowsAreTold() throws IOException {
    ObjectNode context = JsonNodeFactory.instance.objectNode().put("weather", "rain");
    ImportSummary summary = run(List.of(read(decision("a", "ann", 0, 0, context))), OPTIONS);
    assertEquals(Map.of("context.weather", 1L), summary.unknownFeatures());
    assertEquals(List.of("context.hour"), summary.missingFeatures());
    assertEquals("{\"weather\":\"rain\"}", row("a").getDecision().getRawContext());
  }

  @Test
  void madeUpPropensitiesAreDoubted() throws IOException {
    List<LogReader.Entry> made = new ArrayList<>();
    List<LogReader.Entry> real = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      made.add(read(with(decision("d" + i, "s" + i, i, i % 3), "d" + i, 1)));
      real.add(read(decision("d" + i, "s" + i, i, i % 3)));
    }
    assertTrue(run(made, OPTIONS).propensities().doubt().orElseThrow().contains("not credible"));
    ImportSummary.Propensities credible = run(real, OPTIONS).propensities();
    assertEquals(3, credible.meanInverse(), 1e-9);
    assertTrue(credible.doubt().isEmpty());
  }

  @Test
  void withoutPropensitiesThereAreNoneUnlessEstimatesAreAskedFor() throws IOException {
    List<LogReader.Entry> log = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      LoggedDecision decision = decision("d" + i, "s" + i, i, i < 6 ? 0 : 1);
      log.add(read(without(decision)));
    }
    run(log, OPTIONS);
    assertEquals("NONE", row("d0").getDecision().getPropensityKind());
    run(log, new LogImport.Options(false, true));
    Decision estimated = row("d0").getDecision();
    assertEquals("ESTIMATED", estimated.getPropensityKind());
    assertEquals(7 / 12.0, estimated.getSlate().get(0).getPropensity(), 1e-12);
    assertEquals(Math.log(1 / 12.0), Floats.of(estimated.getLogits())[2], 1e-6);
  }

  @Test
  void aLogOfWhichNothingCanBeReadIsRefusedAndLeavesNothing() throws IOException {
    ImportRefused refused =
        assertThrows(
            ImportRefused.class,
            () ->
                run(
                    List.of(
                        new LogReader.Rejected(
                            new LoggedDecision.Origin("log.txt", 3), "is no JSON", "xx")),
                    OPTIONS));
    assertEquals(
        "log: none of 1 entries can be imported; the first: log.txt line 3: is no JSON",
        refused.getMessage());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(".log.lock"), left.map(p -> p.getFileName().toString()).toList());
    }
  }

  @Test
  void idsOfOtherAlphabetsAreWrittenInOurs() throws IOException {
    run(List.of(read(decision("a/b:é", "ann", 0, 0))), OPTIONS);
    assertEquals(List.of("a~2Fb~3A~C3~A9"), ids());
  }

  private List<LogReader.Entry> manyEntries(int count) {
    List<LogReader.Entry> log = new ArrayList<>();
    Random random = new Random(11);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(10) == 0) {
        log.add(
            new LogReader.Rejected(
                new LoggedDecision.Origin("log.txt", i + 1), "is no JSON: '" + i + "'", "{" + i));
        continue;
      }
      long seconds = random.nextInt(100_000);
      LoggedDecision decision =
          decision(
              "d" + (random.nextInt(20) == 0 ? 5 : i),
              "s" + random.nextInt(9),
              seconds,
              random.nextInt(3),
              new Reaction("click", 0, 1, T0 + (seconds + random.nextInt(900)) * SECOND));
      log.add(read(random.nextInt(15) == 0 ? with(decision, "p" + i, -1) : decision));
    }
    return log;
  }

  private ImportSummary run(List<LogReader.Entry> log, LogImport.Options options)
      throws IOException {
    return run(log, options, folder, Integer.MAX_VALUE, new ArrayList<>());
  }

  private ImportSummary run(
      List<LogReader.Entry> log,
      LogImport.Options options,
      Path into,
      int failAt,
      List<Integer> opened)
      throws IOException {
    opened.add(failAt);
    ImportSource source =
        new ImportSource("log", List.of(), "settings", false, () -> new ListedReader(log, failAt));
    return new LogImport(surface, options, line -> {}, 20_000).run(source, into);
  }

  private Transition row(String decisionId) {
    return read().stream()
        .filter(row -> row.getDecision().getDecisionId().equals(decisionId))
        .findFirst()
        .orElseThrow();
  }

  private List<String> ids() {
    return read().stream().map(row -> row.getDecision().getDecisionId()).toList();
  }

  private List<Transition> read() {
    List<Transition> all = new ArrayList<>();
    try (TransitionArchive.Transitions rows =
        new TransitionArchive(folder.resolve("log")).read("shop")) {
      rows.forEachRemaining(all::add);
    }
    return all;
  }

  private static Map<String, String> bytes(Path root) throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes.put(root.relativize(file).toString(), sha256(Files.readAllBytes(file)));
      }
    }
    return bytes;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static LogReader.Entry read(LoggedDecision decision) {
    return new LogReader.Read(decision);
  }

  private static ObjectNode context(int hour) {
    return JsonNodeFactory.instance.objectNode().put("hour", hour);
  }

  private static LoggedDecision decision(
      String id, String subject, long seconds, int chosen, Reaction... reactions) {
    return decision(id, subject, seconds, chosen, context(7), reactions);
  }

  private static LoggedDecision decision(
      String id,
      @Nullable String subject,
      long seconds,
      int chosen,
      ObjectNode context,
      Reaction... reactions) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      candidates.add(
          new Candidate(
              "i" + i, JsonNodeFactory.instance.objectNode().put("price", i).put("kind", "k" + i)));
    }
    double third = 1 / 3.0;
    return new LoggedDecision(
        id,
        subject,
        T0 + seconds * SECOND,
        context,
        candidates,
        List.of(new Slot(chosen, third, new double[] {third, third, third})),
        1,
        true,
        Propensities.EXACT,
        OptionalInt.empty(),
        "v1",
        List.of(reactions),
        new LoggedDecision.Origin("log.txt", 1));
  }

  private static LoggedDecision with(LoggedDecision d, String id, double propensity) {
    return copy(d, id, propensity, d.propensities());
  }

  private static LoggedDecision without(LoggedDecision d) {
    return copy(d, d.decisionId(), Double.NaN, Propensities.NONE);
  }

  private static LoggedDecision copy(
      LoggedDecision d, String id, double propensity, Propensities kind) {
    return new LoggedDecision(
        id,
        d.subjectId(),
        d.decidedAtMicros(),
        d.context(),
        d.candidates(),
        List.of(new Slot(d.slots().get(0).chosen(), propensity, null)),
        d.sampleWeight(),
        d.learnable(),
        kind,
        d.baseline(),
        d.policyVersion(),
        d.reactions(),
        d.origin());
  }

  /** A log in memory that breaks at one place. */
  private static final class ListedReader implements LogReader {
    private final List<Entry> entries;
    private final int failAt;
    private int next;

    ListedReader(List<Entry> entries, int failAt) {
      this.entries = entries;
      this.failAt = failAt;
    }

    @Override
    public @Nullable Entry next() throws IOException {
      if (next == failAt) {
        throw new IOException("interrupted");
      }
      return next < entries.size() ? Objects.requireNonNull(entries.get(next++)) : null;
    }

    @Override
    public double progress() {
      return (double) next / entries.size();
    }

    @Override
    public void close() {}
  }
}
