package io.bellwether.trainer.report;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyVersion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a Reward Report computes its sentences from.
 *
 * @param surface as it is declared now
 * @param report the latest evaluation; empty where there is none
 * @param history in the order of time
 * @param overrides by whom and why it got on without a pass
 * @param released when it first answered people; empty where it never did
 * @param live what came of it since then; empty where that was not looked up
 */
record RewardFacts(
    PolicyVersion version,
    PolicyManifest manifest,
    Surface surface,
    Optional<StoredReport> report,
    List<VersionHistory.Entry> history,
    List<String> overrides,
    Optional<Instant> released,
    Optional<LiveValues> live) {

  RewardFacts {
    history = List.copyOf(history);
    overrides = List.copyOf(overrides);
  }
}
