package io.bellwether.trainer.algorithm;

import io.bellwether.trainer.graph.TrainingSession;

/**
 * One step of training over a batch, however many learners share it. Owns its sessions until {@link
 * #close}. Confined to one thread.
 */
interface BatchStep extends AutoCloseable {

  /** The graph that moves, whose paces, gauges and weights the engine asks for. */
  StepGraph graph();

  /** Holds all states, takes all numbers that are set from step to step, and has all gauges. */
  TrainingSession session();

  /** Takes the step over these rows of the data. */
  void run(int[] rows);

  /** All graphs that take part: what a step computes, bit by bit. */
  byte[] model();

  @Override
  void close();

  /** By one graph on the caller's thread. */
  record Whole(StepGraph graph, TrainingSession session, BatchFeed feed) implements BatchStep {
    @Override
    public void run(int[] rows) {
      feed.fill(session, rows);
      session.step();
    }

    @Override
    public byte[] model() {
      return graph.model();
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
