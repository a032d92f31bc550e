package io.bellwether.serving.policy;

import io.bellwether.policy.object.Depot;
import io.bellwether.policy.redis.PolicyWatcher;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.s3.StoreAddress;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.serving.ServingConfig;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policy store, and the news about its aliases through Redis: moves made here are announced,
 * moves made elsewhere wake the loader. Owns the connection. Thread-safe.
 */
@Singleton
final class AliasFeed {

  /** Aliases move rarely, and nobody waits for this: Redis may take longer than on a request. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final ServingConfig config;
  private final Depot depot;
  private final PolicyStore store;
  private @Nullable RedisAliasIndex index;
  private @Nullable PolicyWatcher watcher;

  AliasFeed(ServingConfig config, Clock clock, SignatureCheck signatures) {
    this.config = config;
    SigningKey key = config.policySigningKey().map(SigningKey::read).orElse(null);
    depot = StoreAddress.of(config.store()).open(System.getenv());
    store = new PolicyStore(depot, clock, this::announce, key).guardedBy(signatures.guard());
  }

  /** Where the store's bytes are; experiments are kept there too. */
  @Produces
  @Singleton
  Depot depot() {
    return depot;
  }

  @Produces
  @Singleton
  PolicyStore store() {
    return store;
  }

  /** Calls {@code wake} for each move from now on; the watcher's thread must not be held. */
  synchronized void follow(Runnable wake) {
    index = new RedisAliasIndex(address(), TIMEOUT);
    watcher = new PolicyWatcher(store, index, config.policyPoll(), move -> wake.run());
    watcher.start();
  }

  synchronized void stop(@Observes ShutdownEvent event) {
    if (watcher != null) {
      watcher.close();
    }
    if (index != null) {
      index.close();
    }
  }

  private void announce(AliasMove move) {
    RedisAliasIndex open;
    synchronized (this) {
      open = index;
    }
    if (open != null) {
      open.record(move);
    }
  }

  private String address() {
    String address = config.redis();
    return address.contains("://") ? address : "redis://" + address;
  }
}
