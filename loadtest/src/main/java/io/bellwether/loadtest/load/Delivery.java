package io.bellwether.loadtest.load;

import java.time.Duration;

/**
 * How outcomes travel from people to Bellwether.
 *
 * @param timeFactor how many times faster than people the run is; delays are divided by it
 * @param lateShare share of outcomes that are held up on the way, for up to {@code maxHoldUp}
 * @param twiceShare share of outcomes that are sent once more with the same id, within {@code
 *     maxHoldUp}
 * @param maxBatch outcomes in one request
 * @param maxPending outcomes on the way; sessions wait while there are more
 */
public record Delivery(
    double timeFactor,
    double lateShare,
    double twiceShare,
    Duration maxHoldUp,
    int maxBatch,
    int maxPending) {
  public static final Delivery DEFAULT =
      new Delivery(60, 0.05, 0.01, Duration.ofSeconds(3), 200, 100_000);

  public Delivery {
    if (!(timeFactor > 0)
        || !isShare(lateShare)
        || !isShare(twiceShare)
        || maxHoldUp.isNegative()) {
      throw new IllegalArgumentException(
          "A time factor is positive, a share is from 0 to 1, a hold-up is not negative; found "
              + "%s, %s, %s and %s".formatted(timeFactor, lateShare, twiceShare, maxHoldUp));
    }
    if (maxBatch < 1 || maxBatch > 1000 || maxPending < 1) {
      throw new IllegalArgumentException(
          "A batch holds 1 to 1000 outcomes and at least one is pending; found "
              + maxBatch
              + " and "
              + maxPending);
    }
  }

  private static boolean isShare(double value) {
    return value >= 0 && value <= 1;
  }
}
