package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.data.ArchiveSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenBanditImportTest {

  private static final String ITEMS =
      """
      ,item_id,item_feature_0,item_feature_1
      0,0,-0.5,aa
      1,1,0.25,bb
      2,2,1.5,cc
      """;
  private static final String HEADER =
      ",timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,"
          + "user_feature_2,user_feature_3,user-item_affinity_0,user-item_affinity_1,"
          + "user-item_affinity_2";
  private static final String GOOD =
      "0,2019-11-24 00:03:13.442536+00:00,1,3,0,0.25,u,v,w,x,0.0,2.0,";
  private static final String CLICKED = "1,2019-11-24 00:03:14+00:00,2,1,1,0.5,u,v,,x,0.0,0.0,1.0";

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void readSurface() throws Exception {
    surface = new SurfaceReader().read(Path.of("../examples/surfaces/open-bandit.yaml"));
  }

  @Test
  void aRowBecomesADecisionAmongAllItemsOfItsCampaign() throws IOException {
    log("random", "men", HEADER, GOOD, CLICKED);
    ImportReport report = run();
    List<Transition> transitions = transitions("random-men");
    assertEquals(2, transitions.size());
    Transition first = transitions.get(0);
    Decision decision = first.getDecision();
    assertEquals("obd-random-men-0", decision.getDecisionId());
    assertEquals(1574553793442536L, decision.getDecidedAtMicros());
    assertEquals(List.of("0", "1", "2"), decision.getCandidateIds());
    assertEquals(1, decision.getSlate().get(0).getCandidate());
    assertEquals("1", decision.getSlate().get(0).getItemId());
    assertEquals(0.25, decision.getSlate().get(0).getPropensity());
    assertEquals("EXACT", decision.getPropensityKind());
    assertEquals("IMPORTED", decision.getMode());
    assertTrue(first.getTruncated());
    assertFalse(first.getTerminated());
    assertTrue(first.getSignals().isEmpty());
    assertEquals(
        "{\"place\":\"3\",\"campaign\":\"men\",\"user_feature_0\":\"u\",\"user_feature_1\":\"v\","
            + "\"user_feature_2\":\"w\",\"user_feature_3\":\"x\"}",
        decision.getRawContext());
    // item, item_feature_0 and its flag, affinity and its flag; the last affinity was not given
    float[] items = Floats.of(decision.getItems());
    assertEquals(
        List.of(1f, -0.5f, 1f, 0f, 1f, 2f, 0.25f, 1f, 2f, 1f, 3f, 1.5f, 1f, 0f, 0f), list(items));

    Transition second = transitions.get(1);
    assertEquals(1, second.getSignals().get(0).getValue());
    assertEquals("click", second.getSignals().get(0).getSignal());
    assertEquals(1, second.getOutcomeCount());

    ImportReport.Log log = report.logs().get(0);
    assertEquals("random-men", log.name());
    assertEquals(2, log.rows());
    assertEquals(1, log.outcomes());
    assertEquals(0.25, log.minPropensity());
    assertEquals(3, log.meanInversePropensity());
    assertTrue(log.rejects().isEmpty());
  }

  @Test
  void thompsonSamplingsPropensitiesAreFromSimulation() throws IOException {
    log("bts", "women", HEADER.replace("propensity_score", "action_prob"), GOOD);
    run();
    assertEquals("MONTE_CARLO", transitions("bts-women").get(0).getDecision().getPropensityKind());
  }

  @Test
  void unreadableLinesAreKeptWithLineAndReason() throws IOException {
    log(
        "random",
        "men",
        HEADER,
        GOOD,
        GOOD.replace(",0.25,", ",0,"),
        GOOD.replace(",1,3,0,", ",7,3,0,"),
        GOOD.replace(",1,3,0,", ",1,4,0,"),
        GOOD.replace(",1,3,0,", ",1,3,yes,"),
        GOOD.replace("2019-11-24", "24.11.2019"),
        GOOD.replace(",2.0,", ",-2.0,"),
        GOOD.replace(",2.0,", ",NaN,"),
        GOOD.replace(",u,", ",\"u\","),
        GOOD + ",more",
        CLICKED);
    ImportReport.Log log = run().logs().get(0);
    assertEquals(2, log.rows());
    assertEquals(9, log.rejected());
    List<String> rejects = Files.readAllLines(log.rejects().orElseThrow(), UTF_8);
    assertEquals(10, rejects.size());
    String all = String.join("\n", rejects);
    assertTrue(all.contains("3\tpropensity is '0', must be above 0 and at most 1\t0,2019"), all);
    assertTrue(all.contains("4\titem_id is '7', must be a whole number from 0 to 2"), all);
    assertTrue(all.contains("5\tposition is '4', must be a whole number from 1 to 3"), all);
    assertTrue(all.contains("6\tclick is 'yes', must be a whole number from 0 to 1"), all);
    assertTrue(all.contains("7\ttimestamp is '24.11.2019 00:03:13.442536+00:00'"), all);
    assertTrue(all.contains("8\tuser-item_affinity_1 is '-2.0', must be a count"), all);
    assertTrue(all.contains("9\tuser-item_affinity_1 is 'NaN', must be a finite number"), all);
    assertTrue(all.contains("10\thas a quote; fields must not be quoted"), all);
    assertTrue(all.contains("11\thas 14 fields, must have 13 like the header"), all);
    // ids count lines, so that a row keeps its id when another one is mended
    assertEquals(
        "obd-random-men-10", transitions("random-men").get(1).getDecision().getDecisionId());
  }

  @Test
  void importingTwiceGivesTheSame() throws IOException {
    log("random", "men", HEADER, GOOD, CLICKED);
    run();
    List<Transition> once = transitions("random-men");
    run();
    assertEquals(once, transitions("random-men"));
  }

  @Test
  void zippedLogsAreRead() throws IOException {
    log("random", "men", HEADER, GOOD);
    Path plain = folder.resolve("in/random/men/men.csv");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(plain + ".gz")))) {
      Files.copy(plain, out);
    }
    Files.delete(plain);
    assertEquals(1, run().rows());
  }

  @Test
  void whatIsNoLogIsRefused() throws IOException {
    Files.createDirectories(folder.resolve("in"));
    assertTrue(refusal().contains("holds no log of the Open Bandit Dataset"));
    log("random", "men", HEADER.replace("click,", "clicks,"), GOOD);
    assertTrue(refusal().contains("has no column click"));
    log("random", "men", HEADER, "nonsense");
    assertTrue(refusal().contains("has no line that can be read"));
    Files.writeString(
        folder.resolve("in/random/men/item_context.csv"), ITEMS.replace("2,2,", "2,5,"));
    assertTrue(refusal().contains("line 4: item_id is '5', must be a whole number from 2 to 2"));
  }

  private String refusal() {
    return String.valueOf(assertThrows(ImportRefused.class, this::run).getMessage());
  }

  private void log(String policy, String campaign, String... lines) throws IOException {
    Path here = Files.createDirectories(folder.resolve("in").resolve(policy).resolve(campaign));
    Files.writeString(here.resolve("item_context.csv"), ITEMS);
    Files.writeString(here.resolve(campaign + ".csv"), String.join("\n", lines) + "\n");
  }

  private ImportReport run() throws IOException {
    return new OpenBanditImport(surface, line -> {})
        .run(folder.resolve("in"), folder.resolve("out"));
  }

  private List<Transition> transitions(String log) throws IOException {
    List<Transition> transitions = new ArrayList<>();
    new ArchiveSource(folder.resolve("out").resolve(log), surface.name()).forEach(transitions::add);
    return transitions;
  }

  private static List<Float> list(float[] values) {
    List<Float> list = new ArrayList<>();
    for (float value : values) {
      list.add(value);
    }
    return list;
  }
}
