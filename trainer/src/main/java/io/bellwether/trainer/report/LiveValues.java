package io.bellwether.trainer.report;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What happened to the decisions that a version has made since it was released, as the archive has
 * it: decisions whose windows have closed, each once. Immutable.
 *
 * @param since when it was released
 * @param decisions that it made since then and that may be learned from
 * @param subjects for whom
 * @param values mean per decision, by signal; empty without decisions
 */
public record LiveValues(
    Instant since, long decisions, long subjects, SortedMap<String, Mean> values) {

  private static final double LEVEL = 0.95;

  /**
   * A signal's mean per decision.
   *
   * @param standardError robust to subjects with several decisions; 0 where there is one subject
   * @param lower of the 95 % interval; equal to the mean where there is one subject
   */
  public record Mean(double mean, double standardError, double lower, double upper) {}

  public LiveValues {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /**
   * Reads an archive. Memory is a few numbers per subject.
   *
   * @param version as decisions name it
   */
  public static LiveValues of(Path archive, Surface surface, String version, Instant since) {
    List<String> signals = surface.signals().stream().map(Signal::name).toList();
    Map<String, double[]> subjects = new HashMap<>();
    long sinceMicros = ChronoUnit.MICROS.between(Instant.EPOCH, since);
    try (TransitionArchive.Transitions transitions =
        new TransitionArchive(archive).read(surface.name())) {
      while (transitions.hasNext()) {
        Transition transition = transitions.next();
        Decision decision = transition.getDecision();
        if (decision.getPolicyVersion().equals(version)
            && decision.getDecidedAtMicros() >= sinceMicros
            && decision.getLearnable()) {
          add(
              subjects.computeIfAbsent(
                  decision.getSubjectId(), subject -> new double[signals.size() + 1]),
              signals,
              transition);
        }
      }
    }
    return summed(since, signals, subjects);
  }

  /** {@code totals}: decisions, then the sum of each signal. */
  private static void add(double[] totals, List<String> signals, Transition transition) {
    totals[0]++;
    for (SignalValue value : transition.getSignals()) {
      int index = signals.indexOf(value.getSignal());
      if (index >= 0) {
        totals[index + 1] += value.getValue();
      }
    }
  }

  private static LiveValues summed(
      Instant since, List<String> signals, Map<String, double[]> subjects) {
    long decisions = 0;
    for (double[] totals : subjects.values()) {
      decisions += (long) totals[0];
    }
    SortedMap<String, Mean> values = new TreeMap<>();
    if (decisions > 0) {
      for (int i = 0; i < signals.size(); i++) {
        values.put(signals.get(i), mean(subjects, i + 1, decisions));
      }
    }
    return new LiveValues(since, decisions, subjects.size(), values);
  }

  /** SE² = C/(C−1) · Σ_c (Σ_{i∈c} (r_i − mean))² / n², with C subjects. */
  private static Mean mean(Map<String, double[]> subjects, int index, long decisions) {
    double sum = 0;
    for (double[] totals : subjects.values()) {
      sum += totals[index];
    }
    double mean = sum / decisions;
    double squares = 0;
    for (double[] totals : subjects.values()) {
      double off = totals[index] - totals[0] * mean;
      squares += off * off;
    }
    int clusters = subjects.size();
    if (clusters < 2) {
      return new Mean(mean, 0, mean, mean);
    }
    double error = Math.sqrt(squares * clusters / (clusters - 1)) / decisions;
    Interval interval = Interval.student(mean, error, clusters - 1, LEVEL);
    return new Mean(mean, error, interval.lower(), interval.upper());
  }
}
