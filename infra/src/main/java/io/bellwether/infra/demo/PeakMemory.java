package io.bellwether.infra.demo;

import io.bellwether.infra.process.ResidentMemory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The most memory that this process and its children held together, looked at once a second. */
final class PeakMemory implements AutoCloseable {

  private final AtomicLong peakBytes = new AtomicLong();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          runnable -> {
            Thread thread = new Thread(runnable, "peak memory");
            thread.setDaemon(true);
            return thread;
          });

  PeakMemory() {
    watch.scheduleAtFixedRate(
        () ->
            ResidentMemory.of(ProcessHandle.current())
                .ifPresent(bytes -> peakBytes.accumulateAndGet(bytes, Math::max)),
        0,
        1,
        TimeUnit.SECONDS);
  }

  long mebibytes() {
    return peakBytes.get() >> 20;
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
