package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationRunsTest {

  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

  @TempDir Path root;

  private EvaluationRuns.Run open(String fingerprint, int minute) throws IOException {
    Instant now = START.plus(Duration.ofMinutes(minute));
    return new EvaluationRuns(root, Clock.fixed(now, ZoneOffset.UTC)).open(fingerprint);
  }

  /** What a run leaves. */
  private void run(String fingerprint, int minute) throws IOException {
    try (EvaluationRuns.Run run = open(fingerprint, minute)) {
      Path columns = Files.createDirectories(run.folder().columns());
      Files.writeString(columns.resolve("column-0"), fingerprint);
    }
  }

  private Set<String> folders() throws IOException {
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void theLastThreeAreKeptWithWhatTheyHave() throws IOException {
    run("a", 1);
    run("b", 2);
    run("c", 3);
    run("a", 4);
    run("d", 5);
    assertEquals(Set.of("evaluation-a", "evaluation-c", "evaluation-d"), folders());
    try (EvaluationRuns.Run again = open("a", 6)) {
      assertEquals("a", Files.readString(again.folder().columns().resolve("column-0")));
    }
  }

  @Test
  void oneThatRunsIsNotRemovedHoweverOldItIs() throws IOException {
    try (EvaluationRuns.Run running = open("a", 1)) {
      for (int other = 0; other < 5; other++) {
        run("b" + other, 2 + other);
      }
      assertTrue(Files.isDirectory(running.folder().path()));
      assertEquals(
          Set.of("evaluation-a", "evaluation-b2", "evaluation-b3", "evaluation-b4"), folders());
    }
  }

  @Test
  void theSameEvaluationIsRefusedWhileItRunsAndNotAfterwards() throws IOException {
    try (EvaluationRuns.Run running = open("a", 1)) {
      IOException refused = assertThrows(IOException.class, () -> open("a", 2));
      assertTrue(String.valueOf(refused.getMessage()).contains(running.folder().path().toString()));
    }
    open("a", 3).close();
  }

  @Test
  void whatAnotherHadNoTimeToDeleteIsDeleted() throws IOException {
    Path leftOver = Files.createDirectories(root.resolve("removed-evaluation-x/columns"));
    Files.writeString(leftOver.resolve("column-0"), "x");
    run("a", 1);
    assertFalse(Files.exists(leftOver));
    assertEquals(Set.of("evaluation-a"), folders());
  }
}
