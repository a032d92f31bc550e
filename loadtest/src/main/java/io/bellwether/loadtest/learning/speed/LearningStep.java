package io.bellwether.loadtest.learning.speed;

import static io.bellwether.loadtest.learning.speed.StepData.ACTIONS;
import static io.bellwether.loadtest.learning.speed.StepData.FEATURES;
import static io.bellwether.loadtest.learning.speed.StepData.ROWS;
import static io.bellwether.loadtest.learning.speed.StepModel.ACTOR;
import static io.bellwether.loadtest.learning.speed.StepModel.CRITICS;
import static io.bellwether.loadtest.learning.speed.StepModel.VALUE;

import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A training step that is also written as a plain PyTorch loop, {@code torch_loop.py}. */
enum LearningStep {
  /**
   * Discrete SAC with twin critics, automatic temperature and the CQL(H) penalty (Christodoulou,
   * "Soft Actor-Critic for Discrete Action Settings", 2019; Kumar and others, "Conservative
   * Q-Learning for Offline Reinforcement Learning", 2020).
   */
  SAC_CQL("sac-cql") {
    @Override
    SortedMap<String, List<HeadNetwork>> networks(int hidden) {
      HeadNetwork network = new HeadNetwork(FEATURES, hidden, ACTIONS);
      return new TreeMap<>(Map.of(ACTOR, List.of(network), CRITICS, List.of(network, network)));
    }

    /** Actor, both critics and both slow critics at two moments, less what no loss asks for. */
    @Override
    double operations(int hidden) {
      HeadNetwork network = new HeadNetwork(FEATURES, hidden, ACTIONS);
      return 6 * network.forwardOperations(ROWS) + 3 * network.backwardOperations(ROWS);
    }

    @Override
    void addLosses(StepModel model) {
      Tensor logTemperature = model.logTemperature();
      Tensor temperature = logTemperature.exp();
      Tensor fixed = temperature.stopGradient();
      List<Tensor> slow = model.slowCritics(model.nextStates());
      Tensor nextLog = model.actor(model.nextStates()).logSoftmax().stopGradient();
      Tensor soft = slow.get(0).min(slow.get(1)).sub(nextLog.mul(fixed));
      Tensor aim = model.aim(nextLog.exp().mul(soft).sum(-1));
      List<Tensor> values = model.critics(model.states());
      Tensor critic =
          conservative(model, values.get(0), aim).add(conservative(model, values.get(1), aim));
      Tensor log = model.actor(model.states()).logSoftmax();
      Tensor chances = log.exp();
      Tensor best = values.get(0).min(values.get(1)).stopGradient();
      Tensor actor = chances.mul(log.mul(fixed).sub(best)).sum(-1).mean();
      Tensor entropy = chances.mul(log).sum(-1).mean().negate().stopGradient();
      Tensor slack = entropy.sub(model.number(ENTROPY_SHARE * Math.log(ACTIONS)));
      model.minimise(CRITICS, critic);
      model.minimise(ACTOR, actor);
      model.minimise(StepModel.LOG_TEMPERATURE, temperature.mul(slack).sum());
      model.followCritics();
    }

    private static Tensor conservative(StepModel model, Tensor values, Tensor aim) {
      Tensor gap = values.logSoftmax().pick(model.actions()).negate();
      return model.squaredError(values, aim).add(gap.mean());
    }
  },

  /**
   * Implicit Q-learning with advantage-weighted extraction of the actor (Kostrikov and others,
   * "Offline Reinforcement Learning with Implicit Q-Learning", 2021).
   */
  IQL("iql") {
    @Override
    SortedMap<String, List<HeadNetwork>> networks(int hidden) {
      HeadNetwork network = new HeadNetwork(FEATURES, hidden, ACTIONS);
      return new TreeMap<>(
          Map.of(
              ACTOR,
              List.of(network),
              CRITICS,
              List.of(network, network),
              VALUE,
              List.of(new HeadNetwork(FEATURES, hidden, 1))));
    }

    /** Actor, critics and slow critics now, the value now and next. */
    @Override
    double operations(int hidden) {
      HeadNetwork network = new HeadNetwork(FEATURES, hidden, ACTIONS);
      HeadNetwork value = new HeadNetwork(FEATURES, hidden, 1);
      return 5 * network.forwardOperations(ROWS)
          + 3 * network.backwardOperations(ROWS)
          + 2 * value.forwardOperations(ROWS)
          + value.backwardOperations(ROWS);
    }

    @Override
    void addLosses(StepModel model) {
      List<Tensor> slow = model.slowCritics(model.states());
      Tensor logged = slow.get(0).min(slow.get(1)).pick(model.actions());
      Tensor above = logged.sub(model.value(model.states()));
      Tensor advantage = above.stopGradient();
      Tensor weight =
          advantage
              .isLessThan(model.number(0))
              .select(model.number(1 - EXPECTILE), model.number(EXPECTILE));
      Tensor aim = model.aim(model.value(model.nextStates()));
      List<Tensor> values = model.critics(model.states());
      Tensor preference = advantage.mul(SHARPNESS).exp().min(model.number(LARGEST_PREFERENCE));
      Tensor log = model.actor(model.states()).logSoftmax().pick(model.actions());
      model.minimise(VALUE, weight.mul(above.square()).mean());
      model.minimise(
          CRITICS,
          model.squaredError(values.get(0), aim).add(model.squaredError(values.get(1), aim)));
      model.minimise(ACTOR, preference.mul(log).mean().negate());
      model.followCritics();
    }
  };

  private static final double ENTROPY_SHARE = 0.3;
  private static final double EXPECTILE = 0.7;
  private static final float SHARPNESS = 3;
  private static final double LARGEST_PREFERENCE = 100;

  private final String word;

  LearningStep(String word) {
    this.word = word;
  }

  /** As the script and results name it. */
  String word() {
    return word;
  }

  /** What is learned: the networks of each vector of parameters, in order. */
  abstract SortedMap<String, List<HeadNetwork>> networks(int hidden);

  /** Floating point operations of the matrix products of one step. */
  abstract double operations(int hidden);

  /** The vectors that have a loss. */
  List<String> losses() {
    List<String> vectors = new ArrayList<>(networks(1).keySet());
    if (this == SAC_CQL) {
      vectors.add(StepModel.LOG_TEMPERATURE);
    }
    return vectors;
  }

  abstract void addLosses(StepModel model);
}
