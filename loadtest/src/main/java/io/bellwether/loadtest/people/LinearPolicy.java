package io.bellwether.loadtest.people;

/**
 * A product's hand-written ranking: a weighted sum of five visible features, made a distribution by
 * a temperature and a uniform share. Immutable and thread-safe.
 *
 * <p>Source of the named policies and their values: specification of {@code ShortVideoSim-v1},
 * "Ground truth".
 *
 * @param weights of taste match, quality, bait, logarithm of duration, and sameness
 * @param temperature of the softmax; 0 puts everything on the first maximum
 * @param uniformShare share of the decisions that are made uniformly, 0 to 1
 */
public record LinearPolicy(
    Catalogue catalogue, Weights weights, double temperature, double uniformShare)
    implements SimulatedPolicy {

  /**
   * Weights of the score {@code taste·topic, quality, bait, log duration, max(0, topic
   * memory·topic)}, all of visible values.
   */
  public record Weights(
      double match, double quality, double bait, double logDuration, double sameness) {}

  public LinearPolicy {
    if (!(temperature >= 0) || !(uniformShare >= 0 && uniformShare <= 1)) {
      throw new IllegalArgumentException(
          "A temperature is at least 0 and a uniform share from 0 to 1; found "
              + temperature
              + " and "
              + uniformShare);
    }
  }

  /** Every candidate alike. */
  public static LinearPolicy uniform(Catalogue catalogue) {
    return new LinearPolicy(catalogue, new Weights(0, 0, 0, 0, 0), 1, 1);
  }

  /** The logging policy L0: taste and quality, softly explored. */
  public static LinearPolicy logging(Catalogue catalogue) {
    return new LinearPolicy(catalogue, new Weights(1.4, 0.5, 0, 0, 0), 0.35, 0.1);
  }

  /** Shows the video with the best score. */
  public static LinearPolicy greedy(Catalogue catalogue, Weights weights) {
    return new LinearPolicy(catalogue, weights, 0, 0);
  }

  /** C*: the best known of its kind that keeps every promise of the benchmark. */
  public static LinearPolicy constrainedReference(Catalogue catalogue) {
    return greedy(catalogue, new Weights(1.50, 0.71, -0.89, 1.21, -0.27));
  }

  @Override
  public void fill(DecisionBatch batch, double[] probabilities) {
    for (int row = 0; row < batch.rows(); row++) {
      int from = batch.offset(row);
      int to = batch.offset(row + 1);
      for (int place = from; place < to; place++) {
        probabilities[place] = score(batch.state(row), batch.item(place));
      }
      if (temperature == 0) {
        keepFirstMaximum(probabilities, from, to);
      } else {
        softmax(probabilities, from, to);
      }
      for (int place = from; place < to; place++) {
        probabilities[place] =
            (1 - uniformShare) * probabilities[place] + uniformShare / (to - from);
      }
    }
  }

  /** The score of one video in one state; no unit. */
  public double score(VisibleState state, int item) {
    double[] topic = catalogue.rawTopic(item);
    return weights.match() * state.tasteFor(topic)
        + weights.quality() * catalogue.visibleQuality(item)
        + weights.bait() * catalogue.visibleBait(item)
        + weights.logDuration() * catalogue.logDuration(item)
        + weights.sameness() * Math.max(0, state.memoryOf(topic));
  }

  private static void keepFirstMaximum(double[] scores, int from, int to) {
    int best = from;
    for (int place = from + 1; place < to; place++) {
      if (scores[place] > scores[best]) {
        best = place;
      }
    }
    for (int place = from; place < to; place++) {
      scores[place] = place == best ? 1 : 0;
    }
  }

  private void softmax(double[] scores, int from, int to) {
    double max = Double.NEGATIVE_INFINITY;
    for (int place = from; place < to; place++) {
      max = Math.max(max, scores[place]);
    }
    double sum = 0;
    for (int place = from; place < to; place++) {
      scores[place] = StrictMath.exp((scores[place] - max) / temperature);
      sum += scores[place];
    }
    for (int place = from; place < to; place++) {
      scores[place] /= sum;
    }
  }
}
