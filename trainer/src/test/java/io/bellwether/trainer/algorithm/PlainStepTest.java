package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.trainer.graph.Adam;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/**
 * One whole training step of a small network against a slow version in plain Java: losses written
 * out row by row, their gradients by central differences in double precision, Adam and the target
 * update by hand.
 */
class PlainStepTest {
  private static final int ROWS = 12;
  private static final int SIGNALS = 3;
  private static final double DISCOUNT = 0.9;
  private static final double TEMPERATURE = 0.8;
  private static final double UNIFORM = 0.15;
  private static final float[] PRICES = {1, 0.7f, -0.4f};
  private static final float[] SCALE = {1.5f, 0.4f, 0.3f};

  /**
   * A large epsilon keeps the first step a smooth function of the gradient: without it, it is a
   * matter of sign.
   */
  private static final Adam ADAM = new Adam(0.9, 0.999, 1e-3, 0.5);

  private static final TrainingPlan PLAN =
      new TrainingPlan(
          11,
          1,
          ROWS,
          1e-2,
          ADAM,
          0.1,
          1,
          new NetworkConfig(6, 4, 3),
          Exploration.asUsed(TEMPERATURE, UNIFORM));

  private final NetworkSchema schema = SyntheticLog.schema(3);
  private final LearnerData data = SyntheticLog.rows(schema, ROWS, 2, 5);
  private final Normalisation normalisation =
      new Normalisation(
          ColumnScaling.measure(schema.context(), data.context(), row -> true),
          ColumnScaling.measure(
              schema.history(), data.history(), row -> data.history()[row * 3] > 0),
          ColumnScaling.measure(schema.item(), data.items(), row -> true));
  private final PolicyNetworks networks =
      new PolicyNetworks(schema, PLAN.networks(), normalisation);
  private final PlainNetworks plain = new PlainNetworks(schema, PLAN.networks(), normalisation);
  private final ConstrainedActorCritic.Config config =
      new ConstrainedActorCritic.Config(DISCOUNT, 0.7, 0.5, 2, 4, 0.1, 0.01);

  @Test
  void aStepOfTheGraphIsTheStepOfThePlainVersion() {
    Parameters actor = moved(networks.initialActor(5));
    Parameters critic = moved(networks.initialCritic(5, new float[] {0.3f, 0.1f, -0.2f}));
    Parameters target = networks.initialCritic(6, new float[] {0.1f, 0.2f, 0.3f});
    float[] actorAfter;
    float[] criticAfter;
    float[] targetAfter;
    StepGraph graph = new StepGraph(networks, PLAN, data.mostCandidates(), new float[] {9, 9, 9});
    new ConstrainedActorCritic(config, List.of(), MultiplierConfig.DEFAULT).addLosses(graph);
    try (TrainingSession session = graph.open(OrtEnvironment.getEnvironment())) {
      session.write(StepGraph.ACTOR, actor.values());
      session.write(StepGraph.CRITIC, critic.values());
      session.write(StepGraph.TARGET, target.values());
      session.floats(BatchFeed.PRICES).put(PRICES);
      int[] rows = new int[ROWS];
      Arrays.setAll(rows, row -> row);
      new BatchFeed(data, schema, data.mostCandidates(), SCALE).fill(session, rows);
      session.set(StepGraph.ACTOR + StepGraph.RATE, 0.01f);
      session.set(StepGraph.CRITIC + StepGraph.RATE, 0.01f);
      session.set(StepGraph.MEAN_CORRECTION, ADAM.meanCorrection(1));
      session.set(StepGraph.SQUARE_CORRECTION, ADAM.squareCorrection(1));
      session.step();
      actorAfter = session.read(StepGraph.ACTOR);
      criticAfter = session.read(StepGraph.CRITIC);
      targetAfter = session.read(StepGraph.TARGET);
    }
    PlainNetworks.Weights slowActor = new PlainNetworks.Weights(actor);
    PlainNetworks.Weights slowCritic = new PlainNetworks.Weights(critic);
    PlainNetworks.Weights slowTarget = new PlainNetworks.Weights(target);
    double[] weights = actorWeights(advantages(slowCritic));
    double[][] targets = targets(slowTarget);
    double[][] actionValues = actionValues(slowCritic);
    adam(slowActor.values(), () -> actorLoss(slowActor, weights));
    adam(slowCritic.values(), () -> criticLoss(slowCritic, targets, actionValues));
    for (int i = 0; i < targetAfter.length; i++) {
      slowTarget.values()[i] += 0.1 * (slowCritic.values()[i] - slowTarget.values()[i]);
    }
    assertClose(slowActor.values(), actorAfter, actor.values());
    assertClose(slowCritic.values(), criticAfter, critic.values());
    assertClose(slowTarget.values(), targetAfter, target.values());
  }

  /**
   * Away from zero biases: where a whole layer is silent, the next one would sit exactly at a
   * rectifier's kink.
   */
  private static Parameters moved(Parameters parameters) {
    float[] values = parameters.values().clone();
    for (int i = 0; i < values.length; i++) {
      values[i] += (float) (0.2 * CounterRandom.normal(17, 1, i, 0, 0));
    }
    return new Parameters(parameters.layout(), values);
  }

