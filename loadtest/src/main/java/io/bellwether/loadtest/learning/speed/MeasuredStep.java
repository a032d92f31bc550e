package io.bellwether.loadtest.learning.speed;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Our learner of one step over {@link StepData}, fed as learners are: each batch is copied into the
 * graph's inputs. Confined to one thread; owns native memory until {@link #close}.
 */
final class MeasuredStep implements AutoCloseable {
  static final float RATE = 3e-4f;

  private final LearningStep step;
  private final StepData data;
  private final TrainingSession session;
  private long done;

  private MeasuredStep(LearningStep step, StepData data, TrainingSession session) {
    this.step = step;
    this.data = data;
    this.session = session;
  }

  static MeasuredStep open(
      OrtEnvironment environment, LearningStep step, int hidden, StepData data) {
    TrainingSession session = new StepModel(step, hidden).open(environment);
    data.weights().forEach(session::write);
    session.write(
        StepModel.SLOW_CRITICS, data.weights().getOrDefault(StepModel.CRITICS, new float[0]));
    return new MeasuredStep(step, data, session);
  }

  /** Makes this many updates and gives back the seconds that they took. */
  double run(long updates) {
    long began = System.nanoTime();
    for (long i = 0; i < updates; i++) {
      feed((int) (done % StepData.BATCHES));
      done++;
      session.set(StepModel.RATE, RATE);
      session.set(StepModel.MEAN_CORRECTION, StepModel.ADAM.meanCorrection(done));
      session.set(StepModel.SQUARE_CORRECTION, StepModel.ADAM.squareCorrection(done));
      session.step();
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private void feed(int batch) {
    int row = batch * StepData.ROWS;
    int from = row * StepData.FEATURES;
    int size = StepData.ROWS * StepData.FEATURES;
    session.floats(StepModel.STATES).put(data.states(), from, size);
    session.floats(StepModel.NEXT_STATES).put(data.nextStates(), from, size);
    session.longs(StepModel.ACTIONS).put(data.actions(), row, StepData.ROWS);
    session.floats(StepModel.REWARDS).put(data.rewards(), row, StepData.ROWS);
    session.floats(StepModel.CONTINUES).put(data.continues(), row, StepData.ROWS);
  }

  /** The losses of the last update, by the vector that each is for. */
  SortedMap<String, Double> losses() {
    SortedMap<String, Double> losses = new TreeMap<>();
    step.losses()
        .forEach(vector -> losses.put(vector, (double) session.scalar(vector + StepModel.LOSS)));
    return losses;
  }

  @Override
  public void close() {
    session.close();
  }
}
