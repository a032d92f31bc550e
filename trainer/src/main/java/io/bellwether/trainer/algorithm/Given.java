package io.bellwether.trainer.algorithm;

import java.util.HashMap;
import java.util.Map;

/**
 * What one stage of an algorithm is given by the stages before it. Immutable; arrays are shared.
 *
 * @param candidates values per candidate of the data, by name: {@link StepGraph#perCandidate}
 * @param rows values per row of the data, by name: {@link StepGraph#perRow}
 * @param weights first weights of parameter vectors, by name
 */
public record Given(
    Map<String, float[]> candidates, Map<String, float[]> rows, Map<String, float[]> weights) {

  /** Nothing. */
  public static final Given NONE = new Given(Map.of(), Map.of(), Map.of());

  public Given {
    candidates = Map.copyOf(candidates);
    rows = Map.copyOf(rows);
    weights = Map.copyOf(weights);
  }

  public Given withCandidates(String name, float[] values) {
    return new Given(with(candidates, name, values), rows, weights);
  }

  public Given withRows(String name, float[] values) {
    return new Given(candidates, with(rows, name, values), weights);
  }

  public Given withWeights(String name, float[] values) {
    return new Given(candidates, rows, with(weights, name, values));
  }

  private static Map<String, float[]> with(
      Map<String, float[]> known, String name, float[] values) {
    Map<String, float[]> all = new HashMap<>(known);
    all.put(name, values);
    return all;
  }
}
