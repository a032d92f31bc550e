package io.bellwether.trainer.algorithm;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One round of fine-tuning: an offline policy goes on learning from what is decided while it, or
 * what became of it, serves. How much of the offline world is kept is {@link Kept}.
 *
 * <p>Where the policy alone is kept a round is {@link ProximalPolicy}, held near the offline
 * policy. Where data is kept it is an actor-critic over log and new rows, half of every batch each:
 * Ball and others, "Efficient Online Reinforcement Learning with Offline Data" (RLPD), 2023, with
 * exact sums over candidates. Its critics are layer-normalised as all critics here are; a target is
 * the smaller of two of them that are drawn anew at each step, the actor follows their mean:
 *
 * <pre>
 * y_i = r_i + discount · continues · Σ_a' π(a'|s') min_{two} Q'_i(s', a')
 * L = -Σ_a π(a|s) Σ_i w_i Q_i(s, a) / deviation of A - c H(π) + k KL(π ‖ offline)
 * </pre>
 *
 * @param offline where it all began
 * @param last what the last round left; null in the first one
 * @param logged per row of the data, whether it is of the log; of no account where no data is kept
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
public record FineTuning(
    Kept kept, Config config, TrainedPolicy offline, @Nullable TrainedPolicy last, boolean[] logged)
    implements Algorithm {
  private static final String OFFLINE = "offline";
  private static final String DRAWN = "drawn.";

  /** Purpose tag of the counter generator for the critics of a target. */
  private static final long TAG = 906;

  private static final int DRAWN_CRITICS = 2;

  /** A value that is no minimum. */
  private static final float FAR = 1e6f;

  /**
   * What a round depends on.
   *
   * @param online losses where only the policy is kept; its discount, entropy, weights, epochs (of
   *     the new rows) and closeness hold for all
   * @param critics how many there are where data is kept, at least 2
   */
  public record Config(ProximalPolicy.Config online, int critics) {

    /** Near the offline policy; ten critics. */
    public static final Config DEFAULT =
        new Config(ProximalPolicy.Config.DEFAULT.withCloseness(0.1), 10);

    public Config {
      if (critics < DRAWN_CRITICS) {
        throw new IllegalArgumentException(critics + " critics");
      }
    }

    public Config withOnline(ProximalPolicy.Config other) {
      return new Config(other, critics);
    }

    public Config withCritics(int count) {
      return new Config(online, count);
    }
  }

  public FineTuning {
    config.online.requireSignals(offline.signalScale().length);
  }

  /** The first round. */
  public FineTuning(Kept kept, Config config, TrainedPolicy offline, boolean[] logged) {
    this(kept, config, offline, null, logged);
  }

  /** The round after one that left this policy. */
  public FineTuning after(TrainedPolicy round, boolean[] logged) {
    return new FineTuning(kept, config, offline, round, logged);
  }

  @Override
  public double discount() {
    return config.online.discount();
  }

  @Override
  public boolean[] firstHalves() {
    return kept.keepsData() ? logged : new boolean[0];
  }

  /** The plan tells batches and rates; epochs are this algorithm's. */
  @Override
  public TrainedPolicy train(Engine engine) {
    TrainedPolicy before = last == null ? offline : last;
    if (!kept.keepsData()) {
      return new ProximalPolicy(config.online, before, offline).train(engine);
    }
    Engine own = engine.inUnitsOf(offline);
    int batch = own.plan().batchSize();
    long seen = 2L * config.online.epochs() * newRows();
    TrainingPlan plan = own.plan().withSteps(Math.max(1, seen / batch));
    return own.learn(this, given(own), plan);
  }

  private int newRows() {
    int count = 0;
    for (boolean old : logged) {
      count += old ? 0 : 1;
    }
    return count;
  }

  private Given given(Engine engine) {
    Given given = Given.NONE;
    if (closeness() > 0) {
      given = given.withCandidates(OFFLINE, ActorChances.of(engine, offline));
    }
    if (last != null) {
      for (Map.Entry<String, float[]> vector : last.vectors().entrySet()) {
        given = given.withWeights(vector.getKey(), vector.getValue());
      }
      return given;
    }
    return kept.keepsPolicy() ? begunFromOffline(given) : given;
  }

  /** One critic begins as the offline one, the others anew: a target is often theirs. */
  private Given begunFromOffline(Given given) {
    Given begun = given.withWeights(StepGraph.ACTOR, offline.actor().values());
    if (!offline.hasCritic() || offline.networks().heads() != 1) {
      return begun;
    }
    return begun.withWeights(StepGraph.CRITIC, offline.critic().values());
  }

  /** In the mild regime half as near. */
  private double closeness() {
    return switch (kept) {
      case POLICY -> config.online.closeness();
      case DATA -> 0;
      case BOTH -> config.online.closeness() / 2;
    };
  }

  @Override
  public Map<String, Float> schedule(TrainingPlan plan, long step) {
    if (!kept.keepsData() || discount() == 0) {
      return Map.of();
    }
    int first = draw(plan.seed(), step, 0, config.critics);
    int second = (first + 1 + draw(plan.seed(), step, 1, config.critics - 1)) % config.critics;
    Map<String, Float> drawn = new HashMap<>();
    for (int member = 0; member < config.critics; member++) {
      drawn.put(DRAWN + member, member == first || member == second ? 0 : FAR);
    }
    return drawn;
  }

  private static int draw(long seed, long step, int which, int count) {
    return (int) Math.floorMod(CounterRandom.hash(seed, TAG, step, which, 0), (long) count);
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, discount(), config.critics, Agreement.MEAN);
    Tensor target =
        critics.backup(
            () ->
                step.expectation(
                    step.actor().policy(Moment.NEXT).stopGradient(), worseOfTwo(step)));
    step.minimiseCritic(critics.regression(target), Pace.UNCHANGING);
    StepActor actor = step.actor();
    Tensor values = weighted(step, critics.all(Moment.NOW));
    Tensor policy = actor.policy(Moment.NOW);
    Tensor beyond =
        values.mul(step.loggedAction()).sum(-1).sub(policy.stopGradient().mul(values).sum(-1));
    Tensor entropy = SoftPolicy.entropy(actor, Moment.NOW);
    step.gauge("actor.entropy", step.mean(entropy));
    Tensor gain = policy.mul(values).sum(-1).div(WeightedImitation.deviation(beyond));
    Tensor loss = entropy.mul((float) config.online.entropy()).add(gain).negate();
    if (closeness() > 0) {
      Tensor divergence = ProximalPolicy.divergence(step, OFFLINE);
      step.gauge("actor.divergence", step.mean(divergence));
      loss = loss.add(divergence.mul((float) closeness()));
    }
    step.minimiseActor(step.mean(loss), Pace.UNCHANGING);
  }

  /**
   * {@code [B, M, S]} of the slow copies that are drawn for this step: the worse of two, which is
   * the larger one for signals of which less is better.
   */
  private Tensor worseOfTwo(StepGraph step) {
    float[] signs = new float[step.signals()];
    for (int signal = 0; signal < signs.length; signal++) {
      signs[signal] = config.online.weight(signal) < 0 ? -1 : 1;
    }
    Tensor sign = step.graph().constant(signs, Shape.of(1, 1, signs.length));
    Tensor worst = slow(step, 0, sign);
    for (int member = 1; member < config.critics; member++) {
      worst = worst.min(slow(step, member, sign));
    }
    return worst.mul(sign);
  }

  private static Tensor slow(StepGraph step, int member, Tensor sign) {
    return step.slowCritic(member).all(Moment.NEXT).mul(sign).add(step.scheduled(DRAWN + member));
  }

  /** {@code Σ_i w_i Q_i}, {@code [B, M]}. */
  private Tensor weighted(StepGraph step, Tensor values) {
    Tensor sum = step.output(values, 0).mul((float) config.online.weight(0));
    for (int signal = 1; signal < step.signals(); signal++) {
      if (config.online.weight(signal) != 0) {
        sum = sum.add(step.output(values, signal).mul((float) config.online.weight(signal)));
      }
    }
    return sum;
  }
}
