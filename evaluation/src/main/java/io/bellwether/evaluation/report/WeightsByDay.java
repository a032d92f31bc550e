package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PrefixWeights;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of whole decisions by day and version of the logging policy.
 *
 * @param weights of the target
 */
record WeightsByDay(LoggedDecisions log, PrefixWeights weights) {

  /** Ten years; a longer log is not told apart by day. */
  private static final long MOST_DAYS = 3_653;

  private static final long MICROS_A_DAY = 86_400_000_000L;

  /** Count, Σw and Σw² of a cell. */
  private static final int CELL = 3;

  /** Days without a decision are left out; empty where times are unknown. */
  List<DailyWeights> all() {
    if (!log.hasTimes() || log.decisions() == 0) {
      return List.of();
    }
    long firstDay = Long.MAX_VALUE;
    long lastDay = Long.MIN_VALUE;
    for (int decision = 0; decision < log.decisions(); decision++) {
      long day = dayOf(decision);
      firstDay = Math.min(firstDay, day);
      lastDay = Math.max(lastDay, day);
    }
    long days = lastDay - firstDay + 1;
    List<String> loggers = log.loggers().isEmpty() ? List.of("") : log.loggers();
    if (days > MOST_DAYS || days * loggers.size() > 10 * MOST_DAYS) {
      return List.of();
    }
    double[] cells = new double[(int) days * loggers.size() * CELL];
    for (int decision = 0; decision < log.decisions(); decision++) {
      int logger = log.loggers().isEmpty() ? 0 : log.logger(decision);
      long day = dayOf(decision) - firstDay;
      int cell = (int) (logger * days + day) * CELL;
      double weight = weights.at(decision, log.positions() - 1);
      cells[cell]++;
      cells[cell + 1] += weight;
      cells[cell + 2] += weight * weight;
    }
    List<DailyWeights> daily = new ArrayList<>();
    for (int cell = 0; cell < cells.length; cell += CELL) {
      if (cells[cell] > 0) {
        long day = firstDay + cell / CELL % days;
        daily.add(day(loggers.get((int) (cell / CELL / days)), day, cells, cell));
      }
    }
    return daily;
  }

  private long dayOf(int decision) {
    return Math.floorDiv(log.timeMicros(decision), MICROS_A_DAY);
  }

  private static DailyWeights day(String logger, long day, double[] cells, int cell) {
    double count = cells[cell];
    double mean = cells[cell + 1] / count;
    double squares = cells[cell + 2];
    return new DailyWeights(
        logger,
        Instant.EPOCH.plus(day, ChronoUnit.DAYS).atZone(ZoneOffset.UTC).toLocalDate().toString(),
        (long) count,
        mean,
        count < 2
            ? new Bounds.Absent("N_LT_2")
            : new Bounds.Within(
                Interval.normal(
                    mean,
                    Math.sqrt(Math.max(0, squares / count - mean * mean) / (count - 1)),
                    Estimation.READING_LEVEL)),
        squares > 0 ? cells[cell + 1] * cells[cell + 1] / squares : 0);
  }
}
