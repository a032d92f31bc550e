package io.bellwether.policy.scoring;

import java.util.Arrays;

/**
 * How differently two graphs decide for the same requests under the same seeds: whether a smaller
 * form of a graph may stand in for it. Call {@link #add} once per request, then {@link #measured}.
 *
 * <p>Slates and chances come from {@link SlateSampler} and {@link MixedWeights}, as in serving, so
 * that what is compared is decisions and not logits. Owns neither scorer. Confined to one thread.
 */
public final class DecisionDifference {

  private final Scorer reference;
  private final Scorer other;
  private final Exploration exploration;
  private final int slateSize;
  private final ScoringBatch batch;
  private final MixedWeights first = new MixedWeights();
  private final MixedWeights second = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();
  private int requests;
  private int changed;
  private double largest;

  /**
   * What was measured.
   *
   * @param requests that were compared
   * @param changedSlates share of them whose slates differ under one seed, in [0, 1]
   * @param propensityDifference largest difference of a candidate's chance: at the first position,
   *     or at any position of the first graph's slate
   */
  public record Measured(int requests, double changedSlates, double propensityDifference) {

    /** Whether both figures are within these bounds; without a request nothing is. */
    public boolean within(double changedSlates, double propensityDifference) {
      return requests > 0
          && this.changedSlates <= changedSlates
          && this.propensityDifference <= propensityDifference;
    }
  }

  /**
   * @param reference the graph as it was trained
   * @param other takes the same schema
   */
  public DecisionDifference(
      Scorer reference, Scorer other, Exploration exploration, int slateSize) {
    this.reference = reference;
    this.other = other;
    this.exploration = exploration;
    this.slateSize = slateSize;
    batch = new ScoringBatch(reference.schema());
  }

  /**
   * Compares one request.
   *
   * @param items at least one candidate; shapes as in {@link ScoringBatch#add}
   * @throws ScoringException where a graph fails
   * @throws IllegalArgumentException where a logit is not finite
   */
  public void add(float[] context, float[] history, float[] items) {
    batch.clear();
    batch.add(context, history, items);
    float[] logits = reference.score(batch).logits();
    float[] others = other.score(batch).logits();
    first.set(logits, 0, logits.length, exploration);
    second.set(others, 0, others.length, exploration);
    for (int candidate = 0; candidate < logits.length; candidate++) {
      note(first.weight(candidate) - second.weight(candidate));
    }
    long seed = CounterRandom.hash(0, 0, requests, 0, 0);
    Slate slate = sampler.sample(first, seed, slateSize);
    if (!Arrays.equals(slate.candidates(), sampler.sample(second, seed, slateSize).candidates())) {
      changed++;
    }
    double[] propensities = new double[slate.size()];
    second.propensities(slate.candidates(), slate.size(), propensities);
    for (int position = 0; position < slate.size(); position++) {
      note(slate.propensities()[position] - propensities[position]);
    }
    requests++;
  }

  /** What the requests so far have shown. */
  public Measured measured() {
    return new Measured(requests, requests == 0 ? 0 : (double) changed / requests, largest);
  }

  private void note(double difference) {
    largest = Math.max(largest, Math.abs(difference));
  }
}
