package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.evaluation.episode.EpisodeEstimator;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.StepSignal;
import io.bellwether.loadtest.evaluation.synthetic.EpisodeWorld;
import io.bellwether.loadtest.evaluation.synthetic.Episodes;
import java.util.List;

/** Episodes of six steps. */
record EpisodeStudy(int decisions, EpisodeWorld world, double truth) implements CoverageStudy {
  private static final List<EpisodeEstimator> EXACT =
      List.of(
          EpisodeEstimator.TRAJECTORY,
          EpisodeEstimator.PER_DECISION,
          EpisodeEstimator.DOUBLY_ROBUST,
          EpisodeEstimator.WEIGHTED_PER_DECISION,
          EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST);

  static EpisodeStudy of(int episodes) {
    EpisodeWorld world = EpisodeWorld.standard();
    return new EpisodeStudy(episodes, world, world.targetValue());
  }

  @Override
  public String name() {
    return "episodes of six steps";
  }

  @Override
  public void measure(long seed, IntervalTally tally) {
    Episodes log = world.draw(decisions, seed);
    EpisodeSteps steps = log.steps();
    StepSignal signal = log.signal();
    for (EpisodeEstimator estimator : EXACT) {
      add(tally, estimator, Expectation.EXACT, steps, signal);
    }
    add(tally, EpisodeEstimator.DIRECT, Expectation.MISSES, steps, signal);
  }

  private void add(
      IntervalTally tally,
      EpisodeEstimator estimator,
      Expectation expectation,
      EpisodeSteps steps,
      StepSignal signal) {
    tally.add(
        estimator.word(), expectation, estimator.of(steps, signal).estimate(steps.units()), truth);
  }
}
