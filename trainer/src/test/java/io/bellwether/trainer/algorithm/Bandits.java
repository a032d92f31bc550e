package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * Logged data of problems whose answers are known in closed form: one context, arms told apart by a
 * flag each.
 */
final class Bandits {

  private Bandits() {}

  static NetworkSchema schema(int arms, String... signals) {
    List<Column> item = new ArrayList<>();
    for (int arm = 0; arm < arms; arm++) {
      item.add(new Column.Flag("arm" + arm));
    }
    return new NetworkSchema(List.of(new Column.Flag("one")), List.of(), 0, item, List.of(signals));
  }

  /**
   * {@code counts[arm]} rows that took the arm, with propensities by those counts and rewards
   * without noise.
   */
  static LearnerData log(NetworkSchema schema, int[] counts, float[][] rewards) {
    int total = 0;
    for (int count : counts) {
      total += count;
    }
    List<LearnerData.Row> rows = new ArrayList<>();
    for (int arm = 0; arm < counts.length; arm++) {
      for (int i = 0; i < counts[arm]; i++) {
        double propensity = (double) counts[arm] / total;
        rows.add(
            row(rows.size() * 7919L % 1_000_003, counts.length, arm, propensity, rewards[arm]));
      }
    }
    return LearnerData.of(schema, rows);
  }

  private static LearnerData.Row row(
      long id, int arms, int arm, double propensity, float[] rewards) {
    float[] items = new float[arms * arms];
    for (int i = 0; i < arms; i++) {
      items[i * arms + i] = 1;
    }
    return new LearnerData.Row(
        id,
        new float[] {1},
        new float[0],
        items,
        new int[0],
        arm,
        propensity,
        rewards,
        true,
        null,
        1);
  }
}
