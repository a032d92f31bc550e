package io.bellwether.policy.scoring;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The policy version that answers now, and can be replaced while it answers. Whoever scores holds a
 * {@link Use}; a version that was replaced closes when its last use closes, so that no session is
 * ever closed under somebody who is inside it.
 *
 * <p>Thread-safe and free of locks. Owns the scorers that were given to {@link #replace}.
 */
public final class LivePolicy implements AutoCloseable {

  private final AtomicReference<@Nullable Counted> current = new AtomicReference<>();

  /** The version that answers now, to be closed after use; empty while there is none. */
  public Optional<Use> acquire() {
    while (true) {
      Counted counted = current.get();
      if (counted == null) {
        return Optional.empty();
      }
      if (counted.retain()) {
        return Optional.of(new Use(counted));
      }
    }
  }

  /**
   * Warms the scorer up on the calling thread and makes it the one that answers. Where the warm-up
   * fails, the scorer is closed, the old version goes on, and the exception goes to the caller.
   */
  public void replace(String version, Scorer scorer) {
    try {
      scorer.warmUp();
    } catch (RuntimeException e) {
      scorer.close();
      throw e;
    }
    release(current.getAndSet(new Counted(version, scorer)));
  }

  /** Takes the version away: from now on there is none. */
  public void clear() {
    release(current.getAndSet(null));
  }

  /** The same as {@link #clear}; the last version closes after its last use. */
  @Override
  public void close() {
    clear();
  }

  private static void release(@Nullable Counted counted) {
    if (counted != null) {
      counted.release();
    }
  }

  /**
   * One caller's hold on a version. Confined to one thread at a time; closing it twice is harmless.
   */
  public static final class Use implements AutoCloseable {

    private final Counted counted;
    private boolean closed;

    private Use(Counted counted) {
      this.counted = counted;
    }

    /** The id of the version. */
    public String version() {
      return counted.version;
    }

    /** The version's scorer, open until this use is closed. */
    public Scorer scorer() {
      return counted.scorer;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        counted.release();
      }
    }
  }

  /** A scorer with the number of its holders, of which this object's owner is the first. */
  private static final class Counted {

    private final String version;
    private final Scorer scorer;
    private final AtomicInteger holders = new AtomicInteger(1);

    Counted(String version, Scorer scorer) {
      this.version = version;
      this.scorer = scorer;
    }

    /** Counts one holder more, unless the last one has left. */
    boolean retain() {
      return holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
    }

    void release() {
      if (holders.decrementAndGet() == 0) {
        scorer.close();
      }
    }
  }
}
