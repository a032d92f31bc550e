package io.bellwether.trainer.job;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a run's progress while it runs and passes on a line whenever it changed. Owns the thread
 * that reads, until {@link #close}.
 */
final class ProgressFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressFollower.class);
  private static final long PERIOD_MILLIS = 500;

  private final RunFolder folder;
  private final Consumer<String> lines;
  private final ScheduledExecutorService reader;
  private final ScheduledFuture<?> reading;
  private String last = "";

  ProgressFollower(RunFolder folder, Consumer<String> lines) {
    this.folder = folder;
    this.lines = lines;
    this.reader =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "training-progress");
              thread.setDaemon(true);
              return thread;
            });
    this.reading =
        reader.scheduleWithFixedDelay(this::catchUp, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Passes on what is new; progress that cannot be read now is read the next time. */
  synchronized void catchUp() {
    try {
      String line = folder.progress().words();
      if (!line.equals(last)) {
        last = line;
        lines.accept(line);
      }
    } catch (IOException e) {
      LOG.debug("cannot read the progress of a run yet", e);
    }
  }

  @Override
  public void close() {
    reading.cancel(false);
    reader.shutdown();
  }
}
