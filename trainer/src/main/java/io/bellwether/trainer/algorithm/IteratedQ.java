package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.ParameterLayout;
import io.bellwether.trainer.network.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Several Bellman steps learned at once: each head of a critic looks one step further than the head
 * before it.
 *
 * <p>Source: Vincent and others, "Iterated Q-Network: Beyond One-Step Bellman Updates in Deep
 * Reinforcement Learning", 2024. Differences: (1) by default the backup is the policy's expectation
 * and not the maximum, and critics are kept low where nothing was logged; (2) there is one actor,
 * taught by the last head.
 */
public record IteratedQ(Config config) implements Algorithm {

  /*
   * Heads Q_1 .. Q_K on one trunk, fixed copies Q̄_0 (vector "base") and Q̄_1 .. Q̄_{K-1} (vector "behind"):
   *
   *   Q_k ← r + discount · continues · backup of Q̄_{k-1}(s', .)
   *   every copyEvery steps:   Q̄_k ← Q_k for k >= 1
   *   every shiftEvery steps:  Q̄_0 ← Q_1, Q_k ← Q_{k+1} for k < K, Q̄_k ← Q_k for k >= 1
   *
   * With K = 1 this is a critic with a copy that is renewed every shiftEvery steps.
   */

  private static final String BASE = "base";
  private static final String BEHIND = "behind";
  private static final String WEIGHT = "critic.q.weight";
  private static final String BIAS = "critic.q.bias";

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param heads K, at least 1
   * @param copyEvery steps between two copies, at least 1
   * @param shiftEvery steps between two shifts, at least 1
   * @param greedy whether the backup is the maximum over candidates, or what the policy expects
   * @param conservatism weight of {@link ConservativeGap} in the critic's loss, at least 0
   * @param temperature what entropy is worth to the actor
   */
  public record Config(
      double discount,
      int heads,
      int copyEvery,
      int shiftEvery,
      boolean greedy,
      double conservatism,
      Temperature temperature) {

    public static final Config DEFAULT =
        new Config(0, 5, 30, 6000, false, 1, Temperature.AUTOMATIC);

    public Config {
      if (!(discount >= 0 && discount < 1 && conservatism >= 0)) {
        throw new IllegalArgumentException(
            "discount %s, conservatism %s".formatted(discount, conservatism));
      }
      if (heads < 1 || copyEvery < 1 || shiftEvery < 1) {
        throw new IllegalArgumentException(
            "%d heads, copies every %d and shifts every %d steps"
                .formatted(heads, copyEvery, shiftEvery));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, heads, copyEvery, shiftEvery, greedy, conservatism, temperature);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public int heads() {
    return config.heads;
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    Run run = new Run(this);
    return run.finished(engine.learn(run, Given.NONE));
  }

  @Override
  public void addLosses(StepGraph step) {
    new Run(this).addLosses(step);
  }

  /** One run, which knows where the heads lie in the critic's weights. Confined to one thread. */
  private static final class Run implements Algorithm {
    private final IteratedQ algorithm;
    private final Config config;
    private @Nullable ParameterLayout layout;

    Run(IteratedQ algorithm) {
      this.algorithm = algorithm;
      this.config = algorithm.config;
    }

    @Override
    public double discount() {
      return algorithm.discount();
    }

    @Override
    public int heads() {
      return algorithm.heads();
    }

    @Override
    public void addLosses(StepGraph step) {
      layout = step.networks().critic().layout();
      Tensor error = step.critic().logged().sub(target(step));
      Tensor loss = step.mean(error.square().mul(0.5f));
      if (config.conservatism > 0) {
        Tensor gap = step.mean(ConservativeGap.of(step, step.critic()));
        loss = loss.add(gap.mul((float) config.conservatism));
      }
      step.minimiseCritic(loss, config.discount == 0 ? Pace.SOME_EPOCHS : Pace.THROUGHOUT);
      new SoftPolicy(step, config.temperature)
          .improve(step.output(step.critic().all(Moment.NOW), config.heads - 1));
    }

    /** Per signal and head, {@code [B, S * K]}. */
    private Tensor target(StepGraph step) {
      List<Tensor> targets = new ArrayList<>();
      for (int head = 0; head < config.heads; head++) {
        Tensor target = step.rewards();
        if (config.discount > 0) {
          Tensor next = backup(step, before(step, head));
          target = target.add(next.mul(step.continues()).mul((float) config.discount));
        }
        targets.add(target.reshape(step.rows(), step.signals(), 1));
      }
      return Tensor.concat(2, targets)
          .reshape(step.rows(), (long) step.signals() * config.heads)
          .stopGradient();
    }

    /** What the head before this one says of the next state, {@code [B, M, S]}. */
    private Tensor before(StepGraph step, int head) {
      Tensor values = copy(step, head == 0 ? BASE : BEHIND).all(Moment.NEXT);
      int from = Math.max(0, head - 1);
      List<Tensor> signals = new ArrayList<>();
      for (int signal = 0; signal < step.signals(); signal++) {
        int output = signal * config.heads + from;
        signals.add(values.slice(2, output, output + 1L));
      }
      return Tensor.concat(2, signals);
    }

    private static StepCritic copy(StepGraph step, String name) {
      var networks = step.networks();
      return new StepCritic(
          step,
          name,
          networks.critic(),
          step.vector(
              name,
              networks.critic().layout(),
              returns -> networks.initialCritic(step.plan().seed(), returns).values()));
    }

    private Tensor backup(StepGraph step, Tensor values) {
      if (!config.greedy) {
        return step.expectation(step.actor().policy(Moment.NEXT), values);
      }
      Tensor open = step.graph().constant(0.5f).isLessThan(step.open(Moment.NEXT));
      Tensor objective =
          open.select(step.output(values, 0), step.graph().constant(StepActor.MASKED));
      return step.expectation(TwinCritics.best(objective), values);
    }

    @Override
    public void after(long step, TrainingSession session) {
      if (config.discount == 0) {
        return;
      }
      if (step % config.shiftEvery == 0) {
        float[] critic = session.read(StepGraph.CRITIC);
        StepGraph.write(session, BASE, critic);
        shift(critic);
        session.write(StepGraph.CRITIC, critic);
        copyBehind(session);
      } else if (step % config.copyEvery == 0) {
        copyBehind(session);
      }
    }

    private void copyBehind(TrainingSession session) {
      if (config.heads > 1) {
        StepGraph.write(session, BEHIND, session.read(StepGraph.CRITIC));
      }
    }

    /** With the last head's values in place of all others, for whoever takes the mean of heads. */
    TrainedPolicy finished(TrainedPolicy policy) {
      float[] critic = policy.critic().values().clone();
      for (int shift = 1; shift < config.heads; shift++) {
        shift(critic);
      }
      return new TrainedPolicy(
          policy.networks(),
          policy.actor(),
          policy.hasActor(),
          new Parameters(policy.critic().layout(), critic),
          policy.hasCritic(),
          policy.vectors(),
          policy.signalScale(),
          policy.history(),
          policy.promises());
    }

    /** Gives each head the weights of the one that looks further. */
    private void shift(float[] critic) {
      int at = 0;
      for (String name : Objects.requireNonNull(layout).names()) {
        int size = Math.toIntExact(layout.shape(name).size());
        if (name.equals(WEIGHT) || name.equals(BIAS)) {
          for (int output = at; output < at + size; output += config.heads) {
            System.arraycopy(critic, output + 1, critic, output, config.heads - 1);
          }
        }
        at += size;
      }
    }
  }
}
