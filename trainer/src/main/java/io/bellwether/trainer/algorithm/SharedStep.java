package io.bellwether.trainer.algorithm;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.trainer.graph.TrainingSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One step that several learners share: each computes the gradients of some of the batch's sixteen
 * parts, all wait for each other, and one graph moves by their mean.
 *
 * <p>Parts are summed in a fixed binary tree in double precision, so that the number of learners
 * changes no bit. What a loss takes over its batch, such as a deviation, is taken over a part: the
 * result differs from that of one learner over whole batches.
 */
final class SharedStep implements BatchStep {
  /** Into how many parts every batch falls. */
  static final int PARTS = 16;

  private final StepGraph graph;
  private final TrainingSession session;
  private final byte[] model;
  private final List<Sum> sums = new ArrayList<>();
  private final List<Learning> learners = new ArrayList<>();
  private final ExecutorService threads;

  /** A result of every part, and the feed that takes what becomes of them. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Sum(String result, String feed, float[][] parts, float[] total) {

    /** Adds elements {@code from .. to} of all parts. */
    void add(int from, int to) {
      if (result.equals(StepGraph.LARGEST_VALUE)) {
        total[0] = parts[0][0];
        for (float[] part : parts) {
          total[0] = Math.max(total[0], part[0]);
        }
        return;
      }
      for (int i = from; i < to; i++) {
        double sum = (four(0, i) + four(4, i)) + (four(8, i) + four(12, i));
        total[i] = (float) (sum / PARTS);
      }
    }

    private double four(int first, int i) {
      return ((double) parts[first][i] + parts[first + 1][i])
          + ((double) parts[first + 2][i] + parts[first + 3][i]);
    }
  }

  /** What one learner owns. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Learning(TrainingSession session, BatchFeed feed, int[] rows) {}

  /**
   * @param graphs builds the graph of a step to an extent, over {@code 1 / PARTS} of a batch
   * @param count how many learners there are: 1, 2, 4, 8 or 16
   */
  SharedStep(
      OrtEnvironment environment,
      Function<StepGraph.Extent, StepGraph> graphs,
      BatchFeed feed,
      int rowsOfPart,
      int count) {
    StepGraph gradients = graphs.apply(StepGraph.Extent.GRADIENTS);
    this.graph = graphs.apply(StepGraph.Extent.MOVES);
    this.session = graph.open(environment);
    for (int learner = 0; learner < count; learner++) {
      TrainingSession own = gradients.open(environment);
      learners.add(new Learning(own, feed.forAnotherThread(), new int[rowsOfPart]));
    }
    this.model = joined(gradients.model(), graph.model());
    gradients.paces().keySet().forEach(name -> sum(name + StepGraph.GRADIENT, name));
    gradients.carriedNames().forEach(name -> sum(name + StepGraph.MOVED, name));
    gradients.gauges().forEach(this::gauge);
    this.threads =
        Executors.newFixedThreadPool(
            count,
            task -> {
              Thread thread = new Thread(task, "learner");
              thread.setDaemon(true);
              return thread;
            });
  }

  private void sum(String result, String state) {
    int size = session.read(state).length;
    sums.add(new Sum(result, result, new float[PARTS][size], new float[size]));
  }

  private void gauge(String name) {
    sums.add(new Sum(name, name + StepGraph.PART, new float[PARTS][1], new float[1]));
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Override
  public StepGraph graph() {
    return graph;
  }

  @Override
  public TrainingSession session() {
    return session;
  }

  @Override
  public byte[] model() {
    return model;
  }

  @Override
  public void run(int[] rows) {
    together(learner -> gradients(learner, rows));
    together(this::add);
    for (Sum sum : sums) {
      session.floats(sum.feed).put(sum.total);
    }
    session.step();
  }

  private void gradients(int number, int[] rows) {
    Learning learner = learners.get(number);
    learner.session.takeOver(session);
    for (int part = number; part < PARTS; part += learners.size()) {
      System.arraycopy(rows, part * learner.rows.length, learner.rows, 0, learner.rows.length);
      learner.feed.fill(learner.session, learner.rows);
      learner.session.step();
      for (Sum sum : sums) {
        learner.session.copy(sum.result, sum.parts[part]);
      }
    }
  }

  private void add(int learner) {
    for (Sum sum : sums) {
      long size = sum.total.length;
      int from = (int) (size * learner / learners.size());
      int to = (int) (size * (learner + 1) / learners.size());
      if (from < to) {
        sum.add(from, to);
      }
    }
  }

  /** Work of one learner, by its number. */
  private interface Work {
    void of(int learner);
  }

  private void together(Work work) {
    List<Callable<Void>> tasks =
        IntStream.range(0, learners.size())
            .<Callable<Void>>mapToObj(
                learner ->
                    () -> {
                      work.of(learner);
                      return null;
                    })
            .toList();
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while learners shared a step", interrupted);
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a learner failed", failed.getCause());
    }
  }

  /** Waits for learners that still compute: their sessions must outlive their last step. */
  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    for (boolean ended = false; !ended; ) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    learners.forEach(learner -> learner.session.close());
    session.close();
  }
}
