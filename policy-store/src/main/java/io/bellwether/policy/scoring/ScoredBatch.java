package io.bellwether.policy.scoring;

/**
 * What a graph gave for a {@link ScoringBatch}: a logit and a value per signal for each candidate,
 * in the batch's order. Has memory of its own and outlives the batch.
 */
public final class ScoredBatch {

  private final int[] bounds;
  private final float[] logits;
  private final float[] values;
  private final int signals;

  ScoredBatch(int[] bounds, float[] logits, float[] values, int signals) {
    this.bounds = bounds;
    this.logits = logits;
    this.values = values;
    this.signals = signals;
  }

  /** How many requests were scored. */
  public int requests() {
    return bounds.length - 1;
  }

  /** Index of a request's first candidate. */
  public int from(int request) {
    return bounds[request];
  }

  /** One past the index of a request's last candidate. */
  public int to(int request) {
    return bounds[request + 1];
  }

  /**
   * The logits of all candidates; a request's own are at {@code [from(request)..to(request))}. Not
   * a copy: a caller that writes to it changes the result.
   */
  public float[] logits() {
    return logits;
  }

  /** The predicted value of a signal (by the index in the schema) for a candidate of the batch. */
  public float value(int candidate, int signal) {
    return values[candidate * signals + signal];
  }
}
