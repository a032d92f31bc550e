package io.bellwether.serving.decision;

import io.bellwether.serving.item.ItemFeed;
import io.bellwether.serving.policy.PolicyLoader;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.redis.RedisLink;
import jakarta.inject.Singleton;

/**
 * What has to be known after a start before anything is decided. Without it a service that came
 * back after a crash would call registered items unknown and decide uniformly, or decide anew what
 * Redis keeps for retries, and a client that goes on sending while it restarts would see both.
 * Thread-safe.
 */
@Singleton
final class Preparation {

  private static final int RETRY_AFTER_SECONDS = 1;

  private final PolicyLoader policies;
  private final ItemFeed items;
  private final RedisLink redis;

  Preparation(PolicyLoader policies, ItemFeed items, RedisLink redis) {
    this.policies = policies;
    this.items = items;
    this.redis = redis;
  }

  /**
   * Does nothing once policies and registered items are known, and Redis was met or is away.
   *
   * @throws ProblemException {@code unavailable} before that
   */
  void require() {
    if (!policies.settled() || !items.caughtUp() || !redis.settled()) {
      throw ProblemException.retryAfter(
          Slug.UNAVAILABLE,
          RETRY_AFTER_SECONDS,
          "The service has just started and still reads its policies and registered items; send"
              + " the same request again.");
    }
  }
}
