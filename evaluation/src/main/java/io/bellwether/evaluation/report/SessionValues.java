package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.EpisodeValue;
import io.bellwether.evaluation.offpolicy.Episodes;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import io.bellwether.evaluation.offpolicy.WeightedPerDecision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a log says about the discounted value per session, which depends on all that a policy does
 * in it: advisory, it decides nothing. Values whose weights have worn out are not stated.
 *
 * @param discount weight of the next step, in (0, 1)
 * @param sessions how many there are
 * @param cutOff how many of them did not end by themselves: what came later is not counted
 * @param effectiveSampleSizes of the target's weights by step, in sessions
 * @param values target, baseline and difference of every signal
 */
public record SessionValues(
    double discount,
    long sessions,
    long cutOff,
    List<Double> effectiveSampleSizes,
    List<SessionValue> values) {

  /** Of a surface whose decisions stand for themselves. */
  public static final SessionValues NONE = new SessionValues(0, 0, 0, List.of(), List.of());

  /** Fewer effective sessions say nothing about a step. */
  public static final double LEAST_EFFECTIVE = 100;

  /** A value is stated while no more than this share of it stands at such steps. */
  public static final double LARGEST_THIN_SHARE = 0.2;

  private static final String WORN_OUT = "FEW_EFFECTIVE_SESSIONS";

  public SessionValues {
    effectiveSampleSizes = List.copyOf(effectiveSampleSizes);
    values = List.copyOf(values);
  }

  /**
   * The values of a log.
   *
   * @param discount in (0, 1)
   * @param report on the same log: its columns are known to be valid, and where it states no value
   *     of the target for lack of support, none is stated here
   */
  public static SessionValues of(
      LoggedDecisions log, Episodes episodes, double discount, OffPolicyReport report) {
    boolean supported = report.verdict().code() != Verdict.Code.INSUFFICIENT_SUPPORT;
    WeightedPerDecision target = WeightedPerDecision.ofTarget(log, episodes, discount);
    WeightedPerDecision baseline = WeightedPerDecision.ofBaseline(log, episodes, discount);
    List<SessionValue> values = new ArrayList<>();
    for (String signal : log.signals()) {
      EpisodeValue ofTarget = target.of(signal, LEAST_EFFECTIVE);
      EpisodeValue ofBaseline = baseline.of(signal, LEAST_EFFECTIVE);
      EpisodeValue difference =
          new EpisodeValue(
              ofTarget.influence().combine(1, ofBaseline.influence(), -1, 0),
              Math.max(ofTarget.thinShare(), ofBaseline.thinShare()));
      boolean hasBaseline = supported || !log.hasBaseline();
      values.add(value("target", signal, ofTarget, target.units(), supported));
      values.add(value("baseline", signal, ofBaseline, target.units(), hasBaseline));
      values.add(value("difference", signal, difference, target.units(), supported));
    }
    return new SessionValues(
        discount,
        episodes.count(),
        episodes.cutOff(),
        Arrays.stream(target.effectiveSampleSizes()).boxed().toList(),
        values);
  }

  private static SessionValue value(
      String policy, String signal, EpisodeValue value, UnitIndex units, boolean supported) {
    Estimate estimate =
        !supported
            ? new Estimate.Refused(Verdict.Code.INSUFFICIENT_SUPPORT.name())
            : value.thinShare() > LARGEST_THIN_SHARE
                ? new Estimate.Refused(WORN_OUT)
                : value.influence().estimate(units);
    return new SessionValue(policy, signal, estimate, bounds(estimate), value.thinShare());
  }

  private static Bounds bounds(Estimate estimate) {
    if (estimate instanceof Estimate.Estimated known) {
      return new Bounds.Within(Estimation.readingInterval(known));
    }
    return new Bounds.Absent(Estimation.reason(estimate));
  }

  /** The first step, from 0 on, that too few effective sessions speak for; -1 where none is. */
  public int wornOutFrom() {
    for (int step = 0; step < effectiveSampleSizes.size(); step++) {
      if (effectiveSampleSizes.get(step) < LEAST_EFFECTIVE) {
        return step;
      }
    }
    return -1;
  }
}
