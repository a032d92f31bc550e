package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Proximal policy optimisation: one round of learning from what a policy itself just decided, for
 * simulators and for fine-tuning. What was collected by another policy misleads it.
 *
 * <p>Sources: Schulman and others, "Proximal Policy Optimization Algorithms", 2017; with one epoch
 * and nothing clipped it is the advantage actor-critic of Mnih and others, 2016, as Huang and
 * others, "A2C is a special case of PPO", 2022, show. Differences: entropy, divergence and the
 * value of a state, {@code V(s) = Σ_a π(a|s) Q(s, a)}, are exact sums over candidates.
 *
 * <pre>
 * ρ = π(a|s) / μ(a|s)     A = Σ_i w_i A_i
 * L = -min( ρ A, clip(ρ, 1 - ε, 1 + ε) A ) - c H(π) + k KL(π ‖ anchor)
 * L_Q = ½ Σ_i ( Q_i(s, a) - R_i )²
 * </pre>
 *
 * @param before the policy that collected the data; learning goes on from its weights, in its units
 * @param anchor what the policy is held near: the same, or the one that fine-tuning began with
 */
public record ProximalPolicy(Config config, TrainedPolicy before, TrainedPolicy anchor)
    implements Algorithm {
  private static final String ADVANTAGE = "advantage.";
  private static final String RETURN = "return.";
  private static final String LOGGED = "logged";
  private static final String ANCHOR = "anchor";

  /** Log chances below this are a network's noise. */
  static final float LEAST_CHANCE = -14;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param trace weight of what is known by playing on, in [0, 1]: 1 for Monte-Carlo advantages
   * @param clip ε: how far from the collecting policy's chance a gain still counts, above 0;
   *     infinite where nothing is clipped
   * @param centred whether a batch's advantages have a mean of 0 and a deviation of 1
   * @param entropy weight of the entropy, at least 0
   * @param closeness weight of the divergence from the anchor, at least 0
   * @param epochs how often each row is looked at, at least 1
   * @param weights of each signal's advantage in units of its scale, negative where less is better;
   *     none for the objective alone
   */
  public record Config(
      double discount,
      double trace,
      double clip,
      boolean centred,
      double entropy,
      double closeness,
      int epochs,
      List<Double> weights) {

    public static final Config DEFAULT = new Config(0, 0.95, 0.2, true, 0.01, 0, 4, List.of());

    /** Advantage actor-critic: one epoch, nothing clipped, advantages as they are. */
    public static final Config A2C =
        new Config(0, 0.95, Double.POSITIVE_INFINITY, false, 0.01, 0, 1, List.of());

    public Config {
      if (!(discount >= 0 && discount < 1 && trace >= 0 && trace <= 1)) {
        throw new IllegalArgumentException("discount %s, trace %s".formatted(discount, trace));
      }
      if (!(clip > 0 && entropy >= 0 && closeness >= 0) || epochs < 1) {
        throw new IllegalArgumentException(
            "clip %s, entropy %s, closeness %s, %d epochs"
                .formatted(clip, entropy, closeness, epochs));
      }
      weights = List.copyOf(weights);
    }

    public Config withDiscount(double value) {
      return new Config(value, trace, clip, centred, entropy, closeness, epochs, weights);
    }

    public Config withTrace(double value) {
      return new Config(discount, value, clip, centred, entropy, closeness, epochs, weights);
    }

    public Config withCloseness(double value) {
      return new Config(discount, trace, clip, centred, entropy, value, epochs, weights);
    }

    public Config withWeights(List<Double> perSignal) {
      return new Config(discount, trace, clip, centred, entropy, closeness, epochs, perSignal);
    }

    /** The weight of a signal's advantage. */
    double weight(int signal) {
      if (weights.isEmpty()) {
        return signal == 0 ? 1 : 0;
      }
      return weights.get(signal);
    }

    void requireSignals(int signals) {
      if (!weights.isEmpty() && weights.size() != signals) {
        throw new IllegalArgumentException(
            "%d weights for %d signals".formatted(weights.size(), signals));
      }
    }
  }

  /** Near the policy that collected the data. */
  public ProximalPolicy(Config config, TrainedPolicy before) {
    this(config, before, before);
  }

  public ProximalPolicy {
    config.requireSignals(before.signalScale().length);
  }

  @Override
  public double discount() {
    return config.discount;
  }

  /** The plan tells batches and rates; epochs are this algorithm's. */
  @Override
  public TrainedPolicy train(Engine engine) {
    Engine own = engine.inUnitsOf(before);
    int rows = own.data().rows();
    int batch = Math.min(own.plan().batchSize(), rows);
    long steps = ((long) config.epochs * rows + batch - 1) / batch;
    return own.learn(this, given(own), own.plan().withBatchSize(batch).withSteps(steps));
  }

  Given given(Engine engine) {
    LearnerData data = engine.data();
    float[][] values = values(engine);
    Advantages found = Advantages.of(data, engine.scale(), values, config.discount, config.trace);
    float[] logged = new float[data.rows()];
    for (int row = 0; row < logged.length; row++) {
      logged[row] = (float) Math.log(data.propensity()[row]);
    }
    Given given = Given.NONE.withRows(LOGGED, logged);
    for (int signal = 0; signal < values.length; signal++) {
      given =
          given
              .withRows(ADVANTAGE + signal, found.advantages()[signal])
              .withRows(RETURN + signal, found.returns()[signal]);
    }
    if (config.closeness > 0) {
      given = given.withCandidates(ANCHOR, ActorChances.of(engine, anchor));
    }
    given = given.withWeights(StepGraph.ACTOR, before.actor().values());
    return hasValues() ? given.withWeights(StepGraph.CRITIC, before.critic().values()) : given;
  }

  private boolean hasValues() {
    return before.hasCritic() && before.networks().heads() == 1;
  }

  /** {@code V(s)} as {@code [signal][row]}; 0 where the policy came without a critic. */
  private float[][] values(Engine engine) {
    LearnerData data = engine.data();
    int signals = engine.scale().length;
    float[][] values = new float[signals][data.rows()];
    if (!hasValues()) {
      return values;
    }
    int slots = data.mostCandidates();
    StepGraph graph = new StepGraph(before.networks(), engine.plan(), slots, new float[0]);
    graph.report(
        "values",
        graph.expectation(graph.actor().policy(Moment.NOW), graph.critic().all(Moment.NOW)));
    BatchFeed feed = new BatchFeed(data, engine.schema(), slots, engine.scale());
    int[] rows = new int[engine.plan().batchSize()];
    try (TrainingSession session = graph.open(engine.environment())) {
      session.floats(StepGraph.ACTOR).put(before.actor().values());
      session.floats(StepGraph.CRITIC).put(before.critic().values());
      for (int from = 0; from < data.rows(); from += rows.length) {
        int last = data.rows() - 1;
        int first = from;
        Arrays.setAll(rows, i -> Math.min(first + i, last));
        feed.fill(session, rows);
        session.step();
        float[] found = session.values("values");
        for (int i = 0; i < rows.length; i++) {
          for (int signal = 0; signal < signals; signal++) {
            values[signal][rows[i]] = found[i * signals + signal];
          }
        }
      }
    }
    return values;
  }

  @Override
  public void addLosses(StepGraph step) {
    List<Tensor> returns =
        IntStream.range(0, step.signals())
            .mapToObj(signal -> step.perRow(RETURN + signal))
            .toList();
    Tensor error = step.critic().logged().sub(Tensor.concat(1, returns));
    step.minimiseCritic(step.mean(error.square().mul(0.5f)), Pace.UNCHANGING);
    Tensor ratio = step.actor().loggedLogPolicy().sub(step.perRow(LOGGED)).exp();
    Tensor advantage = advantage(step);
    Tensor gain = ratio.mul(advantage);
    if (Double.isFinite(config.clip)) {
      float most = (float) config.clip;
      gain = gain.min(ratio.clip(1 - most, 1 + most).mul(advantage));
    }
    Tensor entropy = SoftPolicy.entropy(step.actor(), Moment.NOW);
    step.gauge("actor.entropy", step.mean(entropy));
    Tensor loss = entropy.mul((float) config.entropy).add(gain).negate();
    if (config.closeness > 0) {
      Tensor divergence = divergence(step, ANCHOR);
      step.gauge("actor.divergence", step.mean(divergence));
      loss = loss.add(divergence.mul((float) config.closeness));
    }
    step.minimiseActor(step.mean(loss), Pace.UNCHANGING);
  }

  private Tensor advantage(StepGraph step) {
    Tensor advantage = step.perRow(ADVANTAGE + 0).mul((float) config.weight(0));
    for (int signal = 1; signal < step.signals(); signal++) {
      if (config.weight(signal) != 0) {
        advantage =
            advantage.add(step.perRow(ADVANTAGE + signal).mul((float) config.weight(signal)));
      }
    }
    return config.centred
        ? advantage.sub(advantage.mean()).div(WeightedImitation.deviation(advantage))
        : advantage;
  }

  /** {@code KL(π ‖ given)} of each row, {@code [B, 1]}, exact over candidates. */
  static Tensor divergence(StepGraph step, String given) {
    Tensor known = step.perCandidate(given, Moment.NOW).max(step.graph().constant(LEAST_CHANCE));
    return step.actor()
        .policy(Moment.NOW)
        .mul(step.actor().logPolicy(Moment.NOW).sub(known))
        .sum(-1);
  }
}
