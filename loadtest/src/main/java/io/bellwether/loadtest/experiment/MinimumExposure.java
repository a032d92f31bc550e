package io.bellwether.loadtest.experiment;

import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.PolicyValue;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.TrueValue;
import java.util.Locale;
import java.util.Map;

/**
 * The fewest decisions of a harmful policy after which it can be known for one. Immutable.
 *
 * <p>Of all sequential tests that raise a false alarm with a chance of at most alpha, none stops
 * sooner on average than {@code ln(1/alpha)} over the information of one decision: {@code (d - h)²
 * / 2 σ²} where the treatment's metric lies {@code d} below the control's, {@code h} of it is
 * harmless, the control is known exactly, and σ is the standard deviation of a decision's value.
 *
 * <p>Source: Wald, "Sequential Tests of Statistical Hypotheses", 1945 (lower bound of the average
 * sample number).
 */
final class MinimumExposure {
  private static final int SESSIONS = 4_000;
  private static final int BATCH = 250;

  private final PolicyValue champion;
  private final TrueValue truth;
  private final ShortVideoWorld world;

  /** Measures the product's own ranking, which is the champion, in the simulated world. */
  MinimumExposure(ShortVideoWorld world) throws InterruptedException {
    this.world = world;
    truth = new TrueValue(world, Runtime.getRuntime().availableProcessors(), BATCH);
    champion = truth.of(LinearPolicy.logging(world.catalogue()), 0, SESSIONS, 1);
  }

  /** In decisions; 0 for what does no harm. */
  double of(PlantedPolicy policy) throws InterruptedException {
    if (policy.isGood()) {
      return 0;
    }
    if (policy.fault() != PlantedPolicy.Fault.NONE) {
      return LivePlan.HEALTH_EXPOSURES;
    }
    PolicyValue harmful = truth.of(policy.ranking(world.catalogue()), 0, SESSIONS, 1);
    double fewest = Double.POSITIVE_INFINITY;
    for (Map.Entry<String, Double> guarded : LivePlan.MARGINS.entrySet()) {
      Signal signal = Signal.valueOf(guarded.getKey().toUpperCase(Locale.ROOT));
      fewest = Math.min(fewest, units(harmful, signal, guarded.getValue()));
    }
    return fewest;
  }

  private double units(PolicyValue harmful, Signal signal, double margin) {
    double control = champion.perDecision(signal).mean();
    Estimate treatment = harmful.perDecision(signal);
    double beyond = control * (1 - margin) - treatment.mean();
    if (beyond <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    // Of a decision, as if those of one session were independent.
    double variance = treatment.standardError() * treatment.standardError() * harmful.decisions();
    if (signal.isFlag()) {
      // True values count chances; what people see are zeros and ones.
      variance += treatment.mean() * (1 - treatment.mean());
    }
    double alpha = LivePlan.ALPHA / LivePlan.MARGINS.size();
    return 2 * variance * Math.log(1 / alpha) / (beyond * beyond);
  }
}
