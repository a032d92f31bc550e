package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.evaluation.report.Looks;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.Gate;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.gate.ScoredTarget;
import io.bellwether.trainer.gate.TargetPolicy;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real evaluation of slates in sessions, with promises, segments and reward models. */
class EvaluationToPageTest {

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private PolicyStore store;
  private VersionId version;
  private EvaluationRecord record;

  @BeforeEach
  void evaluate() throws Exception {
    store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    version = new Baseline(Clock.systemUTC(), "test").publish(log.surface(), store).id();
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, 600));
    Gate gate =
        new Gate(
            store,
            new OfflineEvaluation(Clock.systemUTC(), "test", line -> {}),
            new EvidenceFiling(store, "somebody"),
            "somebody");
    record = gate.judge(version, request());
  }

  private EvaluationRequest request() {
    return EvaluationRequest.of(
            log.surface(), new ArchiveSource(folder.resolve("archive"), log.surface().name()))
        .withModelSteps(10)
        .withReplicates(50)
        .withSegments(List.of("country"));
  }

  @Test
  void whatIsKeptFollowsThePublishedSchema() throws Exception {
    JsonNode kept = new ObjectMapper().readTree(store.content(store.evidence(version).get(0)));
    assertEquals(List.of(), ReportSchema.violations(kept));
    assertEquals(ReportJson.tree(record).toString(), kept.toString());
    assertFalse(kept.toString().contains("NaN"), "a number that is none");
    for (String part : List.of("segments", "distributions", "comparisons", "constraints")) {
      assertFalse(kept.get(part).isEmpty(), part + " are missing");
    }
    assertFalse(kept.at("/diagnostics/learning").isEmpty(), "learning curves are missing");
    assertFalse(kept.at("/diagnostics/support/actions").isEmpty(), "overlap is missing");
  }

  @Test
  void decisionsThatItNamesCanBeLookedUp() {
    Set<String> logged =
        log.transitions(0, 600).stream()
            .map(transition -> transition.getDecision().getDecisionId())
            .collect(Collectors.toSet());
    JsonNode heaviest = stored().root().at("/diagnostics/largestWeights");
    assertEquals(20, heaviest.size());
    Set<String> named = new HashSet<>();
    for (JsonNode each : heaviest) {
      named.add(each.path("decisionId").asText());
      assertTrue(logged.contains(each.path("decisionId").asText()), each::toString);
    }
    assertEquals(20, named.size());
    assertEquals("hash 000000000000002a", record.decisionIds().ofHash(42));
  }

  @Test
  void itsPageIsWellFormedAndHasTheSameAnswer() throws Exception {
    String page = new String(ReportPage.of(record), UTF_8);
    ReportPageTest.parsed(page);
    assertTrue(page.contains(Html.escaped(Answer.of(stored()).verdict())));
    assertTrue(page.contains("Segments (exploratory)"));
  }

  @Test
  void aKeptReportIsFoundAgain() {
    KeptReports.Kept latest = new KeptReports(store).latest(version).orElseThrow();
    assertEquals(stored().root().toString(), latest.report().root().toString());
    assertEquals(1, new KeptReports(store).of(version).size());
    assertEquals(List.of(), new VersionHistory(store).since(version, latest.evidence()));
    assertEquals(List.of(), ReportDiff.of(stored(), latest.report()).changes());
  }

  @Test
  void whatBoundsRestOnIsSaidAndRepeatable() throws Exception {
    EvaluationRecord repeated;
    try (TargetPolicy target = ScoredTarget.open(store, version, log.surface())) {
      repeated =
          new OfflineEvaluation(Clock.systemUTC(), "test", line -> {})
              .evaluate(
                  request().withLooks(new Looks.Repeated(1_000)).withLargestWeight(40), target);
    }
    StoredReport often = new StoredReport(ReportJson.tree(repeated));
    assertEquals("ASYMPTOTIC_SEQUENCE", often.meta("looks").asText());
    assertEquals("STUDENT", stored().meta("looks").asText());
    assertEquals(1_000, often.meta("plannedUnits").asInt());
    assertEquals(40, often.meta("largestWeight").asInt());
    assertTrue(stored().meta("largestWeight").isNull(), "nothing was declared");
    assertTrue(new String(ReportPage.of(repeated), UTF_8).contains("--repeated 1000"));
    assertTrue(new String(ReportPage.of(repeated), UTF_8).contains("--largest-weight 40"));
    assertEquals(List.of(), ReportSchema.violations(often.root()));
    assertNotEquals(record.fingerprint(), repeated.fingerprint());
  }

  @Test
  void theRewardReportStandsBesideIt() {
    List<Evidence> rewards =
        store.evidence(version).stream()
            .filter(each -> each.kind() == EvidenceKind.REWARD_REPORT)
            .toList();
    assertEquals(1, rewards.size());
    String reward = new String(store.content(rewards.get(0)), UTF_8);
    assertTrue(reward.contains("of the decisions that it is judged by were made by"), reward);
    assertTrue(reward.contains("like at least"), reward);
  }

  private StoredReport stored() {
    return new StoredReport(ReportJson.tree(record));
  }
}
