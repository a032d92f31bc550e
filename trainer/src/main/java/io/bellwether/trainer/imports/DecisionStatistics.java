package io.bellwether.trainer.imports;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;

/** What the transitions of an import come to. Mutable and confined to one thread. */
final class DecisionStatistics {

  /** As the evaluation's warning has it. */
  private static final double TINY = 1e-6;

  private static final int INVERSE = 0;
  private static final int INVERSE_SQUARES = 1;
  private static final int CANDIDATES = 2;
  private static final int SIZE = 3;

  private final boolean linked;
  private final CompensatedSums sums = new CompensatedSums(SIZE);
  private final TreeMap<String, Long> kinds = new TreeMap<>();
  private final TreeMap<String, Long> signals = new TreeMap<>();
  private long decisions;
  private long withPropensity;
  private long sessions;
  private long notLearnable;
  private long outcomes;
  private long outsideWindow;
  private long tiny;
  private double minPropensity = 1;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /**
   * @param linked whether the transitions know their place in a session
   */
  DecisionStatistics(boolean linked) {
    this.linked = linked;
  }

  void add(Transition transition) {
    Decision decision = transition.getDecision();
    decisions++;
    kinds.merge(decision.getPropensityKind(), 1L, Long::sum);
    sessions += linked && transition.getStep() == 0 ? 1 : 0;
    notLearnable += decision.getLearnable() ? 0 : 1;
    outcomes += transition.getOutcomeCount();
    outsideWindow += transition.getOutsideWindow();
    transition.getSignals().forEach(value -> signals.merge(value.getSignal(), 1L, Long::sum));
    first = Math.min(first, decision.getDecidedAtMicros());
    last = Math.max(last, decision.getDecidedAtMicros());
    if (!decision.getPropensityKind().equals("NONE")) {
      addPropensities(decision);
    }
  }

  private void addPropensities(Decision decision) {
    withPropensity++;
    for (int position = 0; position < decision.getSlate().size(); position++) {
      double propensity = decision.getSlate().get(position).getPropensity();
      minPropensity = Math.min(minPropensity, propensity);
      tiny += propensity <= TINY ? 1 : 0;
    }
    double inverse = 1 / decision.getSlate().get(0).getPropensity();
    sums.add(INVERSE, inverse);
    sums.add(INVERSE_SQUARES, inverse * inverse);
    sums.add(CANDIDATES, decision.getCandidateIds().size());
  }

  long decisions() {
    return decisions;
  }

  ImportSummary.Decisions summary() {
    return new ImportSummary.Decisions(
        decisions,
        sessions,
        notLearnable,
        outcomes,
        outsideWindow,
        signals,
        kinds,
        micros(first),
        micros(last));
  }

  /** What the propensities come to; only where there are some. */
  ImportSummary.Propensities propensities(ReadTally tally) {
    double n = Math.max(1, withPropensity);
    double mean = sums.get(INVERSE) / n;
    double variance = Math.max(0, sums.get(INVERSE_SQUARES) / n - mean * mean);
    return new ImportSummary.Propensities(
        withPropensity,
        withPropensity == 0 ? 0 : minPropensity,
        tiny,
        tally.propensitiesNotPositive,
        tally.propensitiesAboveOne,
        mean,
        Math.sqrt(variance / n),
        sums.get(CANDIDATES) / n);
  }

  private static Instant micros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
