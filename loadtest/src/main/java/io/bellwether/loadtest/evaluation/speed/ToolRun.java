package io.bellwether.loadtest.evaluation.speed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one process measured of itself.
 *
 * @param seconds from files to intervals, without the start of the process
 * @param peakMemoryGib 0 where it is not known
 * @param estimates by estimator
 */
public record ToolRun(double seconds, double peakMemoryGib, Map<String, Value> estimates) {

  /** A value with its 95 % percentile interval. */
  public record Value(double value, double lower, double upper) {}

  static ToolRun of(JsonNode result) {
    Map<String, Value> estimates = new TreeMap<>();
    result
        .get("estimates")
        .properties()
        .forEach(
            each ->
                estimates.put(
                    each.getKey(),
                    new Value(
                        each.getValue().get("value").doubleValue(),
                        each.getValue().get("lower").doubleValue(),
                        each.getValue().get("upper").doubleValue())));
    return new ToolRun(
        result.get("seconds").doubleValue(), result.path("peakMemoryGib").asDouble(0), estimates);
  }

  /** The largest difference of a value, relative to it; infinite where the estimators differ. */
  double largestDifference(ToolRun other) {
    if (!estimates.keySet().equals(other.estimates.keySet())) {
      return Double.POSITIVE_INFINITY;
    }
    double largest = 0;
    for (Map.Entry<String, Value> each : estimates.entrySet()) {
      double theirs = other.value(each.getKey());
      largest = Math.max(largest, Math.abs(each.getValue().value() - theirs) / Math.abs(theirs));
    }
    return largest;
  }

  private double value(String estimator) {
    Value value = estimates.get(estimator);
    if (value == null) {
      throw new IllegalArgumentException("no estimate " + estimator);
    }
    return value.value();
  }
}
