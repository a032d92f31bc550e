package io.bellwether.evaluation.report;

import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An estimator with the weights that it is given.
 *
 * @param name for reports; {@code balanced-} stands before the estimator's own where weights are
 *     balanced
 */
record Shown(
    String name, Estimator estimator, Weighting weighting, SortedMap<String, String> parameters) {
  private static final String BALANCED = "balanced-";

  Shown {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  static Shown of(Estimator estimator, Weighting weighting) {
    return new Shown(
        weighting == Weighting.BALANCED ? BALANCED + estimator.name() : estimator.name(),
        estimator,
        weighting,
        new TreeMap<>());
  }

  Shown with(String parameter, String value) {
    SortedMap<String, String> more = new TreeMap<>(parameters);
    more.put(parameter, value);
    return new Shown(name, estimator, weighting, more);
  }

  /** The direct method looks at no weight. */
  boolean isWeighted() {
    return !estimator.name().equals("dm");
  }
}