  private static void assertClose(double[] expected, float[] found, float[] before) {
    double moved = 0;
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], found[i], 1e-4, "parameter " + i);
      moved = Math.max(moved, Math.abs(found[i] - before[i]));
    }
    assertTrue(moved > 1e-3, "the step moved parameters by at most " + moved);
  }

  private static void adam(double[] parameters, DoubleSupplier loss) {
    double[] gradient = new double[parameters.length];
    double norm = 0;
    for (int i = 0; i < parameters.length; i++) {
      double kept = parameters[i];
      parameters[i] = kept + 1e-6;
      double above = loss.getAsDouble();
      parameters[i] = kept - 1e-6;
      double below = loss.getAsDouble();
      parameters[i] = kept;
      gradient[i] = (above - below) / 2e-6;
      norm += gradient[i] * gradient[i];
    }
    double scale = Math.min(1, ADAM.maxGradientNorm() / Math.sqrt(norm));
    for (int i = 0; i < parameters.length; i++) {
      double bounded = gradient[i] * scale;
      // At the first step both corrected moments are the gradient and its square.
      parameters[i] -= 0.01 * bounded / (Math.abs(bounded) + ADAM.epsilon());
    }
  }

  private double reward(int row, int signal) {
    return data.rewards()[row * SIGNALS + signal] / (double) SCALE[signal];
  }

  private double[][] targets(PlainNetworks.Weights target) {
    double[][] targets = new double[ROWS][SIGNALS];
    for (int row = 0; row < ROWS; row++) {
      int next = data.next()[row] < 0 ? row : data.next()[row];
      double[] future = plain.stateValues(target, context(next), history(next));
      for (int signal = 0; signal < SIGNALS; signal++) {
        double later = data.terminated()[row] ? 0 : DISCOUNT * future[signal];
        targets[row][signal] = reward(row, signal) + later;
      }
    }
    return targets;
  }

  private double[][] actionValues(PlainNetworks.Weights critic) {
    double[][] values = new double[ROWS][];
    for (int row = 0; row < ROWS; row++) {
      values[row] =
          plain.actionValues(critic, context(row), history(row), item(row, data.action()[row]));
    }
    return values;
  }

  /** {@code actionValues} is a constant: what V regresses on does not move with it. */
  private double criticLoss(
      PlainNetworks.Weights critic, double[][] targets, double[][] actionValues) {
    double loss = 0;
    double[][] moving = actionValues(critic);
    for (int row = 0; row < ROWS; row++) {
      double[] values = plain.stateValues(critic, context(row), history(row));
      for (int signal = 0; signal < SIGNALS; signal++) {
        double error = moving[row][signal] - targets[row][signal];
        double surprise = actionValues[row][signal] - values[signal];
        double expectile = signal == 0 ? 0.7 : 0.5;
        double side = surprise < 0 ? 1 - expectile : expectile;
        loss += data.weight()[row] * (error * error + side * surprise * surprise) / ROWS;
      }
    }
    return loss;
  }

  private double[] advantages(PlainNetworks.Weights critic) {
    double[][] advantage = actionValues(critic);
    for (int row = 0; row < ROWS; row++) {
      double[] values = plain.stateValues(critic, context(row), history(row));
      for (int signal = 0; signal < SIGNALS; signal++) {
        advantage[row][signal] -= values[signal];
      }
    }
    double[] combined = new double[ROWS];
    for (int signal = 0; signal < SIGNALS; signal++) {
      double mean = 0;
      double square = 0;
      for (double[] row : advantage) {
        mean += row[signal] / ROWS;
        square += row[signal] * row[signal] / ROWS;
      }
      double deviation = Math.sqrt(square - mean * mean);
      for (int row = 0; row < ROWS; row++) {
        combined[row] += PRICES[signal] * advantage[row][signal] / deviation / (1 + 0.7f + 0.4f);
      }
    }
    return combined;
  }

  private double[] actorWeights(double[] advantages) {
    double[] weights = new double[ROWS];
    double mean = 0;
    for (int row = 0; row < ROWS; row++) {
      weights[row] = Math.min(Math.exp(2 * advantages[row]), 4);
      mean += data.weight()[row] * weights[row] / ROWS;
    }
    for (int row = 0; row < ROWS; row++) {
      weights[row] = weights[row] / mean + 0.1;
    }
    return weights;
  }

  private double actorLoss(PlainNetworks.Weights actor, double[] weights) {
    double loss = 0;
    double squares = 0;
    for (int row = 0; row < ROWS; row++) {
      double[] powers = new double[data.candidates(row)];
      double total = 0;
      for (int candidate = 0; candidate < powers.length; candidate++) {
        double logit = plain.logit(actor, context(row), history(row), item(row, candidate));
        powers[candidate] = Math.exp(logit / TEMPERATURE);
        total += powers[candidate];
        squares += logit * logit;
      }
      double left = 0;
      double chosen = 0;
      for (int candidate = 0; candidate < powers.length; candidate++) {
        double share = (1 - UNIFORM) * powers[candidate] / total + UNIFORM / powers.length;
        left += data.closed()[data.itemOffsets()[row] + candidate] ? 0 : share;
        chosen = candidate == data.action()[row] ? share : chosen;
      }
      loss -= data.weight()[row] * weights[row] * Math.log(chosen / left) / ROWS;
    }
    return loss + 0.01 * squares / data.itemOffsets()[ROWS];
  }

  private float[] context(int row) {
    return Arrays.copyOfRange(data.context(), row * 3, row * 3 + 3);
  }

  private float[] history(int row) {
    return Arrays.copyOfRange(data.history(), row * 9, row * 9 + 9);
  }

  private float[] item(int row, int candidate) {
    int from = (data.itemOffsets()[row] + candidate) * 4;
    return Arrays.copyOfRange(data.items(), from, from + 4);
  }
}
