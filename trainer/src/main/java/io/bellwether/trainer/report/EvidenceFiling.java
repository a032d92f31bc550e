package io.bellwether.trainer.report;

import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.Filing;
import java.util.Optional;

/**
 * Keeps evaluations as evidence: the report as JSON and as a page, and, where it counts, the
 * verdict and what the Reward Report says now.
 *
 * @param store that holds the evidence
 * @param who is written to it
 * @param answers what people have written for Reward Reports
 */
public record EvidenceFiling(PolicyStore store, String who, HumanAnswers answers)
    implements Filing {

  /** Where people have written nothing. */
  public EvidenceFiling(PolicyStore store, String who) {
    this(store, who, HumanAnswers.NONE);
  }

  @Override
  public void keepVerdict(VersionId version, EvaluationRecord record) {
    keepReport(version, record);
    store.attach(version, EvidenceKind.VERDICT, ReportJson.verdict(record), who);
    RewardReports rewards = new RewardReports(store);
    rewards.keep(
        version, rewards.of(version, record.request().surface(), answers, Optional.empty()), who);
  }

  /** Keeps an evaluation that judges nothing, such as one against another version. */
  public void keepReport(VersionId version, EvaluationRecord record) {
    store.attach(version, EvidenceKind.REPORT, ReportJson.report(record), who);
    store.attach(version, EvidenceKind.REPORT, ReportPage.of(record), who);
  }
}
