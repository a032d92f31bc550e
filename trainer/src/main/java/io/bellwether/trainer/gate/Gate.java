package io.bellwether.trainer.gate;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.Subjects;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a trained version and its subjects: judges a version against the champion,
 * keeps report and verdict with it, and moves aliases. The store refuses what has not passed.
 */
public final class Gate {

  private final PolicyStore store;
  private final OfflineEvaluation evaluation;
  private final Filing filing;
  private final String who;

  /**
   * @param store that holds versions, evidence and aliases
   * @param evaluation that judges
   * @param filing keeps what it judged with the version
   * @param who is written to moves
   */
  public Gate(PolicyStore store, OfflineEvaluation evaluation, Filing filing, String who) {
    this.store = store;
    this.evaluation = evaluation;
    this.filing = filing;
    this.who = who;
  }

  /**
   * Evaluates a version on subjects that neither it nor the champion learned from, whichever the
   * request names, against the champion where there is another one, and files report and verdict.
   */
  public EvaluationRecord judge(VersionId version, EvaluationRequest request) throws IOException {
    Optional<VersionId> champion =
        store.alias(request.surface().name(), Alias.CHAMPION).filter(id -> !id.equals(version));
    Subjects subjects = Subjects.notSeenBy(store.manifest(version));
    if (champion.isPresent()) {
      subjects = subjects.and(Subjects.notSeenBy(store.manifest(champion.get())));
    }
    EvaluationRecord record = evaluate(version, champion, request.withSubjects(subjects));
    filing.keepVerdict(version, record);
    return record;
  }

  private EvaluationRecord evaluate(
      VersionId version, Optional<VersionId> champion, EvaluationRequest request)
      throws IOException {
    LoggingPolicies loggers = new StoredLoggers(store, request.surface());
    try (TargetPolicy target = ScoredTarget.open(store, version, request.surface())) {
      if (champion.isEmpty()) {
        return evaluation.evaluate(request, target, null, loggers);
      }
      try (TargetPolicy baseline = ScoredTarget.open(store, champion.get(), request.surface())) {
        return evaluation.evaluate(request, target, baseline, loggers);
      }
    }
  }

  /**
   * Makes a version the challenger if its latest verdict is {@code pass} and needs nobody's
   * approval any more; empty where it is not.
   */
  public Optional<AliasMove> propose(VersionId version) {
    if (store.verdict(version).filter(GateVerdict.PASS::equals).isEmpty()
        || store.awaitsApproval(version)) {
      return Optional.empty();
    }
    return Optional.of(promote(version, Alias.CHALLENGER, "passed the offline gate", null));
  }

  /**
   * Points an alias to a version. Where it points there already, nothing moves. A challenger that
   * becomes the champion is no challenger any more.
   *
   * @param override the reason to do so without a verdict {@code pass}; absent where the verdict is
   *     to decide
   * @return the alias's latest move
   * @throws io.bellwether.policy.version.PromotionRefusedException where there is neither a {@code
   *     pass} nor an override
   */
  public AliasMove promote(VersionId version, Alias alias, String why, @Nullable String override) {
    String name = store.version(version).name();
    Optional<AliasMove> latest = store.latestMove(name, alias);
    VersionId expected = latest.flatMap(AliasMove::version).orElse(null);
    if (latest.isPresent() && version.equals(expected)) {
      return latest.get();
    }
    AliasMove move =
        store.move(new MoveRequest(name, alias, expected, version, who, why, override));
    if (alias == Alias.CHAMPION
        && store.alias(name, Alias.CHALLENGER).equals(Optional.of(version))) {
      store.move(
          new MoveRequest(name, Alias.CHALLENGER, version, null, who, "became the champion", null));
    }
    return move;
  }
}
