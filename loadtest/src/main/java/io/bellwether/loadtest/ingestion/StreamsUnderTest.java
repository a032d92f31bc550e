package io.bellwether.loadtest.ingestion;

import java.net.URI;

/**
 * A Kafka and a Redis of our own, and the streams process, which is started by whoever measures.
 *
 * @param kafka bootstrap servers
 * @param redis address
 * @param streams starts it on the benchmark's surface, with the options of one machine; returns
 *     when it runs
 */
public record StreamsUnderTest(String kafka, URI redis, Start streams) {

  @FunctionalInterface
  public interface Start {
    void start() throws Exception;
  }

  /** Starts all but the streams, hands it out, and stops it. */
  @FunctionalInterface
  public interface Source {
    /**
     * @param surfaceName of the file's name
     * @param surface the declaration, YAML
     */
    <T> T with(String surfaceName, String surface, Use<T> use) throws Exception;
  }

  /** What is done with it. */
  @FunctionalInterface
  public interface Use<T> {
    T apply(StreamsUnderTest system) throws Exception;
  }
}
