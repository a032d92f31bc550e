package io.bellwether.serving.fallback;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Popularity as a distribution over one request's candidates. */
final class Popular {

  private Popular() {}

  /**
   * The logarithm of each candidate's popularity plus the mean of all, so that a softmax gives
   * chances in proportion: whoever is unknown has half of what the average has, and the unit of
   * popularity does not matter. Empty where none has a popularity above 0.
   *
   * @param popularity of an item, in any unit; what is not above 0 counts as 0
   */
  static Optional<float[]> logits(List<String> candidateIds, ToDoubleFunction<String> popularity) {
    int count = candidateIds.size();
    double[] known = new double[count];
    double greatest = 0;
    for (int i = 0; i < count; i++) {
      double value = popularity.applyAsDouble(candidateIds.get(i));
      known[i] = value > 0 && Double.isFinite(value) ? value : 0;
      greatest = Math.max(greatest, known[i]);
    }
    if (greatest == 0) {
      return Optional.empty();
    }
    double mean = 0;
    for (double value : known) {
      mean += value / greatest / count;
    }
    float[] logits = new float[count];
    for (int i = 0; i < count; i++) {
      logits[i] = (float) Math.log(known[i] / greatest + mean);
    }
    return Optional.of(logits);
  }
}
