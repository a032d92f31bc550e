package io.bellwether.serving.policy;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A few of each surface's latest requests, encoded as they were scored: what a new version is
 * warmed up and tried with before it serves. Kept in memory alone, and at most 8 MiB for a surface.
 *
 * <p>Thread-safe and free of locks. Most offers are one look at a clock: a full ring takes a new
 * request every {@value #MILLIS_BETWEEN} ms, so that it spans some seconds of traffic at any rate.
 */
@Singleton
public final class RecentRequests {

  static final int KEPT = 64;
  static final long MILLIS_BETWEEN = 100;

  /** A request of 1000 wide candidates is cut; its first ones are enough to try a version with. */
  static final int MAX_ITEM_FLOATS = 32 * 1024;

  private final Map<String, Ring> rings = new HashMap<>();
  private final LongSupplier nanos;

  /**
   * A request as a graph takes it.
   *
   * @param context {@code [contextWidth]}
   * @param history {@code [historyLength * historyWidth]}, empty where the surface keeps none
   * @param items {@code [candidates * itemWidth]}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never written to
  record Encoded(float[] context, float[] history, float[] items) {}

  /** One surface's ring; a slot is written whole or not at all. */
  private static final class Ring {
    private final AtomicReferenceArray<@Nullable Encoded> slots = new AtomicReferenceArray<>(KEPT);
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong takenNanos = new AtomicLong();
  }

  @Inject
  RecentRequests(Surfaces surfaces) {
    this(surfaces, System::nanoTime);
  }

  /**
   * @param nanos as {@link System#nanoTime}
   */
  RecentRequests(Surfaces surfaces, LongSupplier nanos) {
    this.nanos = nanos;
    surfaces.all().forEach(surface -> rings.put(surface.name(), new Ring()));
  }

  /** Copies the encoded row of one candidate to {@code target[offset..offset + itemWidth)}. */
  @FunctionalInterface
  public interface Rows {
    void copy(int candidate, float[] target, int offset);
  }

  /**
   * Offers a request that is being scored; what is kept is copied. The arrays may be longer than
   * what is used of them.
   *
   * @param candidates how many rows there are; a request without any is not kept
   */
  public void offer(
      DeclaredSurface surface, float[] context, float[] history, int candidates, Rows rows) {
    Ring ring = rings.get(surface.name());
    if (ring == null || candidates == 0 || !isWanted(ring)) {
      return;
    }
    FeatureLayout layout = surface.layout();
    int width = layout.itemWidth();
    int kept = Math.min(candidates, Math.max(1, MAX_ITEM_FLOATS / width));
    float[] items = new float[kept * width];
    for (int candidate = 0; candidate < kept; candidate++) {
      rows.copy(candidate, items, candidate * width);
    }
    Encoded copy =
        new Encoded(
            Arrays.copyOf(context, layout.contextWidth()),
            Arrays.copyOf(history, layout.historyLength() * layout.historyWidth()),
            items);
    ring.slots.set((int) (ring.taken.getAndIncrement() % KEPT), copy);
  }

  /** The requests that are kept of a surface, in no order; empty where none came yet. */
  List<Encoded> of(DeclaredSurface surface) {
    List<Encoded> kept = new ArrayList<>(KEPT);
    Ring ring = rings.get(surface.name());
    for (int i = 0; ring != null && i < KEPT; i++) {
      Encoded request = ring.slots.get(i);
      if (request != null) {
        kept.add(request);
      }
    }
    return kept;
  }

  /** The first ones all, then one in a while; of several at once, one wins. */
  private boolean isWanted(Ring ring) {
    long now = nanos.getAsLong();
    long before = ring.takenNanos.get();
    boolean due =
        ring.taken.get() < KEPT || now - before >= Duration.ofMillis(MILLIS_BETWEEN).toNanos();
    return due && ring.takenNanos.compareAndSet(before, now);
  }
}
