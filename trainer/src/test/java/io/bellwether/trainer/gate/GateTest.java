package io.bellwether.trainer.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.job.Baseline;
import io.bellwether.trainer.report.EvidenceFiling;
import io.bellwether.trainer.report.ReportJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private PolicyStore store;
  private Gate gate;
  private VersionId version;

  @BeforeEach
  void publishTheDeclaredRanking() throws IOException {
    store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    version = new Baseline(Clock.systemUTC(), "test").publish(log.surface(), store).id();
    gate =
        new Gate(
            store,
            new OfflineEvaluation(Clock.systemUTC(), "test", line -> {}),
            new EvidenceFiling(store, "somebody"),
            "somebody");
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, 300));
  }

  @Test
  void thePolicyThatLoggedTheDecisionsHasWeightsOfOneAndIsNotShownToBeBetter() throws IOException {
    EvaluationRecord record = gate.judge(version, request());
    assertEquals("not-enough-evidence", record.report().verdict().word());
    JsonNode report = new ObjectMapper().readTree(ReportJson.report(record));
    JsonNode weights = report.at("/diagnostics/targetWeights/1");
    assertEquals(300, weights.get("effectiveSampleSize").doubleValue(), 1e-6);
    assertEquals(1, weights.get("largest").doubleValue(), 1e-9);
    double logged = report.at("/logged/watch/mean").doubleValue();
    for (JsonNode estimate : report.get("estimates")) {
      if (estimate.get("signal").textValue().equals("watch")
          && estimate.get("estimator").textValue().endsWith("ips")) {
        assertEquals(logged, estimate.get("value").doubleValue(), 1e-6);
      }
    }
    assertEquals("like", report.at("/constraints/0/signal").textValue());
  }

  @Test
  void theValuePerSessionOfTheLoggingPolicyIsTheDiscountedMeanOfTheLog() throws IOException {
    JsonNode report =
        new ObjectMapper().readTree(ReportJson.report(gate.judge(version, request())));
    JsonNode sessions = report.get("perSession");
    assertEquals(0.5, sessions.get("discount").doubleValue());
    assertEquals(100, sessions.get("sessions").longValue());
    assertEquals(3, sessions.get("effectiveSampleSizes").size());
    double expected = 0;
    for (int number = 0; number < 300; number++) {
      for (SignalValue value : log.transition(number).getSignals()) {
        boolean watched = value.getSignal().equals("watch");
        expected += watched ? Math.pow(0.5, number % 3) * value.getValue() / 100 : 0;
      }
    }
    JsonNode target = sessions.at("/values/3");
    assertEquals(
        "target watch", target.get("policy").textValue() + " " + target.get("signal").textValue());
    assertEquals(expected, target.get("value").doubleValue(), 1e-4);
    assertEquals(expected, sessions.at("/values/4/value").doubleValue(), 1e-9);
    assertEquals(0, sessions.at("/values/5/value").doubleValue(), 1e-4);
  }

  @Test
  void reportAndVerdictStayWithTheVersion() throws IOException {
    EvaluationRecord record = gate.judge(version, request());
    List<Evidence> evidence = store.evidence(version);
    assertEquals(4, evidence.size());
    String page = new String(store.content(evidence.get(1)), UTF_8);
    assertTrue(page.startsWith("<!doctype html>"));
    assertTrue(page.contains("class=\"verdict not-enough-evidence\""));
    assertTrue(page.contains("<svg"));
    assertTrue(page.contains("Value per session (advisory)"));
    assertTrue(page.contains("100 sessions, of which 50 did not end by themselves"), page);
    assertEquals(Optional.of(GateVerdict.NOT_ENOUGH_EVIDENCE), store.verdict(version));
    assertEquals(version.value(), record.target());
  }

  @Test
  void aVersionIsJudgedBySubjectsThatItHasNotSeen() throws IOException {
    PolicyManifest declared = store.manifest(version);
    VersionId learned = publish(declared, Map.of(Subjects.HELD_OUT_SHARE, 0.4));
    EvaluationRecord record = gate.judge(learned, request());
    assertEquals(Subjects.heldOut(0.4), record.request().subjects());
    long subjects = record.report().size().units();
    assertTrue(subjects > 20 && subjects < 60, "of 100 subjects " + subjects);
    assertEquals(record.report().gate().warnings(), record.warnings());
  }

  @Test
  void aVersionThatKeptNobodyApartIsWarnedOf() throws IOException {
    VersionId learned = publish(store.manifest(version), Map.of());
    String report = new String(ReportJson.report(gate.judge(learned, request())), UTF_8);
    assertTrue(report.contains("the policy kept no subjects apart when it learned"), report);
  }

  /** The declared ranking, as if it had been learned from this log. */
  private VersionId publish(PolicyManifest declared, Map<String, Double> metrics) {
    Instant now = Instant.EPOCH;
    PolicyManifest manifest =
        new PolicyManifest(
            declared.name(),
            declared.kind(),
            declared.createdBy(),
            now,
            declared.surfaceDigest(),
            declared.features(),
            declared.algorithm(),
            1,
            new TrainingData("this log", now, now, 300, ""),
            declared.codeVersion(),
            null,
            null,
            metrics,
            List.of());
    return store
        .publish(manifest, Map.of(PolicyManifest.GRAPH, store.file(version, PolicyManifest.GRAPH)))
        .id();
  }

  @Test
  void onlyAPassOrAnOverrideMovesAnAlias() throws IOException {
    gate.judge(version, request());
    assertEquals(Optional.empty(), gate.propose(version));
    assertThrows(
        PromotionRefusedException.class,
        () -> gate.promote(version, Alias.CHAMPION, "to begin with", null));
    gate.promote(version, Alias.CHAMPION, "to begin with", "the product's own ranking");
    assertEquals(Optional.of(version), store.alias("synthetic", Alias.CHAMPION));
    // again: it points there already
    assertEquals(1, gate.promote(version, Alias.CHAMPION, "to begin with", null).sequence());
  }

  @Test
  void aChallengerThatBecomesTheChampionIsNoChallengerAnyMore() {
    gate.promote(version, Alias.CHALLENGER, "to be tried", "a test");
    gate.promote(version, Alias.CHAMPION, "it was tried", "a test");

    assertEquals(Optional.of(version), store.alias("synthetic", Alias.CHAMPION));
    assertEquals(Optional.empty(), store.alias("synthetic", Alias.CHALLENGER));
  }

  private EvaluationRequest request() {
    return EvaluationRequest.of(
            log.surface(), new ArchiveSource(folder.resolve("archive"), log.surface().name()))
        .withModelSteps(5);
  }
}
