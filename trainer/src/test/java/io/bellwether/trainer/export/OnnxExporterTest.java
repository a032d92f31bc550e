package io.bellwether.trainer.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import io.bellwether.trainer.algorithm.ConstrainedActorCritic;
import io.bellwether.trainer.algorithm.Learner;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.algorithm.MultiplierConfig;
import io.bellwether.trainer.algorithm.PlainNetworks;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.algorithm.SyntheticLog;
import io.bellwether.trainer.algorithm.TrainedPolicy;
import io.bellwether.trainer.algorithm.TrainingForward;
import io.bellwether.trainer.algorithm.TrainingPlan;
import io.bellwether.trainer.network.HistoryForm;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The exported ragged graph, the padded training graph and a plain-Java version say the same. */
class OnnxExporterTest {
  private static final double TOLERANCE = 1e-5;
  private static final NetworkConfig WIDTHS = new NetworkConfig(16, 8, 6);
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

  private static TrainedPolicy train(NetworkSchema schema) {
    return train(schema, WIDTHS);
  }

  private static TrainedPolicy train(NetworkSchema schema, NetworkConfig networks) {
    LearnerData data = SyntheticLog.rows(schema, 64, 2, 9);
    ConstrainedActorCritic algorithm =
        new ConstrainedActorCritic(
            ConstrainedActorCritic.Config.DEFAULT.withDiscount(0.8),
            List.of(),
            MultiplierConfig.DEFAULT);
    TrainingPlan plan = plan().withNetworks(networks);
    return new Learner(ENVIRONMENT).train(algorithm, schema, data, plan, ProgressListener.NONE);
  }

  private static TrainingPlan plan() {
    return TrainingPlan.of(3, 40).withBatchSize(32).withNetworks(WIDTHS);
  }

