package io.bellwether.trainer.job;

import io.bellwether.trainer.algorithm.Algorithm;
import io.bellwether.trainer.algorithm.Progress;
import io.bellwether.trainer.algorithm.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes a learner's progress to its run's folder. Confined to the learner's thread. */
final class ProgressWriter implements ProgressListener {

  private final RunFolder folder;
  private final LearnerTask task;
  private final int rows;
  private final long steps;
  private long startedNanos;
  private long startedStep;

  ProgressWriter(RunFolder folder, LearnerTask task, Algorithm algorithm, int rows) {
    this.folder = folder;
    this.task = task;
    this.rows = rows;
    this.steps = Math.round(algorithm.plans() * task.plan(rows).steps());
  }

  void starts() {
    startedNanos = System.nanoTime();
    write("training", 0, 0, new TreeMap<>());
  }

  @Override
  public void onProgress(Progress progress) {
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    double left = seconds / (progress.step() - startedStep) * (steps - progress.step());
    write("training", progress.step(), left, progress.gauges());
  }

  @Override
  public void onContinued(long step) {
    startedStep = step;
    write("training", step, 0, new TreeMap<>());
  }

  void exports() {
    write("exporting", steps, 0, new TreeMap<>());
  }

  private void write(String state, long step, double left, SortedMap<String, Double> gauges) {
    double epoch = (double) step * task.batchSize() / rows;
    try {
      folder.write(new RunProgress(state, rows, step, steps, epoch, left, gauges));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the progress of a run", e);
    }
  }
}
