package io.bellwether.serving.decision;

import io.bellwether.ingestion.event.Stages;

/**
 * Where one request's time goes. Each stage ends where the next begins; what is neither reading,
 * waiting for Redis, choosing candidates, scoring nor sampling was waiting for a worker. Times are
 * {@link System#nanoTime}'s. Not thread-safe: a request is in one place at a time.
 */
final class StageClock {

  private final long arrived;
  private long read;
  private long recall;
  private long candidates;
  private long score;
  private long sample;
  private long drawn;

  /**
   * @param arrived when the request came
   */
  StageClock(long arrived) {
    this.arrived = arrived;
  }

  /** When the request came. */
  long arrived() {
    return arrived;
  }

  void read(long from) {
    read = System.nanoTime() - from;
  }

  void recalled(long from) {
    recall = System.nanoTime() - from;
  }

  void candidates(long from) {
    candidates = System.nanoTime() - from;
  }

  /** Adds a run of a graph; an interleaved slate takes two. */
  void scored(int micros) {
    score += micros * 1000L;
  }

  void sampled(long from) {
    drawn = System.nanoTime();
    sample = drawn - from;
  }

  /** Microseconds of choosing candidates, scoring and sampling, without any wait. */
  long decidingMicros() {
    return (candidates + score + sample) / 1000;
  }

  Stages stages() {
    long queue = Math.max(0, drawn - arrived - read - recall - candidates - score - sample);
    return new Stages(
        micros(queue),
        micros(read),
        micros(recall),
        micros(candidates),
        micros(score),
        micros(sample));
  }

  private static int micros(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
  }
}
