package io.bellwether.trainer.algorithm;

/**
 * How fast a parameter vector follows its gradient.
 *
 * @param schedule which of the plan's learning rates it has
 * @param factor by which that rate is multiplied, above 0
 * @param every steps between two updates, at least 1
 */
record Pace(Schedule schedule, double factor, int every) {

  /** The learning rates of a plan. */
  enum Schedule {
    /** Through all steps, falling in their second half: {@link TrainingPlan#rate}. */
    THROUGHOUT,

    /** Until each row was seen often enough: {@link TrainingPlan#criticRate}. */
    SOME_EPOCHS,

    /** Always the plan's own: for a round among many, none of which is the last. */
    UNCHANGING
  }

  static final Pace THROUGHOUT = new Pace(Schedule.THROUGHOUT, 1, 1);
  static final Pace SOME_EPOCHS = new Pace(Schedule.SOME_EPOCHS, 1, 1);
  static final Pace UNCHANGING = new Pace(Schedule.UNCHANGING, 1, 1);

  Pace {
    if (!(factor > 0) || every < 1) {
      throw new IllegalArgumentException("factor " + factor + ", every " + every + " steps");
    }
  }

  Pace times(double more) {
    return new Pace(schedule, factor * more, every);
  }

  Pace every(int steps) {
    return new Pace(schedule, factor, steps);
  }

  /** Whether a vector of this pace moves at step 1, 2, ... */
  boolean isDue(long step) {
    return step % every == 0;
  }

  /** The learning rate at step 1, 2, ... of a run over this many rows. */
  double rate(TrainingPlan plan, long step, int rows) {
    return factor
        * switch (schedule) {
          case THROUGHOUT -> plan.rate(step);
          case SOME_EPOCHS -> plan.criticRate(step, rows);
          case UNCHANGING -> plan.learningRate();
        };
  }
}
