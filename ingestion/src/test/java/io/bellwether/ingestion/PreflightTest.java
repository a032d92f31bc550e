package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.attribution.AttributionSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {

  @TempDir Path folder;

  @Test
  void aCheckpointThatComesRarerThanTransactionsEndIsNamedWithBothTimes() {
    String refused = refused(options(folder, Duration.ofMinutes(10)), Duration.ofMinutes(15));

    assertTrue(refused.contains("--checkpoint-interval is 600.0 s"), refused);
    assertTrue(refused.contains("after 900.0 s (transaction.max.timeout.ms)"), refused);
    assertTrue(refused.contains("at least every 300.0 s"), refused);
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertTrue(
        refused(options(file, Duration.ofSeconds(1)), Duration.ofMinutes(15))
            .contains("--data " + file));
  }

  @Test
  void whatCanWorkIsLetThrough() {
    assertDoesNotThrow(
        () ->
            Preflight.check(
                options(folder.resolve("new"), Duration.ofSeconds(1)),
                AttributionSettings.defaults(),
                List.of(TestEvents.surface()),
                Duration.ofMinutes(15)));
  }

  @Test
  void aClusterIsNamedByHostAndPort() {
    assertEquals(new SessionCluster("flink", 8081), SessionCluster.parse("flink"));
    assertEquals(new SessionCluster("127.0.0.1", 99), SessionCluster.parse("127.0.0.1:99"));
    assertThrows(IllegalArgumentException.class, () -> SessionCluster.parse("flink:rest"));
    assertThrows(IllegalArgumentException.class, () -> SessionCluster.parse(":8081"));
  }

  private static String refused(StreamsOptions options, Duration transactionTimeout) {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () ->
                Preflight.check(
                    options,
                    AttributionSettings.defaults(),
                    List.of(TestEvents.surface()),
                    transactionTimeout));
    return String.valueOf(e.getMessage());
  }

  private static StreamsOptions options(Path data, Duration checkpointInterval) {
    return new StreamsOptions(
        "127.0.0.1:9092",
        "redis://127.0.0.1",
        Path.of("surfaces"),
        data,
        2,
        checkpointInterval,
        OptionalLong.empty());
  }
}
