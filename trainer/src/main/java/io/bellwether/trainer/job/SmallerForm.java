package io.bellwether.trainer.job;

import io.bellwether.policy.scoring.DecisionDifference;
import java.util.Map;
import java.util.TreeMap;

/**
 * A smaller form of an exported graph. Immutable.
 *
 * @param file its path among the files of a version
 * @param graph serialised
 * @param metrics for the manifest: how differently it decides, and what else is known of it
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record SmallerForm(String file, byte[] graph, Map<String, Double> metrics) {

  SmallerForm {
    metrics = Map.copyOf(metrics);
  }

  /** A form whose metrics start with its name. */
  static SmallerForm of(
      String name,
      String file,
      byte[] graph,
      DecisionDifference.Measured difference,
      Map<String, Double> others) {
    Map<String, Double> metrics = new TreeMap<>(others);
    metrics.put(name + ".requests", (double) difference.requests());
    metrics.put(name + ".changedSlates", difference.changedSlates());
    metrics.put(name + ".propensityDifference", difference.propensityDifference());
    return new SmallerForm(file, graph, metrics);
  }
}
