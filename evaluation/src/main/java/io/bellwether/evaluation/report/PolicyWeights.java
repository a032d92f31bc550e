package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.util.Optional;

/**
 * The weights of the policies of a report.
 *
 * @param target by the propensities of whoever made the decision
 * @param balanced the target's by those of all logging versions, where they are known
 * @param champion the baseline's; empty where the logging policy is the baseline
 */
record PolicyWeights(
    PrefixWeights target, Optional<PrefixWeights> balanced, Optional<PrefixWeights> champion) {

  static PolicyWeights of(LoggedDecisions log) {
    return new PolicyWeights(
        log.targetWeights(),
        log.hasBalancedWeights()
            ? Optional.of(log.targetWeights(Weighting.BALANCED))
            : Optional.empty(),
        log.hasBaseline() ? Optional.of(log.baselineWeights()) : Optional.empty());
  }

  /**
   * What decides: balanced weights where they are known. Against a champion, for which they are
   * not, both policies have the same kind of weights, so that what they share cancels.
   */
  Weighting deciding() {
    return balanced.isPresent() && champion.isEmpty() ? Weighting.BALANCED : Weighting.PREFIX;
  }

  PrefixWeights of(Weighting weighting) {
    return weighting == Weighting.BALANCED ? balanced.orElse(target) : target;
  }

  PrefixWeights ofDeciding() {
    return of(deciding());
  }
}
