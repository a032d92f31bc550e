package io.bellwether.trainer.pruning;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.network.Actor;
import io.bellwether.trainer.network.HiddenLayer;
import io.bellwether.trainer.network.KeptUnits;
import io.bellwether.trainer.network.LossDescent;
import io.bellwether.trainer.network.Parameters;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Takes hidden units out of a trained actor, those that matter least first, while it learns to
 * decide on logged states as the whole actor does.
 *
 * <p>Until the schedule's end a unit that is out is masked: its weights are kept, and it returns
 * where the schedule or the order of the units says so. Then the network is built without it and
 * learns on. The same data and seed give the same bytes. Stateless; holds a batch in memory.
 *
 * <p>Source: Zhu and Gupta, "To prune, or not to prune", 2017 (gradual pruning), with whole units
 * in place of weights.
 */
public final class GradualPruning {

  private static final int STATES = 32;
  private static final int MOST_SLOTS = 64;
  private static final double PRUNING_RATE = 2e-3;

  /** While the rest learns the rate falls linearly from the first to the second. */
  private static final double FIRST_RATE = 5e-3;

  private static final double LAST_RATE = 1e-4;

  /** How often units are chosen anew until the schedule's end. */
  private static final int ROUNDS = 40;

  private static final int MEASURED_BATCHES = 20;

  private final Actor actor;
  private final PruningPlan plan;
  private final ImitationGraph graph;
  private final LoggedStates states;

  private GradualPruning(
      TrainedPolicy policy,
      Scorer whole,
      LearnerData data,
      double temperature,
      PruningPlan plan,
      long seed) {
    actor = policy.networks().actor();
    this.plan = plan;
    int slots = Math.min(MOST_SLOTS, data.mostCandidates());
    graph = new ImitationGraph(policy.networks().schema(), actor, STATES, slots, temperature);
    states = new LoggedStates(whole, data, STATES, slots, seed);
  }

  /**
   * Prunes an actor.
   *
   * @param policy with an actor
   * @param whole the same, exported and open
   * @param temperature at which scores become chances
   */
  public static PrunedActor prune(
      TrainedPolicy policy,
      Scorer whole,
      LearnerData data,
      double temperature,
      PruningPlan plan,
      long seed) {
    return new GradualPruning(policy, whole, data, temperature, plan, seed).run(policy.actor());
  }

  private PrunedActor run(Parameters whole) {
    List<HiddenLayer> layers = actor.hiddenLayers();
    Parameters trained = prune(layers, whole);
    KeptUnits kept = new UnitImportance().keep(layers, trained, plan.share());
    Parameters narrowed = kept.narrowed(trained);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (LossDescent descent = graph.open(environment, narrowed.layout(), false)) {
      descent.begin(narrowed);
      int steps = plan.steps() - plan.pruningSteps();
      for (int step = 1; step <= steps; step++) {
        double progress = (double) (step - 1) / steps;
        double rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * progress;
        learn(descent, plan.pruningSteps() + step, rate);
      }
      Parameters last = descent.weights();
      return new PrunedActor(
          last,
          Map.of(
              "pruned.units",
              (double) kept.count(),
              "pruned.unitsBefore",
              (double) layers.stream().mapToInt(HiddenLayer::units).sum(),
              "pruned.weights",
              (double) last.layout().size() / whole.layout().size(),
              "pruned.divergence",
              divergence(descent)));
    }
  }

  /** The actor's weights, those of units that are out included, at the schedule's end. */
  private Parameters prune(List<HiddenLayer> layers, Parameters whole) {
    int steps = plan.pruningSteps();
    int round = Math.max(1, steps / ROUNDS);
    UnitImportance importance = new UnitImportance();
    try (LossDescent descent = graph.open(OrtEnvironment.getEnvironment(), whole.layout(), true)) {
      descent.begin(whole);
      for (int step = 1; step <= steps; step++) {
        if ((step - 1) % round == 0) {
          double share = plan.schedule().share(plan.share(), (double) step / steps);
          KeptUnits kept = importance.keep(layers, descent.weights(), share);
          descent.inputs().floats(ImitationGraph.MASK).put(kept.mask(whole.layout()));
        }
        learn(descent, step, PRUNING_RATE);
      }
      return descent.weights();
    }
  }

  private void learn(LossDescent descent, int batch, double rate) {
    states.feed(descent.inputs(), states.learned(), batch);
    descent.step(rate);
  }

  private double divergence(LossDescent descent) {
    double[] losses = new double[MEASURED_BATCHES];
    for (int batch = 0; batch < MEASURED_BATCHES; batch++) {
      states.feed(descent.inputs(), states.keptApart(), -1 - batch);
      losses[batch] = descent.loss();
    }
    return Arrays.stream(losses).average().orElseThrow();
  }
}
