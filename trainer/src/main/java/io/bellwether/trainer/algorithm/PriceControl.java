package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * Sets the prices of promises while a policy trains: estimates the policy, moves each multiplier,
 * and feeds the signed prices back. Confined to one thread.
 */
final class PriceControl {
  private final MultiplierConfig config;
  private final NetworkSchema schema;
  private final PolicyJudge judge;
  private final List<Promise> promises;
  private final List<Multiplier> multipliers = new ArrayList<>();
  private final Function<String, float[]> weights;
  private double[] mean = {};
  private double effectiveSampleSize;

  /** {@code weights}: the current weights of a vector, by its name. */
  PriceControl(
      Algorithm algorithm,
      NetworkSchema schema,
      PolicyJudge judge,
      Function<String, float[]> weights) {
    this.config = algorithm.multipliers();
    this.schema = schema;
    this.judge = judge;
    this.promises = algorithm.promises();
    promises.forEach(promise -> multipliers.add(new Multiplier(config)));
    this.weights = weights;
    look();
  }

  boolean isDue(long step) {
    return !promises.isEmpty() && step % config.every() == 0;
  }

  /** Estimates the policy and moves the multipliers by what it finds. */
  void update() {
    PolicyEstimate latest = look();
    for (int i = 0; i < promises.size(); i++) {
      multipliers.get(i).update(latest.shortfall(promises.get(i), config.margin()));
    }
  }

  private PolicyEstimate look() {
    PolicyEstimate latest = judge.estimate(weights);
    mean = latest.mean();
    effectiveSampleSize = latest.effectiveSampleSize();
    return latest;
  }

  /** Adds all that later prices and reports depend on, for {@link #recall}. */
  void addMemory(SortedMap<String, double[]> memory) {
    for (int i = 0; i < multipliers.size(); i++) {
      memory.put("multiplier." + i, multipliers.get(i).memory());
    }
    memory.put("estimate.mean", mean);
    memory.put("estimate.effectiveSampleSize", new double[] {effectiveSampleSize});
  }

  void recall(SortedMap<String, double[]> memory) {
    for (int i = 0; i < multipliers.size(); i++) {
      multipliers.get(i).recall(remembered(memory, "multiplier." + i));
    }
    mean = remembered(memory, "estimate.mean");
    effectiveSampleSize = remembered(memory, "estimate.effectiveSampleSize")[0];
  }

  private static double[] remembered(SortedMap<String, double[]> memory, String name) {
    return Objects.requireNonNull(memory.get(name), name);
  }

  void feed(TrainingSession session) {
    if (!session.hasFeed(BatchFeed.PRICES)) {
      return;
    }
    float[] prices = new float[schema.signals().size()];
    prices[0] = 1;
    for (int i = 0; i < promises.size(); i++) {
      Promise promise = promises.get(i);
      prices[promise.signal()] += (float) (promise.sense().sign() * multipliers.get(i).value());
    }
    session.floats(BatchFeed.PRICES).put(prices);
  }

  /** Adds the latest estimates and prices to a report; an algorithm without promises has none. */
  void addGauges(SortedMap<String, Double> gauges) {
    if (promises.isEmpty()) {
      return;
    }
    for (int signal = 0; signal < schema.signals().size(); signal++) {
      gauges.put("estimate." + schema.signals().get(signal), mean[signal]);
    }
    gauges.put("estimate.effectiveSampleSize", effectiveSampleSize);
    for (int i = 0; i < promises.size(); i++) {
      gauges.put(gauge(promises, i, schema.signals()), multipliers.get(i).value());
    }
  }

  /** The gauge of a promise's price; of several promises about one signal each has its own. */
  static String gauge(List<Promise> promises, int promise, List<String> signals) {
    int signal = promises.get(promise).signal();
    boolean again =
        promises.subList(0, promise).stream().anyMatch(earlier -> earlier.signal() == signal);
    return "multiplier." + signals.get(signal) + (again ? "." + promise : "");
  }

  /** How each promise stands now. */
  List<PromiseOutcome> outcomes() {
    PolicyEstimate latest = look();
    List<PromiseOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < promises.size(); i++) {
      Promise promise = promises.get(i);
      outcomes.add(
          new PromiseOutcome(
              promise,
              latest.bound(promise),
              latest.mean()[promise.signal()],
              latest.standardError(promise),
              multipliers.get(i).value(),
              multipliers.get(i).isHopeless()));
    }
    return outcomes;
  }
}
