package io.bellwether.ingestion.monitoring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;

/**
 * The few of Flink's metrics that tell an operator something, over all subtasks, in Prometheus'
 * text format. What was counted by a subtask that is gone stays counted. Thread-safe.
 */
final class ScrapePage {

  /** Flink's counters, each the total of its subtasks, and our names for them. */
  private static final Map<String, String> COUNTERS =
      Map.of(
          "lateEvents", "bellwether_streams_late_events_total",
          "duplicateEvents", "bellwether_streams_duplicate_events_total",
          "restatedTransitions", "bellwether_streams_restated_transitions_total",
          "deadLetters", "bellwether_streams_dead_letters_total");

  /** Flink's gauges of the job. */
  private static final Map<String, String> GAUGES =
      Map.of(
          "lastCheckpointFullSize", "bellwether_streams_state_bytes",
          "lastCheckpointDuration", "bellwether_streams_checkpoint_milliseconds",
          "numberOfCompletedCheckpoints", "bellwether_streams_checkpoints_completed",
          "numberOfFailedCheckpoints", "bellwether_streams_checkpoints_failed",
          "numRestarts", "bellwether_streams_restarts");

  private static final String WATERMARK = "currentInputWatermark";
  private static final String JOIN = "attribute outcomes";

  private static final Map<String, String> HELP =
      Map.of(
          "bellwether_streams_late_events_total",
          "Events that came after event time had passed them; they restate, nothing is lost",
          "bellwether_streams_duplicate_events_total",
          "Events that were known already",
          "bellwether_streams_restated_transitions_total",
          "Transitions written again because something came late",
          "bellwether_streams_dead_letters_total",
          "Records that were refused, by reason",
          "bellwether_streams_state_bytes",
          "State of the newest checkpoint",
          "bellwether_streams_watermark_seconds",
          "Event time of the join, seconds since the epoch",
          "bellwether_streams_event_time_lag_seconds",
          "How far event time is behind the clock",
          "bellwether_streams_lag_records",
          "Committed records that were not read yet",
          "bellwether_streams_blocked_by_open_transaction_records",
          "Records that nobody can read before an open transaction ends");

  private final Map<Metric, String> counted = new HashMap<>();
  private final Map<Metric, String> shown = new HashMap<>();
  private final Map<Metric, Boolean> watermarks = new HashMap<>();
  private final Map<String, Double> gone = new TreeMap<>();

  /**
   * Takes in a metric, where it is one of those.
   *
   * @param variables as Flink names them, for instance {@code <operator_name>}
   */
  synchronized void add(Metric metric, String name, Map<String, String> variables) {
    String counter = COUNTERS.get(name);
    String gauge = GAUGES.get(name);
    if (counter != null && metric instanceof Counter) {
      String reason = variables.get("<reason>");
      counted.put(metric, reason == null ? counter : counter + "{reason=\"" + reason + "\"}");
    } else if (gauge != null && metric instanceof Gauge) {
      shown.put(metric, gauge);
    } else if (name.equals(WATERMARK) && JOIN.equals(variables.get("<operator_name>"))) {
      watermarks.put(metric, true);
    }
  }

  synchronized void remove(Metric metric) {
    String counter = counted.remove(metric);
    if (counter != null) {
      gone.merge(counter, (double) ((Counter) metric).getCount(), Double::sum);
    }
    shown.remove(metric);
    watermarks.remove(metric);
  }

  /**
   * The page.
   *
   * @param lags as measured; empty where they could not be
   */
  synchronized String text(long nowMillis, List<TopicLag> lags) {
    Map<String, Double> lines = new TreeMap<>(gone);
    COUNTERS.values().stream()
        .filter(name -> !name.endsWith("dead_letters_total"))
        .forEach(name -> lines.putIfAbsent(name, 0.0));
    counted.forEach(
        (metric, name) -> lines.merge(name, (double) ((Counter) metric).getCount(), Double::sum));
    shown.forEach(
        (metric, name) -> number(metric).ifPresent(value -> lines.merge(name, value, Math::max)));
    DoubleBinaryOperator least = Math::min;
    watermarks.keySet().stream()
        .flatMapToDouble(metric -> number(metric).stream())
        .reduce(least)
        .ifPresent(
            millis -> {
              // Before the first event, Flink's watermark is the beginning of time.
              if (millis > 0) {
                lines.put("bellwether_streams_watermark_seconds", millis / 1000);
                lines.put("bellwether_streams_event_time_lag_seconds", (nowMillis - millis) / 1000);
              }
            });
    for (TopicLag lag : lags) {
      String topic = "{topic=\"" + lag.topic() + "\"}";
      lines.put("bellwether_streams_lag_records" + topic, (double) lag.records());
      lines.put(
          "bellwether_streams_blocked_by_open_transaction_records" + topic, (double) lag.blocked());
    }
    return page(lines);
  }

  private static String page(Map<String, Double> lines) {
    StringBuilder page = new StringBuilder();
    String before = "";
    for (Map.Entry<String, Double> line : lines.entrySet()) {
      int labels = line.getKey().indexOf('{');
      String name = labels < 0 ? line.getKey() : line.getKey().substring(0, labels);
      if (!name.equals(before)) {
        String help = HELP.get(name);
        if (help != null) {
          page.append("# HELP ").append(name).append(' ').append(help).append('\n');
        }
        String type = name.endsWith("_total") ? "counter" : "gauge";
        page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        before = name;
      }
      double value = line.getValue();
      page.append(line.getKey()).append(' ');
      if (value == Math.rint(value)) {
        page.append((long) value);
      } else {
        page.append(value);
      }
      page.append('\n');
    }
    return page.toString();
  }

  private static OptionalDouble number(Metric metric) {
    return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }
}
