package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.ClopperPearson;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bounds of a single policy's value for logs and signals where no normal limit can be relied on:
 * {@link AnytimeBounds} for weighted values, Clopper and Pearson or Student for the logging
 * policy's own mean. Each side misses with probability at most alpha. Confined to one thread.
 */
final class SafeBounds {
  private final Estimation estimation;
  private final LoggedDecisions log;
  private final Map<Question, Bounds> answers = new HashMap<>();

  /** Several estimators ask the same. */
  private record Question(DecisionColumns columns, String signal, double alpha) {}

  SafeBounds(Estimation estimation, LoggedDecisions log) {
    this.estimation = estimation;
    this.log = log;
  }

  Bounds ofTarget(String signal, double alpha) {
    return ofTarget(signal, estimation.weights().deciding(), alpha);
  }

  Bounds ofTarget(String signal, Weighting weighting, double alpha) {
    return anytime(new Question(estimation.target(signal, weighting), signal, alpha));
  }

  /** Of the champion, or of the logging policy where there is none. */
  Bounds ofBaseline(String signal, double alpha) {
    return log.hasBaseline()
        ? anytime(new Question(estimation.champion(signal), signal, alpha))
        : ofLogging(signal, alpha);
  }

  /**
   * Clopper and Pearson assume independent decisions: where units repeat, the wider of their
   * interval and the cluster-robust one.
   */
  Bounds ofLogging(String signal, double alpha) {
    Optional<Influence> mean = estimation.logging(signal);
    if (mean.isEmpty()
        || !(mean.get().estimate(estimation.units()) instanceof Estimate.Estimated known)) {
      return new Bounds.Absent("N_LT_2");
    }
    Interval student =
        Interval.student(known.value(), known.standardError(), known.units() - 1.0, 1 - 2 * alpha);
    RewardSummary rewards = estimation.rewards(signal);
    if (log.positions() > 1 || !rewards.flags()) {
      return estimation.isSparse(signal)
          ? new Bounds.Absent(estimation.sparseness(signal))
          : new Bounds.Within(student);
    }
    Interval exact =
        new ClopperPearson(Math.round(rewards.sum()), rewards.rows()).interval(1 - 2 * alpha);
    if (!estimation.units().repeats()) {
      return new Bounds.Within(exact);
    }
    return new Bounds.Within(wider(exact, student));
  }

  private Bounds anytime(Question question) {
    Bounds known = answers.get(question);
    if (known == null) {
      known = compute(question);
      answers.put(question, known);
    }
    return known;
  }

  private Bounds compute(Question question) {
    Range range = estimation.plan().ranges().get(question.signal);
    if (range == null) {
      return new Bounds.Absent("RANGE_NOT_DECLARED");
    }
    if (estimation.found(Finding.Code.REWARD_OUT_OF_RANGE, question.signal)) {
      return new Bounds.Absent("REWARD_OUT_OF_RANGE");
    }
    Interval interval =
        new AnytimeBounds(question.columns, range, haveOneLength())
            .interval(1 - 2 * question.alpha);
    return new Bounds.Within(
        estimation.units().repeats() ? widened(interval, question.columns) : interval);
  }

  /**
   * The sequence takes decisions as independent. Where units repeat it is joined with the
   * cluster-robust interval, whose miss probability is that of a normal limit.
   */
  private Interval widened(Interval interval, DecisionColumns columns) {
    return estimation
        .influences(List.of(new Ips()), columns)
        .get(0)
        .map(influence -> influence.estimate(estimation.units()))
        .filter(Estimate.Estimated.class::isInstance)
        .map(Estimate.Estimated.class::cast)
        .map(
            known ->
                wider(
                    interval,
                    Interval.student(
                        known.value(),
                        known.standardError(),
                        known.units() - 1.0,
                        interval.level())))
        .orElse(interval);
  }

  private static Interval wider(Interval one, Interval other) {
    return new Interval(
        one.method(),
        one.level(),
        Math.min(one.lower(), other.lower()),
        Math.max(one.upper(), other.upper()));
  }

  /** Whether all decisions fill all positions. */
  boolean haveOneLength() {
    return log.rows() == (long) log.decisions() * log.positions();
  }
}
