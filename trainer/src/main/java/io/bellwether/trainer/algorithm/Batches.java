package io.bellwether.trainer.algorithm;

/** Which rows form which batch. Confined to one thread. */
interface Batches {

  /**
   * Fills {@code rows} (one entry per row of a batch) with the row numbers of batch {@code number}
   * (0, 1, ...).
   */
  void fill(long number, int[] rows);

  /** As an algorithm wants them. */
  static Batches of(Algorithm algorithm, LearnerData data, TrainingPlan plan) {
    boolean[] first = algorithm.firstHalves();
    return first.length == 0
        ? new BatchPlan(plan.seed(), data.rowId(), plan.batchSize())
        : new HalvedBatches(plan.seed(), data.rowId(), first, plan.batchSize());
  }
}
