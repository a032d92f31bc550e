package io.bellwether.serving.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What all calls together may take: bytes of messages that were received and are not answered yet,
 * and calls that wait for a worker or run. Also the clock that ends calls whose message does not
 * come. Owns one thread. Thread-safe.
 */
final class CallRoom extends ServerStreamTracer.Factory implements AutoCloseable {

  private static final Context.Key<Held> HELD = Context.key("bellwether-held");

  private final long maxBytes;
  private final int maxCalls;
  private final Duration patience;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger calls = new AtomicInteger();
  private final ScheduledThreadPoolExecutor watch;

  /**
   * @param maxBytes of messages of all calls that are not over
   * @param maxCalls whose message was received and that are not answered
   * @param patience how long a call's message may take to arrive
   */
  CallRoom(long maxBytes, int maxCalls, Duration patience) {
    this.maxBytes = maxBytes;
    this.maxCalls = maxCalls;
    this.patience = patience;
    watch =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "grpc-watch");
              thread.setDaemon(true);
              return thread;
            });
    watch.setRemoveOnCancelPolicy(true);
  }

  /** Whether one more call may wait for a worker; if so, {@link #leave} must follow. */
  boolean enter() {
    if (calls.incrementAndGet() <= maxCalls) {
      return true;
    }
    calls.decrementAndGet();
    return false;
  }

  /** The call that entered is answered. */
  void leave() {
    calls.decrementAndGet();
  }

  /** Most calls that may wait or run. */
  int maxCalls() {
    return maxCalls;
  }

  /** Bytes of messages of all calls that are not over. */
  long heldBytes() {
    return bytes.get();
  }

  /** Ends a call unless its message comes in time. */
  Future<?> expect(Runnable end) {
    return watch.schedule(end, patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Has the call that begins now ended, on a thread of the room's own, where its message does not
   * fit any more.
   */
  void whenFull(Runnable end) {
    Held held = HELD.get();
    if (held != null) {
      held.end = end;
      held.bounded = true;
    }
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Held();
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }

  /** The bytes of one call. */
  private final class Held extends ServerStreamTracer {
    private final AtomicLong mine = new AtomicLong();
    private volatile @Nullable Runnable end;

    /**
     * Whether it can be ended. Calls of others, that of reflection, keep no message beyond its
     * answer; one that goes on for ever must not take the room of all.
     */
    private volatile boolean bounded;

    @Override
    public Context filterContext(Context context) {
      return context.withValue(HELD, this);
    }

    @Override
    public void inboundWireSize(long size) {
      if (!bounded) {
        return;
      }
      mine.addAndGet(size);
      Runnable ending = end;
      if (bytes.addAndGet(size) > maxBytes && ending != null) {
        end = null;
        watch.execute(ending);
      }
    }

    @Override
    public void streamClosed(Status status) {
      bytes.addAndGet(-mine.getAndSet(0));
    }
  }
}
