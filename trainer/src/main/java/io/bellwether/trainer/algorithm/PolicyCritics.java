package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Critics of several policies at once, none of which needs a network of its own: each is known in
 * closed form from the critics themselves, since the candidates of a row are few.
 *
 * <p>The values of all policies are outputs of one network that learns from the same rows, so that
 * their differences are surer than they are. Every target is the exact expectation of the slow
 * critics under the policies that they describe at that step: policies improve while their critics
 * learn. The last head always stands for the logging policy. Squared errors, since Huber's estimate
 * something below the mean for rare flags.
 *
 * @param discount weight of the next row in a return, in [0, 1)
 * @param heads policies, of each of which every signal has a value; at least 2
 * @param members critics that start from different weights and whose mean is believed, at least 1
 * @param policies what the heads stand for
 * @param prices promises, and how they are priced by what the first head is worth beside the last;
 *     null where nothing is priced
 * @param notes gauges that earlier stages leave in the reports of this one
 */
record PolicyCritics(
    double discount,
    int heads,
    int members,
    Policies policies,
    @Nullable Prices prices,
    Map<String, Double> notes)
    implements Algorithm {

  /** Logs of the logging policy's chances, per candidate. */
  static final String BEHAVIOUR = "behaviour";

  private static final String RETURN = "return.";

  /** The policies of all heads but the last. */
  interface Policies {

    /**
     * Chances {@code [B, M]}.
     *
     * @param values of all candidates, {@code [B, M, signals * heads]}, without gradient
     * @param signal of which the head's value is asked, for heads that stand for one policy each
     */
    Tensor chances(StepGraph step, Moment moment, Tensor values, int signal, int head);
  }

  /** Promises and how their multipliers move. */
  record Prices(List<Promise> promises, MultiplierConfig config) {
    Prices {
      promises = List.copyOf(promises);
    }
  }

  PolicyCritics {
    notes = Map.copyOf(notes);
    if (heads < 2 || members < 1) {
      throw new IllegalArgumentException(heads + " heads of " + members + " members");
    }
  }

  PolicyCritics(double discount, int heads, int members, Policies policies) {
    this(discount, heads, members, policies, null, Map.of());
  }

  /** Adds the returns that were logged from every row on, in scaled units. */
  static Given withReturns(Given given, LearnerData data, double discount, float[] scale) {
    float[] returns = FittedQ.returns(data, discount);
    Given with = given;
    for (int signal = 0; signal < scale.length; signal++) {
      float[] own = new float[data.rows()];
      for (int row = 0; row < own.length; row++) {
        own[row] = returns[row * scale.length + signal] / scale[signal];
      }
      with = with.withRows(RETURN + signal, own);
    }
    return with;
  }

  @Override
  public List<Promise> promises() {
    return prices == null ? List.of() : prices.promises;
  }

  @Override
  public MultiplierConfig multipliers() {
    return prices == null ? MultiplierConfig.DEFAULT : prices.config;
  }

  @Override
  public void addLosses(StepGraph step) {
    if (prices != null) {
      step.prices();
    }
    Tensor target = target(step);
    Tensor loss = step.graph().constant(0f);
    for (int member = 0; member < members; member++) {
      step.slowCritic(member);
      loss = loss.add(step.mean(step.critic(member).logged().sub(target).square()));
    }
    step.minimiseCritic(loss.mul(1f / heads));
    new TreeMap<>(notes)
        .forEach((name, value) -> step.gauge(name, step.graph().constant(value.floatValue())));
  }

  private Tensor target(StepGraph step) {
    int signals = step.signals();
    Tensor rewards =
        step.rewards()
            .reshape(step.rows(), signals, 1)
            .expand(Shape.of(step.rows(), signals, heads))
            .reshape(step.rows(), (long) signals * heads);
    if (discount == 0) {
      return rewards;
    }
    Tensor future = worth(step, Moment.NEXT).mul(step.continues()).mul((float) discount);
    return rewards.add(future).stopGradient();
  }

  /** Mean of the slow critics, {@code [B, M, signals * heads]}, without gradient. */
  Tensor values(StepGraph step, Moment moment) {
    return step.built(
        "values." + moment,
        () -> {
          Tensor sum = step.slowCritic(0).all(moment);
          for (int member = 1; member < members; member++) {
            sum = sum.add(step.slowCritic(member).all(moment));
          }
          return sum.mul(1f / members).stopGradient();
        });
  }

  /** What every policy is worth by its own outputs, {@code [B, signals * heads]}. */
  Tensor worth(StepGraph step, Moment moment) {
    return step.built(
        "worth." + moment,
        () -> {
          Tensor values = values(step, moment);
          List<Tensor> chances = new ArrayList<>();
          for (int signal = 0; signal < step.signals(); signal++) {
            for (int head = 0; head < heads; head++) {
              chances.add(
                  (head == heads - 1
                          ? behaviour(step, moment)
                          : policies.chances(step, moment, values, signal, head))
                      .reshape(step.rows(), step.slots(), 1));
            }
          }
          return Tensor.concat(2, chances)
              .mul(values)
              .sum(1)
              .reshape(step.rows(), (long) step.signals() * heads);
        });
  }

  /** Values of all signals by one head, {@code [B, M, signals]}. */
  Tensor ofHead(StepGraph step, Tensor values, int head) {
    int signals = step.signals();
    return values
        .reshape(step.rows() * step.slots(), signals, heads)
        .slice(2, head, head + 1L)
        .reshape(step.rows(), step.slots(), signals);
  }

  /** {@link #reached} by the first head's policy. */
  @Override
  public @Nullable Tensor judgedValues(StepGraph step) {
    if (prices == null) {
      return null;
    }
    return reached(step, 0, prices.promises);
  }

  /**
   * What a head's policy reaches from a state on, {@code [B, signals]}. Where a promise is relative
   * to the log: what was logged, and what the policy adds to the logging policy, so that what the
   * critics get wrong of both alike is not counted.
   */
  Tensor reached(StepGraph step, int head, List<Promise> promises) {
    Tensor worth = worth(step, Moment.NOW).reshape(step.rows(), step.signals(), heads);
    List<Tensor> reached = new ArrayList<>();
    for (int signal = 0; signal < step.signals(); signal++) {
      Tensor own = worth.slice(1, signal, signal + 1L).slice(2, head, head + 1L);
      Tensor logging = worth.slice(1, signal, signal + 1L).slice(2, heads - 1L, heads);
      reached.add(
          isAbsolute(signal, promises)
              ? own.reshape(step.rows(), 1)
              : own.sub(logging).reshape(step.rows(), 1).add(step.perRow(RETURN + signal)));
    }
    return Tensor.concat(1, reached);
  }

  private static boolean isAbsolute(int signal, List<Promise> promises) {
    return promises.stream()
        .anyMatch(
            promise -> promise.signal() == signal && promise.bound() instanceof Promise.Absolute);
  }

  // Words for closed forms.

  /** Logs of the logging policy's chances, {@code [B, M]}. */
  static Tensor logBehaviour(StepGraph step, Moment moment) {
    return step.built(
        "logBehaviour." + moment,
        () -> normalised(step, moment, step.perCandidate(BEHAVIOUR, moment)));
  }

  /** The logging policy, {@code [B, M]}. */
  static Tensor behaviour(StepGraph step, Moment moment) {
    return step.built("behaviour." + moment, () -> logBehaviour(step, moment).exp());
  }

  /**
   * Logs of chances in proportion to {@code exp(logits)} over the candidates that can be chosen,
   * {@code [B, M]}; about -1e9 at all other slots.
   */
  static Tensor normalised(StepGraph step, Moment moment, Tensor logits) {
    return step.graph()
        .constant(0.5f)
        .isLessThan(step.open(moment))
        .select(logits, step.graph().constant(StepActor.MASKED))
        .logSoftmax();
  }
}
