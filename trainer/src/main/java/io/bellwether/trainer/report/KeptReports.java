package io.bellwether.trainer.report;

import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.util.List;
import java.util.Optional;

/**
 * The evaluation reports that a store keeps with its versions.
 *
 * @param store that keeps them
 */
public record KeptReports(PolicyStore store) {

  /** A report and what it was kept as. */
  public record Kept(Evidence evidence, StoredReport report) {}

  /** All reports about a version, in the order in which they were kept. */
  public List<Kept> of(VersionId version) {
    return store.evidence(version).stream()
        .filter(evidence -> evidence.kind() == EvidenceKind.REPORT)
        .flatMap(
            evidence ->
                StoredReport.find(store.content(evidence))
                    .map(report -> new Kept(evidence, report))
                    .stream())
        .toList();
  }

  /** The latest report about a version; empty where it was never evaluated. */
  public Optional<Kept> latest(VersionId version) {
    return of(version).stream().reduce((earlier, later) -> later);
  }
}
