package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Graph;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conservative Q-learning, CQL(H): soft actor-critic whose critics are kept low where nothing was
 * logged.
 *
 * <p>Sources: Kumar and others, "Conservative Q-Learning for Offline Reinforcement Learning", 2020;
 * Nakamoto and others, "Cal-QL: Calibrated Offline RL Pre-Training for Efficient Online
 * Fine-Tuning", 2023. Differences: (1) the sum over actions is exact; (2) the price of the gap that
 * is held follows its gradient by itself; (3) where a return was cut off, nothing is calibrated.
 */
public record Cql(Config config) implements Algorithm {

  /*
   * Per signal, in units of its scale:
   *
   *   L_Q = ½ (Q - y)² + price · ( log Σ_b exp Q(s, b) - Q(s, a) )
   *   Cal-QL:        max(Q(s, b), logged return) inside of the sum
   *   with a gap:    log price += rate · (gap - wanted)
   */

  private static final String LOG_PRICE = "conservatism.log";
  private static final String RETURN = "return.";

  /** Growth of the logarithm of the price per step and unit of gap too much. */
  private static final float PRICE_RATE = 0.03f;

  private static final float LOWEST = -9;
  private static final float HIGHEST = 5;

  /**
   * What the losses depend on.
   *
   * @param discount weight of the next row in a return, in [0, 1)
   * @param conservatism price of the gap, above 0; where a gap is wanted, what it starts from
   * @param gap wanted difference between all candidates together and the logged one, in units of
   *     the signal's scale; 0 where the price is fixed
   * @param calibrated whether no candidate is pushed below what was logged from there on
   * @param agreement of the two critics
   * @param temperature what entropy is worth to the actor
   */
  public record Config(
      double discount,
      double conservatism,
      double gap,
      boolean calibrated,
      Agreement agreement,
      Temperature temperature) {

    public static final Config DEFAULT =
        new Config(0, 1, 0, false, Agreement.SMALLEST, Temperature.AUTOMATIC);

    /** The gap that is wanted where the price is to be found. */
    public static final double GAP = 2;

    public Config {
      if (!(discount >= 0 && discount < 1 && conservatism > 0 && gap >= 0)) {
        throw new IllegalArgumentException(
            "discount %s, conservatism %s, gap %s".formatted(discount, conservatism, gap));
      }
    }

    public Config withDiscount(double value) {
      return new Config(value, conservatism, gap, calibrated, agreement, temperature);
    }

    public Config withConservatism(double value) {
      return new Config(discount, value, gap, calibrated, agreement, temperature);
    }

    public Config withGap(double value) {
      return new Config(discount, conservatism, value, calibrated, agreement, temperature);
    }

    public Config withCalibration() {
      return new Config(discount, conservatism, gap, true, agreement, temperature);
    }
  }

  @Override
  public double discount() {
    return config.discount;
  }

  @Override
  public TrainedPolicy train(Engine engine) {
    return engine.learn(this, config.calibrated ? returns(engine) : Given.NONE);
  }

  @Override
  public void addLosses(StepGraph step) {
    TwinCritics critics = new TwinCritics(step, config.discount, 2, config.agreement);
    SoftPolicy policy = new SoftPolicy(step, config.temperature);
    Tensor target = critics.backup(() -> policy.nextValue(critics.slow(Moment.NEXT)));
    Tensor gaps = gaps(step, critics);
    step.gauge("critic.gap", gaps.slice(0, 0, 1).reshape(Shape.of()));
    Tensor error = critics.regression(target);
    step.minimiseCritic(error.add(gaps.mul(price(step, gaps)).sum()), critics.pace());
    policy.improve(step.output(critics.all(Moment.NOW), 0));
  }

  /** Mean gap of each signal, over both critics, {@code [S]}. */
  private Tensor gaps(StepGraph step, TwinCritics critics) {
    Tensor floor = config.calibrated ? loggedReturns(step) : null;
    return gap(step, 0, floor).add(gap(step, 1, floor)).mul(1f / critics.members());
  }

  private static Tensor gap(StepGraph step, int member, @Nullable Tensor floor) {
    Tensor gap = ConservativeGap.of(step, step.critic(member), floor);
    List<Tensor> means = new ArrayList<>();
    for (int signal = 0; signal < step.signals(); signal++) {
      means.add(step.mean(gap.slice(1, signal, signal + 1L)).reshape(1));
    }
    return Tensor.concat(0, means);
  }

  /** Price of each signal's gap, {@code [S]}; doubled, since gaps are means over two critics. */
  private Tensor price(StepGraph step, Tensor gaps) {
    Graph graph = step.graph();
    float[] first = new float[step.signals()];
    Arrays.fill(first, (float) Math.log(config.conservatism));
    if (config.gap == 0) {
      return graph.constant((float) (2 * config.conservatism));
    }
    Tensor logarithm = step.carried(LOG_PRICE, first);
    Tensor tooMuch = gaps.stopGradient().add((float) -config.gap);
    step.carry(LOG_PRICE, logarithm.add(tooMuch.mul(PRICE_RATE)).clip(LOWEST, HIGHEST));
    return logarithm.exp().mul(2f);
  }

  private static Tensor loggedReturns(StepGraph step) {
    List<Tensor> columns = new ArrayList<>();
    for (int signal = 0; signal < step.signals(); signal++) {
      columns.add(step.perRow(RETURN + signal));
    }
    return Tensor.concat(1, columns);
  }

  /** Logged returns in scaled units, far below any value where they were cut off. */
  private Given returns(Engine engine) {
    float[] all = FittedQ.returns(engine.data(), config.discount);
    boolean[] complete = complete(engine.data());
    int signals = engine.scale().length;
    Given given = Given.NONE;
    for (int signal = 0; signal < signals; signal++) {
      float[] column = new float[complete.length];
      for (int row = 0; row < column.length; row++) {
        column[row] =
            complete[row] ? all[row * signals + signal] / engine.scale()[signal] : StepActor.MASKED;
      }
      given = given.withRows(RETURN + signal, column);
    }
    return given;
  }

  /** Whether a row's episode is known to its end. */
  private boolean[] complete(LearnerData data) {
    boolean[] complete = new boolean[data.rows()];
    boolean[] seen = new boolean[data.rows()];
    int[] chain = new int[data.rows()];
    for (int row = 0; row < complete.length; row++) {
      int length = 0;
      int at = row;
      while (at >= 0 && !seen[at]) {
        seen[at] = true;
        chain[length++] = at;
        at = data.terminated()[at] ? -1 : data.next()[at];
      }
      int last = length == 0 ? row : chain[length - 1];
      boolean ends = config.discount == 0 || (at >= 0 ? complete[at] : data.terminated()[last]);
      for (int i = 0; i < length; i++) {
        complete[chain[i]] = ends;
      }
    }
    return complete;
  }
}