  private static byte[] export(TrainedPolicy policy) {
    return new OnnxExporter().export(policy, new TreeMap<>());
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0,2", "0,7", "0,20", "0,100", "4,1", "4,2", "4,7", "4,20", "4,100"})
  void theExportedGraphSaysWhatTheTrainingGraphAndPlainJavaSay(int historyLength, int candidates)
      throws Exception {
    NetworkSchema schema = SyntheticLog.schema(historyLength);
    TrainedPolicy policy = train(schema);
    PlainNetworks plain = new PlainNetworks(schema, WIDTHS, policy.networks().normalisation());
    PlainNetworks.Weights actor = new PlainNetworks.Weights(policy.actor());
    PlainNetworks.Weights critic = new PlainNetworks.Weights(policy.critic());
    for (int requests : new int[] {1, 32}) {
      LearnerData data =
          SyntheticLog.rows(schema, requests, Math.max(1, candidates - 3), candidates);
      Scores exported = Exported.score(export(policy), schema, data);
      TrainingForward training = TrainingForward.of(policy, data);
      for (int row = 0; row < requests; row++) {
        for (int candidate = 0; candidate < data.candidates(row); candidate++) {
          int at = data.itemOffsets()[row] + candidate;
          float[] context = Exported.context(schema, data, row);
          float[] history = Exported.history(schema, data, row);
          float[] item = Exported.item(schema, data, at);
          assertClose(plain.logit(actor, context, history, item), exported.logits()[at]);
          assertClose(training.logit(row, candidate), exported.logits()[at]);
          double[] values = plain.actionValues(critic, context, history, item);
          for (int signal = 0; signal < values.length; signal++) {
            float found = exported.values()[at * values.length + signal];
            assertClose(values[signal] * policy.signalScale()[signal], found);
            assertClose(training.actionValue(row, candidate, signal), found);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFormOfHistoryScoresAsItWasTrained(HistoryForm form) throws Exception {
    scoresAsItWasTrained(WIDTHS.withForm(form));
  }

  @Test
  void itemsThatTheStateConditionsAreScoredAsTheyWereTrained() throws Exception {
    scoresAsItWasTrained(WIDTHS.withConditioned(true));
  }

  private static void scoresAsItWasTrained(NetworkConfig networks) throws Exception {
    NetworkSchema schema = SyntheticLog.schema(5);
    TrainedPolicy policy = train(schema, networks);
    byte[] model = export(policy);
    PlainNetworks plain =
        new PlainNetworks(schema, policy.networks().config(), policy.networks().normalisation());
    PlainNetworks.Weights actor = new PlainNetworks.Weights(policy.actor());
    PlainNetworks.Weights critic = new PlainNetworks.Weights(policy.critic());
    for (int requests : new int[] {1, 32}) {
      for (int candidates : new int[] {1, 2, 7, 20}) {
        LearnerData data = SyntheticLog.rows(schema, requests, candidates, candidates);
        Scores exported = Exported.score(model, schema, data);
        TrainingForward training = TrainingForward.of(policy, data);
        for (int row = 0; row < requests; row++) {
          int best = 0;
          int bestTrained = 0;
          for (int candidate = 0; candidate < candidates; candidate++) {
            int at = row * candidates + candidate;
            float logit = exported.logits()[at];
            assertEquals(training.logit(row, candidate), logit, 1e-5);
            assertClose(training.actionValue(row, candidate, 0), exported.values()[at * 3]);
            best = logit > exported.logits()[row * candidates + best] ? candidate : best;
            bestTrained =
                training.logit(row, candidate) > training.logit(row, bestTrained)
                    ? candidate
                    : bestTrained;
          }
          assertEquals(bestTrained, best);
          float[] context = Exported.context(schema, data, row);
          float[] history = Exported.history(schema, data, row);
          float[] item = Exported.item(schema, data, row * candidates);
          assertClose(
              plain.logit(actor, context, history, item), exported.logits()[row * candidates]);
          assertClose(
              plain.actionValues(critic, context, history, item)[1] * policy.signalScale()[1],
              exported.values()[row * candidates * 3 + 1]);
        }
      }
    }
  }

  private static void assertClose(double expected, double found) {
    assertEquals(expected, found, TOLERANCE * Math.max(1, Math.abs(expected)));
  }

  @Test
  void permutingCandidatesPermutesTheirLogits() throws Exception {
    NetworkSchema schema = SyntheticLog.schema(4);
    TrainedPolicy policy = train(schema);
    LearnerData data = SyntheticLog.rows(schema, 1, 9, 9);
    float[] turned = new float[data.items().length];
    for (int item = 0; item < 9; item++) {
      System.arraycopy(data.items(), item * 4, turned, (8 - item) * 4, 4);
    }
    float[] straight = Exported.score(export(policy), schema, data).logits();
    float[] reversed =
        Exported.score(export(policy), schema, Exported.withItems(data, turned)).logits();
    for (int item = 0; item < 9; item++) {
      assertEquals(straight[item], reversed[8 - item], 1e-6);
    }
  }

  @Test
  void aRequestWithoutCandidatesChangesNothing() throws Exception {
    NetworkSchema schema = SyntheticLog.schema(4);
    byte[] model = export(train(schema));
    LearnerData data = SyntheticLog.rows(schema, 3, 4, 4);
    float[] all = Exported.score(model, schema, data).logits();
    long[] request = {2, 2, 2, 2};
    float[] last =
        Exported.score(
                model,
                schema,
                data.context(),
                data.history(),
                Arrays.copyOfRange(data.items(), 32, 48),
                request)
            .logits();
    assertArrayEquals(Arrays.copyOfRange(all, 8, 12), last, 1e-6f);
  }

  @Test
  void aMaskedSlotChangesNoProbability() {
    NetworkSchema schema = SyntheticLog.schema(0);
    TrainedPolicy policy = train(schema);
    LearnerData alone = SyntheticLog.rows(schema, 1, 4, 4);
    TrainingForward tight = TrainingForward.of(policy, alone);
    TrainingForward padded = TrainingForward.of(policy, alone, 9);
    for (int slot = 0; slot < 4; slot++) {
      assertEquals(tight.probability(0, slot), padded.probability(0, slot), 1e-6);
    }
    for (int slot = 4; slot < 9; slot++) {
      assertEquals(0, padded.probability(0, slot));
    }
  }

  @Test
  void aConstantColumnIsIgnoredWhateverItHoldsLater() throws Exception {
    NetworkSchema schema = SyntheticLog.schema(0);
    byte[] model = export(train(schema));
    LearnerData data = SyntheticLog.rows(schema, 1, 3, 3);
    float[] changed = data.items().clone();
    changed[1] = 17;
    assertArrayEquals(
        Exported.score(model, schema, data).logits(),
        Exported.score(model, schema, Exported.withItems(data, changed)).logits());
  }

  @Test
  void equalDataAndSeedGiveEqualBytes() {
    NetworkSchema schema = SyntheticLog.schema(4);
    byte[] once = export(train(schema));
    assertArrayEquals(once, export(train(schema)));
    LearnerData data = SyntheticLog.rows(schema, 64, 2, 9);
    TrainedPolicy other =
        new Learner(ENVIRONMENT)
            .train(BehaviourCloning.DEFAULT, schema, data, plan(), ProgressListener.NONE);
    assertFalse(Arrays.equals(once, export(other)));
  }

  @Test
  void aCloneHasValuesOfZero() throws Exception {
    NetworkSchema schema = SyntheticLog.schema(0);
    LearnerData data = SyntheticLog.rows(schema, 16, 2, 9);
    TrainedPolicy clone =
        new Learner(ENVIRONMENT)
            .train(BehaviourCloning.DEFAULT, schema, data, plan(), ProgressListener.NONE);
    Scores scores = Exported.score(export(clone), schema, data);
    assertArrayEquals(new float[scores.logits().length * 3], scores.values());
  }

  @Test
  void metadataAndDynamicAxesAreInTheFile() throws Exception {
    NetworkSchema schema = SyntheticLog.schema(4);
    TreeMap<String, String> metadata = new TreeMap<>();
    metadata.put("policy", "short-video-7");
    metadata.put("features", "sha256:abc");
    byte[] model = new OnnxExporter().export(train(schema), metadata);
    try (OrtSession session = ENVIRONMENT.createSession(model, new OrtSession.SessionOptions())) {
      assertEquals(metadata, session.getMetadata().getCustomMetadata());
      assertEquals(Set.of("context", "history", "items", "request"), session.getInputNames());
      assertEquals(Set.of("logits", "values"), session.getOutputNames());
      assertArrayEquals(new long[] {-1, 4, 3}, Exported.shape(session.getInputInfo(), "history"));
      assertArrayEquals(new long[] {-1, 4}, Exported.shape(session.getInputInfo(), "items"));
      assertArrayEquals(new long[] {-1}, Exported.shape(session.getInputInfo(), "request"));
      assertArrayEquals(new long[] {-1, 3}, Exported.shape(session.getOutputInfo(), "values"));
    }
  }
}
