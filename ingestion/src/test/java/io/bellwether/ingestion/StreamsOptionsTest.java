package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StreamsOptionsTest {

  private static final String[] REQUIRED = {
    "--kafka", "127.0.0.1:9092", "--redis", "redis://127.0.0.1", "--surfaces", "/s", "--data", "/d"
  };

  @Test
  void whatIsLeftOutHasADefault() {
    assertEquals(
        new StreamsOptions(
            "127.0.0.1:9092",
            "redis://127.0.0.1",
            Path.of("/s"),
            Path.of("/d"),
            2,
            Duration.ofSeconds(1),
            OptionalLong.empty()),
        StreamsOptions.parse(REQUIRED));
  }

  @Test
  void everythingCanBeSaid() {
    StreamsOptions options =
        StreamsOptions.parse(
            with("--parallelism", "3", "--checkpoint-interval", "0.5s", "--parent", "42"));

    assertEquals(3, options.parallelism());
    assertEquals(Duration.ofMillis(500), options.checkpointInterval());
    assertEquals(OptionalLong.of(42), options.parent());
  }

  @Test
  void stateMetricsAndClusterCanBeSaid() {
    StreamsOptions options =
        StreamsOptions.parse(
            with(
                "--state-backend", "rocksdb", "--metrics-port", "9249", "--cluster", "flink:8081"));

    assertEquals("rocksdb", options.stateBackend());
    assertEquals(OptionalInt.of(9249), options.metricsPort());
    assertEquals(Optional.of(new SessionCluster("flink", 8081)), options.cluster());
  }

  @Test
  void mistakesAreNamed() {
    assertTrue(mistake("--kafka", "k").contains("is missing"));
    assertTrue(mistake(with("--paralelism", "2")).contains("unknown option '--paralelism'"));
    assertTrue(mistake(with("--parallelism", "0")).contains("'0', not a number above 0"));
    assertTrue(mistake(with("--checkpoint-interval", "soon")).contains("'soon'"));
    assertTrue(mistake(with("--state-backend", "disk")).contains("neither hashmap nor rocksdb"));
    assertTrue(mistake(with("--metrics-port", "70000")).contains("above 65535"));
    assertTrue(mistake(with("--cluster", "flink:rest")).contains("no address"));
    assertTrue(mistake(with("--parent")).contains("--parent needs a value"));
  }

  private static String mistake(String... arguments) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> StreamsOptions.parse(arguments));
    return String.valueOf(e.getMessage());
  }

  private static String[] with(String... more) {
    String[] all = Arrays.copyOf(REQUIRED, REQUIRED.length + more.length);
    System.arraycopy(more, 0, all, REQUIRED.length, more.length);
    return all;
  }
}
