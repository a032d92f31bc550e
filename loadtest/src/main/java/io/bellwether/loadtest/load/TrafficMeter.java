package io.bellwether.loadtest.load;

import io.bellwether.loadtest.load.TrafficReport.Latency;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts one run. Thread-safe; a report made while threads still count may be a moment behind. */
final class TrafficMeter {
  private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(10);

  private final long startNanos = System.nanoTime();
  private final LongAdder sessions = new LongAdder();
  private final LongAdder decisions = new LongAdder();
  private final LongAdder outcomes = new LongAdder();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final DoubleAdder watchSeconds = new DoubleAdder();
  private final ConcurrentMap<String, LongAdder> outcomesBySignal = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, LongAdder> decisionsByVersion = new ConcurrentHashMap<>();
  private final Histogram decisionMicros = new ConcurrentHistogram(LONGEST_MICROS, 3);
  private final Histogram outcomeMicros = new ConcurrentHistogram(LONGEST_MICROS, 3);

  void sessionFinished() {
    sessions.increment();
  }

  void decisionAnswered(Shown shown, Answer answer) {
    decisions.increment();
    count(decisionsByVersion, shown.policyVersion());
    if (shown.degraded()) {
      degraded.increment();
    }
    if (answer.replayed()) {
      replayed.increment();
    }
    record(decisionMicros, answer.nanos());
  }

  void watched(double seconds) {
    watchSeconds.add(seconds);
  }

  void outcomeAccepted(String signal) {
    outcomes.increment();
    count(outcomesBySignal, signal);
  }

  void duplicateAccepted() {
    duplicates.increment();
  }

  void outcomesAnswered(Answer answer) {
    record(outcomeMicros, answer.nanos());
  }

  void retried() {
    retries.increment();
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  TrafficReport report(long outcomesPending) {
    return new TrafficReport(
        sessions.sum(),
        decisions.sum(),
        outcomes.sum(),
        outcomesPending,
        sums(outcomesBySignal),
        sums(decisionsByVersion),
        degraded.sum(),
        replayed.sum(),
        duplicates.sum(),
        retries.sum(),
        watchSeconds.sum(),
        latency(decisionMicros),
        latency(outcomeMicros),
        elapsed());
  }

  private static void count(ConcurrentMap<String, LongAdder> counts, String key) {
    counts.computeIfAbsent(key, k -> new LongAdder()).increment();
  }

  private static Map<String, Long> sums(ConcurrentMap<String, LongAdder> counts) {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((key, adder) -> sums.put(key, adder.sum()));
    return sums;
  }

  private static void record(Histogram histogram, long nanos) {
    histogram.recordValue(Math.min(LONGEST_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos)));
  }

  private static Latency latency(Histogram micros) {
    return new Latency(
        micros.getTotalCount(),
        micros.getValueAtPercentile(50) / 1e3,
        micros.getValueAtPercentile(99) / 1e3,
        micros.getMaxValue() / 1e3);
  }
}
