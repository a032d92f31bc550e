package io.bellwether.serving.policy;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Tries a version before it serves: first on batches of every size that serving makes, so that no
 * request meets a cold one; then request by request against the clock. Stateless but for the clock.
 */
final class WarmUp {

  /**
   * How much of a surface's deadline scoring may take. At 70 % of it the fallback answers; the rest
   * is for the queue, the history and the draw.
   */
  static final double SHARE_OF_DEADLINE = 0.5;

  /**
   * A slow version is slow in every round; a busy machine is not, and must not keep a good version
   * from serving.
   */
  static final int ROUNDS = 3;

  static final int RUNS = 100;

  /** How many of a hundred runs may take longer: the 99th percentile is the last but one. */
  private static final int MAY_BE_SLOW = 1;

  private static final int[] BATCHES = {1, 2, 4, 8, 16, 32};

  /** More candidates in one batch than serving would put there are not worth a try. */
  private static final int MOST_CANDIDATES = 4096;

  private final LongSupplier nanos;

  /**
   * What came out.
   *
   * @param requests different ones that were tried; 0 where none was known and zeros stood in
   * @param p99 the 99th percentile of the time to score one request, of the fastest round
   */
  record Tried(int requests, Duration p99) {}

  /**
   * @param nanos a clock, or the time that the calling thread has had
   */
  WarmUp(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Tries a version.
   *
   * @param recent requests as they come on its surface
   * @param candidates of the request of zeros that stands in where there are none
   * @param limit that scoring one request may take at the 99th percentile
   * @throws VersionRefusedException where it is slower, or gives a number that is not finite
   * @throws io.bellwether.policy.scoring.ScoringException where it fails
   */
  Tried run(Scorer scorer, List<RecentRequests.Encoded> recent, int candidates, Duration limit) {
    scorer.warmUp();
    List<RecentRequests.Encoded> requests =
        recent.isEmpty() ? List.of(zeros(scorer.schema(), candidates)) : recent;
    ScoringBatch batch = new ScoringBatch(scorer.schema());
    long fastest = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && fastest > limit.toNanos(); round++) {
      fastest = Math.min(fastest, round(scorer, batch, requests, limit.toNanos()));
    }
    if (fastest > limit.toNanos()) {
      throw new VersionRefusedException(
          "it is too slow: to score a request takes it %.1f ms, the surface's deadline leaves %.1f ms"
              .formatted(fastest / 1e6, limit.toNanos() / 1e6));
    }
    // Last: a version that is slow with one request would take a minute for these.
    for (int size : BATCHES) {
      tryBatch(scorer, batch, requests, size);
    }
    return new Tried(recent.size(), Duration.ofNanos(fastest));
  }

  private static RecentRequests.Encoded zeros(FeatureSchema schema, int candidates) {
    return new RecentRequests.Encoded(
        new float[schema.contextWidth()],
        new float[schema.historySize()],
        new float[candidates * schema.itemWidth()]);
  }

  private static void tryBatch(
      Scorer scorer, ScoringBatch batch, List<RecentRequests.Encoded> requests, int size) {
    batch.clear();
    for (int i = 0; i < size && batch.candidates() < MOST_CANDIDATES; i++) {
      add(batch, requests.get(i % requests.size()));
    }
    checkFinite(scorer.score(batch).logits());
  }

  /** The 99th percentile of one round; ends early once it can only be beyond the limit. */
  private long round(
      Scorer scorer, ScoringBatch batch, List<RecentRequests.Encoded> requests, long limitNanos) {
    long[] took = new long[RUNS];
    int slow = 0;
    int runs = 0;
    for (; runs < RUNS && slow <= MAY_BE_SLOW; runs++) {
      long from = nanos.getAsLong();
      batch.clear();
      add(batch, requests.get(runs % requests.size()));
      float[] logits = scorer.score(batch).logits();
      took[runs] = nanos.getAsLong() - from;
      slow += took[runs] > limitNanos ? 1 : 0;
      checkFinite(logits);
    }
    Arrays.sort(took, 0, runs);
    return took[Math.max(0, runs - 1 - MAY_BE_SLOW)];
  }

  private static void add(ScoringBatch batch, RecentRequests.Encoded request) {
    batch.add(request.context(), request.history(), request.items());
  }

  private static void checkFinite(float[] logits) {
    for (int i = 0; i < logits.length; i++) {
      if (!Float.isFinite(logits[i])) {
        throw new VersionRefusedException(
            "it gives %s to candidate %d of the requests that came lately".formatted(logits[i], i));
      }
    }
  }
}
