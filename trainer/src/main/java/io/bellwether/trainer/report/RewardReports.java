package io.bellwether.trainer.report;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes and keeps the Reward Reports of a store's versions.
 *
 * @param store that holds versions, evidence and aliases
 */
public record RewardReports(PolicyStore store) {

  /**
   * What is known of a version now.
   *
   * @param live what came of it since its release; empty before it, or where nobody looked
   */
  public RewardReport of(
      VersionId version, Surface surface, HumanAnswers answers, Optional<LiveValues> live) {
    RewardFacts facts =
        new RewardFacts(
            store.version(version),
            store.manifest(version),
            surface,
            new KeptReports(store).latest(version).map(KeptReports.Kept::report),
            new VersionHistory(store).of(version),
            new VersionHistory(store).overrides(version),
            new VersionHistory(store).released(version),
            live);
    List<RewardReport.Chapter> chapters =
        List.of(
            new SystemChapter(facts, answers).chapter(),
            new IntentChapter(facts, answers).chapter(),
            new InstitutionChapter(answers).chapter(),
            new ImplementationChapter(facts, answers).chapter(),
            new OfflineChapter(facts).chapter(),
            new MaintenanceChapter(facts, answers).chapter());
    return new RewardReport(
        "Reward Report of " + version + " on " + surface.name(), chapters, answers.missing());
  }

  /** Keeps it as evidence, unless the latest one says the same; whether it was kept. */
  public boolean keep(VersionId version, RewardReport report, String who) {
    byte[] markdown = report.markdown();
    if (latest(version).filter(kept -> Arrays.equals(kept, markdown)).isPresent()) {
      return false;
    }
    store.attach(version, EvidenceKind.REWARD_REPORT, markdown, who);
    return true;
  }

  /** The latest one that is kept, as Markdown; empty where there is none. */
  public Optional<byte[]> latest(VersionId version) {
    return store.evidence(version).stream()
        .filter(each -> each.kind() == EvidenceKind.REWARD_REPORT)
        .reduce((earlier, later) -> later)
        .map(store::content);
  }
}
