package io.bellwether.ingestion.erasure;

import org.apache.flink.util.function.SerializableSupplier;

/**
 * Where erasures are told of. Immutable.
 *
 * @param bootstrap Kafka, {@code host:port}, several separated by commas; empty: nobody is erased
 */
public record ErasureTopic(String bootstrap) implements SerializableSupplier<ErasureFeed> {

  /** Nobody is erased. */
  public static final ErasureTopic NONE = new ErasureTopic("");

  /**
   * Reads all erasures there are and goes on following; whoever opens it closes it.
   *
   * @throws IllegalStateException where they cannot be read: nothing may be read before it is known
   *     what of it is to be forgotten
   */
  @Override
  public ErasureFeed get() {
    return bootstrap.isEmpty()
        ? ErasureFeed.of(new ErasedSubjects())
        : ErasureFeed.follow(bootstrap);
  }

  /** Who is erased now. Fails as {@link #get}. */
  public ErasedSubjects now() {
    try (ErasureFeed feed = get()) {
      return feed.subjects();
    }
  }
}
