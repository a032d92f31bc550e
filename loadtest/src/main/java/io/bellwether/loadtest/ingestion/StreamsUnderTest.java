package io.bellwether.loadtest.ingestion;

/**
 * A Kafka and a Redis of our own.
 *
 * @param kafka bootstrap servers
 * @param redis address
 */
public record StreamsUnderTest(String kafka, String redis) {

  /** Starts them, hands them out, and stops them. */
  @FunctionalInterface
  public interface Source {
    <T> T with(Use<T> use) throws Exception;
  }

  /** What is done with them. */
  @FunctionalInterface
  public interface Use<T> {
    T apply(StreamsUnderTest system) throws Exception;
  }
}
