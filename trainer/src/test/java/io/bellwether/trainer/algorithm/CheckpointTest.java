package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import io.bellwether.trainer.network.NetworkConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTest {
  private static final int STEPS = 40;
  private static final int PRICED_EVERY = 5;

  private static final TabularProcess PROCESS = TabularProcess.freshOrTired();
  private static final LearnerData DATA = PROCESS.repeated(20);

  private static final TrainedPolicy UNINTERRUPTED =
      train(twoStages(), plan(), ProgressListener.NONE, Checkpoints.NONE);

  private final List<String> notices = new ArrayList<>();

  @TempDir Path folder;

  /** A first stage without promises, whose actor the second one starts from. */
  private record TwoStages(ConstrainedActorCritic first, ConstrainedActorCritic second)
      implements Algorithm {
    @Override
    public void addLosses(StepGraph step) {
      throw new IllegalStateException("only the stages have losses");
    }

    @Override
    public TrainedPolicy train(Engine engine) {
      TrainedPolicy start = engine.learn(first, Given.NONE);
      return engine.learn(
          second,
          Given.NONE.withWeights(
              StepGraph.ACTOR, Objects.requireNonNull(start.vectors().get(StepGraph.ACTOR))));
    }
  }

  /** Learns by another algorithm, and then loses the range of numbers. */
  private record Spoiled(ConstrainedActorCritic good, long step) implements Algorithm {
    @Override
    public void addLosses(StepGraph graph) {
      good.addLosses(graph);
    }

    @Override
    public void after(long done, TrainingSession session) {
      if (done == step) {
        float[] weights = session.read(StepGraph.ACTOR);
        weights[0] = Float.NaN;
        session.write(StepGraph.ACTOR, weights);
      }
    }
  }

  private static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static TrainingPlan plan() {
    TrainingPlan usual = TrainingPlan.of(5, STEPS);
    return new TrainingPlan(
        5,
        STEPS,
        16,
        3e-3,
        usual.adam(),
        usual.targetRate(),
        1,
        new NetworkConfig(8, 8, 8),
        usual.exploration());
  }

  private static ConstrainedActorCritic critic(List<Promise> promises) {
    return new ConstrainedActorCritic(
        ConstrainedActorCritic.Config.DEFAULT.withDiscount(TabularProcess.DISCOUNT),
        promises,
        MultiplierConfig.DEFAULT.withEvery(PRICED_EVERY));
  }

  private static Algorithm twoStages() {
    Promise promise =
        new Promise(TabularProcess.AUXILIARY, Promise.Sense.AT_LEAST, new Promise.ShareOfLog(1.2));
    return new TwoStages(critic(List.of()), critic(List.of(promise)));
  }

  private CheckpointFolder checkpoints(String code) {
    return new CheckpointFolder(folder, code, Duration.ZERO, notices::add, () -> 0);
  }

  private static TrainedPolicy train(
      Algorithm algorithm, TrainingPlan plan, ProgressListener listener, Checkpoints checkpoints) {
    return new Learner(OrtEnvironment.getEnvironment())
        .train(algorithm, PROCESS.schema(), DATA, plan, listener, checkpoints);
  }

  private void interruptAt(long step, Checkpoints checkpoints) {
    assertThrows(
        Interrupted.class,
        () ->
            train(
                twoStages(),
                plan(),
                progress -> {
                  if (progress.step() == step) {
                    throw new Interrupted();
                  }
                },
                checkpoints));
  }

  private static void assertSame(TrainedPolicy expected, TrainedPolicy found) {
    assertEquals(expected.vectors().keySet(), found.vectors().keySet());
    expected
        .vectors()
        .forEach((name, values) -> assertArrayEquals(values, found.vectors().get(name), name));
    assertEquals(expected.history(), found.history());
    assertEquals(expected.promises(), found.promises());
  }

  // The first step has nothing to go on from; a price is set at every fifth of the second stage.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 17, STEPS, STEPS + 1, STEPS + 5, STEPS + 6, STEPS + 33, 2 * STEPS})
  void aRunThatWasInterruptedLeavesTheSameBytes(long step) {
    interruptAt(step, checkpoints("1"));
    List<Long> continued = new ArrayList<>();
    List<Long> reported = new ArrayList<>();
    TrainedPolicy resumed =
        train(
            twoStages(),
            plan(),
            new ProgressListener() {
              @Override
              public void onProgress(Progress progress) {
                reported.add(progress.step());
              }

              @Override
              public void onContinued(long done) {
                continued.add(done);
              }
            },
            checkpoints("1"));
    assertSame(UNINTERRUPTED, resumed);
    assertEquals(step, reported.get(0), "no step is done twice");
    assertEquals(step > 1, continued.contains(step - 1));
  }

  @Test
  void anInterruptionBetweenCheckpointsRepeatsTheStepsSinceTheLast() {
    CheckpointFolder rare =
        new CheckpointFolder(
            folder, "1", Duration.ofNanos(15), notices::add, new AtomicLong()::incrementAndGet);
    interruptAt(STEPS + 33, rare);
    List<Long> reported = new ArrayList<>();
    TrainedPolicy resumed =
        train(twoStages(), plan(), progress -> reported.add(progress.step()), checkpoints("1"));
    assertTrue(reported.get(0) < STEPS + 33, "step " + reported.get(0));
    assertTrue(reported.get(0) > STEPS + 1, "step " + reported.get(0));
    assertSame(UNINTERRUPTED, resumed);
  }

  @Test
  void checkpointsOfOtherRunsAreLeftAsideByName() {
    interruptAt(STEPS + 5, checkpoints("1"));
    train(twoStages(), plan(), ProgressListener.NONE, checkpoints("2"));
    assertTrue(notices.get(0).endsWith("it is of another run, by its code"), notices.get(0));

    notices.clear();
    train(twoStages(), plan().withLearningRate(1e-3), ProgressListener.NONE, checkpoints("2"));
    assertTrue(notices.get(0).endsWith("by its plan"), notices.get(0));

    notices.clear();
    train(
        critic(List.of()), plan().withLearningRate(1e-3), ProgressListener.NONE, checkpoints("2"));
    assertTrue(notices.get(0).endsWith("by its algorithm"), notices.get(0));

    notices.clear();
    new Learner(OrtEnvironment.getEnvironment())
        .train(
            critic(List.of()),
            PROCESS.schema(),
            PROCESS.repeated(40),
            plan().withLearningRate(1e-3),
            ProgressListener.NONE,
            checkpoints("2"));
    assertTrue(notices.get(0).endsWith("by its data"), notices.get(0));
  }

  @Test
  void damagedCheckpointsAreLeftAside() throws IOException {
    interruptAt(5, checkpoints("1"));
    Path file = folder.resolve("stage-0.checkpoint");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    List<Long> reported = new ArrayList<>();
    train(twoStages(), plan(), progress -> reported.add(progress.step()), checkpoints("1"));
    assertEquals(1, reported.get(0));
    assertTrue(notices.get(0).endsWith("its checksum does not fit"), notices.get(0));
  }

  @Test
  void numbersThatAreNoneStopTheRunAndLeaveTheLastGoodCheckpoint() {
    CheckpointFolder kept = checkpoints("1");
    assertThrows(
        DivergedException.class,
        () -> train(new Spoiled(critic(List.of()), 9), plan(), ProgressListener.NONE, kept));
    Path file = folder.resolve("stage-0.checkpoint");
    assertEquals(file + ", after step 8", kept.latest().orElseThrow());
  }

  @Test
  void aFinishedRunForgetsItsCheckpoints() throws IOException {
    CheckpointFolder kept = checkpoints("1");
    train(twoStages(), plan(), ProgressListener.NONE, kept);
    assertEquals(Set.of("stage-0.checkpoint", "stage-1.checkpoint"), Set.of(files()));
    kept.clear();
    assertEquals(0, files().length);
    assertFalse(kept.latest().isPresent());
  }

  private String[] files() {
    return Objects.requireNonNull(folder.toFile().list());
  }

  @Test
  void checkpointsTakeATwentiethOfTheTimeAtMost() {
    AtomicLong time = new AtomicLong(1L << 40);
    CheckpointFolder slow =
        new CheckpointFolder(
            folder, "1", Duration.ofNanos(50), notices::add, () -> time.addAndGet(10));
    assertTrue(slow.isDue());
    slow.write(
        0,
        new RunIdentity(new TreeMap<>()),
        new Checkpoint(1, new TreeMap<>(), new TreeMap<>(), List.of()));
    int asked = 0;
    while (!slow.isDue()) {
      asked++;
    }
    assertEquals(19, asked);
  }
}
