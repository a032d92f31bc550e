package io.bellwether.serving.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.experiment.RolloutRule;
import io.bellwether.evaluation.experiment.TickMemory;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.ExperimentsFixture;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

  private static final String DECLARATION =
      """
      { "name": "e", "surface": "feed", "analysis": { "plannedUnits": 4000 },
        "variants": [{ "name": "control", "policy": "champion" },
                     { "name": "treatment", "policy": "VERSION" }],
        "primary": ["watch_seconds"], "guardrails": ["like"] }
      """;

  /** Of a report what is read here. */
  private static final String REPORT =
      """
      { "meta": { "baseline": "CHAMPION", "primary": "DR" },
        "comparisons": [
          { "against": "logging", "signal": "watch_seconds", "estimator": "DR",
            "difference": { "value": 9 }, "interval": { "lower": 8, "upper": 10 } },
          { "against": "champion", "signal": "watch_seconds", "estimator": "IPS",
            "difference": { "value": 7 }, "interval": { "lower": 6, "upper": 8 } },
          { "against": "champion", "signal": "watch_seconds", "estimator": "DR",
            "difference": { "value": 2.5 }, "interval": { "lower": 1, "upper": 4 } }] }
      """;

  @TempDir private Path folder;
  private final HandClock clock = new HandClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final NumbersTable table = new NumbersTable();
  private PolicyStore policies;
  private Experiments experiments;

  @BeforeEach
  void begin() throws Exception {
    policies = new PolicyStore(folder, clock);
    var champion = LinearPolicy.publish(policies, "feed", TestPlatform.schema(), 1f, 0f, 0f);
    LinearPolicy.crown(policies, "feed", champion);
    var other = LinearPolicy.publish(policies, "feed", TestPlatform.schema(), 2f, 0f, 0f);
    policies.attach(
        other,
        EvidenceKind.REPORT,
        REPORT.replace("CHAMPION", champion.value()).getBytes(StandardCharsets.UTF_8),
        "gate");
    policies.attach(other, EvidenceKind.REPORT, "<html>".getBytes(StandardCharsets.UTF_8), "gate");
    experiments =
        ExperimentsFixture.open(folder, Fixtures.surfaces(), policies, clock).experiments();
    By by = By.of("test", "a test");
    byte[] declaration =
        DECLARATION.replace("VERSION", other.value()).getBytes(StandardCharsets.UTF_8);
    experiments.create(declaration, by).toCompletableFuture().get();
    experiments.start("e", by).toCompletableFuture().get();
  }

  @Test
  void theShapeIsTheDocumentedOne() throws Exception {
    table.apply(new Population("e", 1, "control").grow(2_000).counted(clock.instant()));
    table.apply(
        new Population("e", 1, "treatment").watching(102).grow(2_000).counted(clock.instant()));
    clock.forward(Duration.ofSeconds(3));
    JsonNode results = results();
    try (InputStream golden = ResultsTest.class.getResourceAsStream("results-shape.txt")) {
      String expected = new String(golden.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(expected, shape(results));
    }
    assertEquals(3, results.path("numbersAgeSeconds").asDouble());
    assertEquals(2_000, results.at("/units/control").asInt());
    assertEquals(102, results.at("/metrics/0/treatment").asDouble(), 1);
    assertEquals("BETTER", results.at("/metrics/0/status").asText());
    assertTrue(results.at("/summary").size() > 0);
  }

  @Test
  void whatWasPromisedOfflineStandsNextToWhatIsMeasured() throws Exception {
    table.apply(new Population("e", 1, "control").grow(2_000).counted(clock.instant()));
    table.apply(
        new Population("e", 1, "treatment").watching(102).grow(2_000).counted(clock.instant()));
    JsonNode ledger = results().path("ledger");
    assertEquals(1, ledger.size());
    assertEquals("watch_seconds", ledger.at("/0/name").asText());
    assertEquals(2.5, ledger.at("/0/predicted").asDouble());
    assertEquals(2, ledger.at("/0/effect").asDouble(), 1);
    assertTrue(ledger.at("/0/inside").asBoolean());
  }

  @Test
  void aPromiseThatIsNoneStandsInNobodysWay() throws Exception {
    VersionId treatment =
        new VersionId(experiments.require("e").phase().orElseThrow().version("treatment"));
    policies.attach(
        treatment,
        EvidenceKind.REPORT,
        REPORT
            .replace("CHAMPION", policies.alias("feed", Alias.CHAMPION).orElseThrow().value())
            .replace("\"lower\": 1,", "\"lower\": 5,")
            .getBytes(StandardCharsets.UTF_8),
        "gate");
    assertEquals(0, results().path("ledger").size());
  }

  @Test
  void withoutNumbersEverythingSaysWhyItIsAbsent() throws Exception {
    JsonNode results = results();
    assertFalse(results.has("numbersAgeSeconds"));
    assertEquals("EMPTY_VARIANT", results.at("/metrics/0/reason").asText(), results.toString());
    assertTrue(results.at("/metrics/0/effect").isMissingNode());
    assertEquals("HOLD", results.at("/gate/verdict").asText());
  }

  @Test
  void aSplitThatChanceDoesNotExplainWithholdsEveryEffect() throws Exception {
    table.apply(new Population("e", 1, "control").grow(2_000).counted(clock.instant()));
    table.apply(new Population("e", 1, "treatment").grow(1_000).counted(clock.instant()));
    JsonNode results = results();
    assertTrue(results.at("/sampleRatio/alarm").asBoolean());
    assertEquals("SRM", results.at("/metrics/0/reason").asText());
    assertEquals("SRM", results.at("/metrics/0/reasons/effect").asText());
    assertEquals(1_000, results.at("/units/treatment").asInt());
  }

  private JsonNode results() throws Exception {
    ExperimentState state = experiments.require("e");
    Readings.Read read =
        new Readings(table, new OfflinePromises(policies), clock).read(state, TickMemory.START);
    JsonNode document =
        Results.of(
            state,
            read,
            Optional.of(
                RolloutRule.decide(DeclaredPlan.situation(state), read.reading(), TickMemory.START)
                    .verdict()),
            ReadingJson.ReadOut.SEQUENTIAL);
    return new ObjectMapper().readTree(document.toString());
  }

  /** Every field's path and type, sorted. */
  private static String shape(JsonNode node) {
    Set<String> lines = new TreeSet<>();
    walk(node, "", lines);
    return String.join("\n", lines) + "\n";
  }

  private static void walk(JsonNode node, String path, Set<String> lines) {
    if (node.isObject()) {
      node.properties().forEach(each -> walk(each.getValue(), path + "/" + each.getKey(), lines));
    } else if (node.isArray()) {
      lines.add(path + " array");
      node.forEach(each -> walk(each, path + "[]", lines));
    } else {
      lines.add(
          path
              + " "
              + (node.isNumber() ? "number" : node.getNodeType().name().toLowerCase(Locale.ROOT)));
    }
  }
}
