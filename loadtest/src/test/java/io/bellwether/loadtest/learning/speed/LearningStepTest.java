package io.bellwether.loadtest.learning.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OrtEnvironment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LearningStepTest {
  private static final int HIDDEN = 24;
  private static final int UPDATES = 40;
  private static final double TOLERANCE = 1e-4;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(LearningStep.class)
  void aStepThatIsRepeatedLearnsItsBatches(LearningStep step) {
    StepData data = StepData.draw(step, HIDDEN, 3);
    try (MeasuredStep ours =
        MeasuredStep.open(OrtEnvironment.getEnvironment(), step, HIDDEN, data)) {
      ours.run(1);
      double first = ours.losses().getOrDefault(StepModel.CRITICS, 0.0);
      ours.run(25 * StepData.BATCHES);
      double last = ours.losses().getOrDefault(StepModel.CRITICS, 0.0);
      assertTrue(last < first, first + " to " + last);
    }
  }

  @ParameterizedTest
  @EnumSource(LearningStep.class)
  void ourStepIsTheStepOfThePlainPyTorchLoop(LearningStep step) throws Exception {
    Optional<String> python = TorchLoop.findPython("python3");
    assumeTrue(python.isPresent(), "no PyTorch to compare with (Debian: python3-torch)");
    StepData data = StepData.draw(step, HIDDEN, 5);
    try (MeasuredStep ours =
            MeasuredStep.open(OrtEnvironment.getEnvironment(), step, HIDDEN, data);
        TorchLoop theirs = TorchLoop.start(python.orElseThrow(), step, HIDDEN, data, folder)) {
      for (int updates : new int[] {1, UPDATES}) {
        ours.run(updates);
        SortedMap<String, Double> expected = theirs.run(updates).losses();
        SortedMap<String, Double> losses = ours.losses();
        assertEquals(expected.keySet(), losses.keySet());
        expected.forEach(
            (name, loss) ->
                assertEquals(
                    loss,
                    losses.getOrDefault(name, Double.NaN),
                    TOLERANCE * Math.max(1, Math.abs(loss)),
                    name));
      }
    }
  }
}
