package io.bellwether.serving.scoring;

import io.bellwether.serving.work.Workers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Scoring queues for tests of other packages. */
public final class ScoringQueueFixture {

  private ScoringQueueFixture() {}

  /** A queue that runs graphs on these workers. */
  public static ScoringQueue on(Workers workers) {
    return new ScoringQueue(workers, new SimpleMeterRegistry());
  }
}
