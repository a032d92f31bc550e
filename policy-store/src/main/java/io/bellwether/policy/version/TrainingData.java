package io.bellwether.policy.version;

import java.time.Instant;

/**
 * What a policy was trained on. Immutable.
 *
 * @param source where the rows came from, in words: a folder, or a topic with its offsets
 * @param from event time of the earliest decision, inclusive
 * @param to event time of the latest decision, inclusive
 * @param rows how many transitions
 * @param digest SHA-256 over the rows in their order; names exactly this data
 */
public record TrainingData(String source, Instant from, Instant to, long rows, String digest) {

  public TrainingData {
    if (to.isBefore(from)) {
      throw new IllegalArgumentException("data from " + from + " to " + to + " ends early");
    }
    if (rows < 0) {
      throw new IllegalArgumentException("data of " + rows + " rows");
    }
  }
}
