package io.bellwether.trainer.report;

import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.Filing;

/**
 * Keeps evaluations as evidence: the report as JSON and as a page, and the verdict where it counts.
 *
 * @param store that holds the evidence
 * @param who is written to it
 */
public record EvidenceFiling(PolicyStore store, String who) implements Filing {

  @Override
  public void keepVerdict(VersionId version, EvaluationRecord record) {
    keepReport(version, record);
    store.attach(version, EvidenceKind.VERDICT, ReportJson.verdict(record), who);
  }

  /** Keeps an evaluation that judges nothing, such as one against another version. */
  public void keepReport(VersionId version, EvaluationRecord record) {
    store.attach(version, EvidenceKind.REPORT, ReportJson.report(record), who);
    store.attach(version, EvidenceKind.REPORT, ReportPage.of(record), who);
  }
}
