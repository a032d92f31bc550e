package io.bellwether.ingestion.erasure;

import java.io.Serializable;

/**
 * Where erasures are told of. Immutable.
 *
 * @param bootstrap Kafka, {@code host:port}, several separated by commas; empty: nobody is erased
 */
public record ErasureTopic(String bootstrap) implements Serializable {

  /** Nobody is erased. */
  public static final ErasureTopic NONE = new ErasureTopic("");

  /**
   * Reads all erasures there are and goes on following; whoever opens it closes it.
   *
   * @throws IllegalStateException where they cannot be read: nothing may be read before it is known
   *     what of it is to be forgotten
   */
  public ErasureFeed open() {
    return bootstrap.isEmpty() ? ErasureFeed.ofNone() : ErasureFeed.follow(bootstrap);
  }
}
