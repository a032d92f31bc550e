package io.bellwether.trainer.algorithm;

import java.util.Arrays;

/**
 * Imitation of the better part of the log: of the rows with the largest return of the objective
 * from there on, or the largest reward where the discount is 0. The baseline that every learner
 * with a critic has to beat.
 *
 * <p>Source: "%BC" of Chen and others, "Decision Transformer", 2021. Difference: by row, not by
 * whole episode, so that a good decision in a poor episode counts. All rows that are as good as the
 * last one are kept too; where all are equal this is behaviour cloning.
 *
 * @param share of the rows' weight that is imitated at least, above 0 and at most 1
 * @param discount weight of the next row in a return, in [0, 1)
 * @param logitPenalty weight of the mean squared logit, at least 0
 */
public record FilteredCloning(double share, double discount, double logitPenalty)
    implements Algorithm {
  private static final String KEPT = "kept";

  public static final FilteredCloning DEFAULT = new FilteredCloning(0.25, 0, 1e-4);

  public FilteredCloning {
    if (!(share > 0 && share <= 1 && discount >= 0 && discount < 1 && logitPenalty >= 0)) {
      throw new IllegalArgumentException(
          "share %s, discount %s, logit penalty %s".formatted(share, discount, logitPenalty));
    }
  }

  public FilteredCloning withDiscount(double value) {
    return new FilteredCloning(share, value, logitPenalty);
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    return engine.learn(this, Given.NONE.withRows(KEPT, kept(engine.data())));
  }

  @Override
  public void addLosses(StepGraph step) {
    WeightedImitation.minimise(step, step.perRow(KEPT), logitPenalty);
  }

  /** Per row, 0 where it is left out, else one over the share that is kept: 1 on average. */
  private float[] kept(LearnerData data) {
    float[] returns = objective(data);
    double total = 0;
    for (float weight : data.weight()) {
      total += weight;
    }
    float threshold = threshold(returns, data.weight(), share * total);
    double left = 0;
    for (int row = 0; row < returns.length; row++) {
      left += returns[row] >= threshold ? data.weight()[row] : 0;
    }
    float[] kept = new float[returns.length];
    for (int row = 0; row < kept.length; row++) {
      kept[row] = returns[row] >= threshold && left > 0 ? (float) (total / left) : 0;
    }
    return kept;
  }

  private float[] objective(LearnerData data) {
    float[] all = FittedQ.returns(data, discount);
    int signals = all.length / data.rows();
    float[] objective = new float[data.rows()];
    for (int row = 0; row < objective.length; row++) {
      objective[row] = all[row * signals];
    }
    return objective;
  }

  /** The largest value such that rows of at least it have at least the wanted weight. */
  private static float threshold(float[] values, float[] weights, double wanted) {
    long[] order = new long[values.length];
    for (int row = 0; row < order.length; row++) {
      // ascending integers for ascending floats, the row behind them
      int bits = Float.floatToIntBits(values[row] + 0f);
      order[row] = ((long) (bits ^ ((bits >> 31) & 0x7fffffff)) << 32) | row;
    }
    Arrays.sort(order);
    double weight = 0;
    int last = order.length - 1;
    for (int i = last; i >= 0; i--) {
      last = (int) order[i];
      weight += weights[last];
      if (weight >= wanted) {
        break;
      }
    }
    return values[last];
  }
}
