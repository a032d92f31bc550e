package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Short training on data that is the whole process, for answers in closed form. */
final class ClosedForms {

  /** Deviation of the rewards of {@link TabularProcess#bandit}: the unit of its values. */
  static final double BANDIT_SCALE = 0.35;

  private ClosedForms() {}

  static TrainedPolicy train(
      Algorithm algorithm, NetworkSchema schema, LearnerData data, long steps) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(algorithm, schema, data, plan(data, steps), ProgressListener.NONE);
  }

  /** Every batch is the whole process; slow copies follow quickly. */
  static TrainingPlan plan(LearnerData data, long steps) {
    TrainingPlan plan = TrainingPlan.of(3, steps);
    return new TrainingPlan(
        plan.seed(),
        steps,
        data.rows(),
        3e-3,
        plan.adam(),
        0.1,
        plan.reportEvery(),
        new NetworkConfig(16, 8, 8),
        plan.exploration());
  }

  static TabularAnswer bandit(Algorithm algorithm, long steps) {
    TabularProcess process = TabularProcess.bandit();
    return TabularAnswer.of(
        train(algorithm, process.schema(), process.repeated(10), steps), process);
  }

  static TabularAnswer freshOrTired(Algorithm algorithm, long steps) {
    TabularProcess process = TabularProcess.freshOrTired();
    return TabularAnswer.of(
        train(algorithm, process.schema(), process.repeated(20), steps), process);
  }

  /**
   * The bandit with two more rows of weight 0, whose rewards make the unit of values 1: for losses
   * whose answer depends on the unit.
   */
  static LearnerData banditInUnits() {
    TabularProcess process = TabularProcess.bandit();
    LearnerData data = process.repeated(10);
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int row = 0; row < data.rows(); row++) {
      rows.add(SyntheticLog.row(process.schema(), data, row));
    }
    float far = (float) Math.sqrt((12 - 10 * BANDIT_SCALE * BANDIT_SCALE) / 2);
    LearnerData.Row like = rows.get(0);
    for (int sign = -1; sign <= 1; sign += 2) {
      rows.add(
          new LearnerData.Row(
              100 + sign,
              like.context(),
              like.history(),
              like.items(),
              like.closed(),
              like.action(),
              like.propensity(),
              new float[] {0.45f + sign * far},
              true,
              null,
              0));
    }
    return LearnerData.of(process.schema(), rows);
  }

  /** Mean of a gauge over the last steps. */
  static double lastGauge(TrainedPolicy policy, String name) {
    Progress last = policy.history().get(policy.history().size() - 1);
    return Objects.requireNonNull(last.gauges().get(name), name);
  }
}
