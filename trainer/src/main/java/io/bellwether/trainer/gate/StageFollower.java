package io.bellwether.trainer.gate;

import io.bellwether.trainer.survey.StageProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a stage's progress while it runs and passes it on whenever it changed. Owns the thread that
 * reads, until {@link #close}.
 */
final class StageFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StageFollower.class);
  private static final long PERIOD_MILLIS = 1000;

  private final Path folder;
  private final String stage;
  private final LongConsumer counts;
  private final ScheduledExecutorService reader;
  private final ScheduledFuture<?> reading;
  private long last;

  /**
   * @param counts takes how many transitions were read
   */
  StageFollower(Path folder, String stage, LongConsumer counts) {
    this.folder = folder;
    this.stage = stage;
    this.counts = counts;
    this.reader =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "evaluation-progress");
              thread.setDaemon(true);
              return thread;
            });
    this.reading =
        reader.scheduleWithFixedDelay(
            this::catchUp, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Progress that cannot be read now is read the next time. */
  private void catchUp() {
    try {
      long count = StageProgress.of(folder, stage);
      if (count != last) {
        last = count;
        counts.accept(count);
      }
    } catch (IOException e) {
      LOG.debug("cannot read the progress of a stage yet", e);
    }
  }

  @Override
  public void close() {
    reading.cancel(false);
    reader.shutdown();
  }
}
