package io.bellwether.infra.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessGroupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;
  private final BlockingQueue<ChildFailed> deaths = new LinkedBlockingQueue<>();
  private ProcessGroup group;

  @BeforeEach
  void create() {
    group = new ProcessGroup(folder.resolve("logs"), deaths::add);
  }

  @AfterEach
  void close() {
    group.close();
  }

  /** A child that says so in the file {@code order} when it is asked to stop. */
  private ChildProcess start(String name) throws Exception {
    String script =
        "trap 'echo %s >> order; exit 0' TERM; touch %s; while :; do sleep 0.1; done"
            .formatted(name, name);
    Program program = new Program(name, List.of("sh", "-c", script), Map.of(), folder);
    return group.start(program, Readiness.file(folder.resolve(name)), PATIENCE);
  }

  @Test
  void childrenAreStoppedInReverseOrder() throws Exception {
    start("platform");
    start("streams");
    start("serving");
    group.close();
    assertEquals(
        List.of("serving", "streams", "platform"), Files.readAllLines(folder.resolve("order")));
  }

  @Test
  void aRestartedChildKeepsItsPlaceInTheOrder() throws Exception {
    ChildProcess first = start("platform");
    start("serving");
    ChildProcess second = group.restart("platform", () -> true, PATIENCE);
    assertNotEquals(first.pid(), second.pid());
    assertFalse(first.alive());
    assertEquals(
        List.of("platform", "serving"), group.inOrder().stream().map(ChildProcess::name).toList());
  }

  @Test
  void oneThatEndsUnaskedIsReported() throws Exception {
    ChildProcess child = start("streams");
    ProcessHandle.of(child.pid()).orElseThrow().destroyForcibly();
    ChildFailed death = deaths.poll(20, TimeUnit.SECONDS);
    assertEquals("streams", death.program());
    assertTrue(death.toString().contains("streams ended unexpectedly with exit code 137"));
  }

  @Test
  void oneThatWeKilledIsNotReportedAndCanBeStartedAgain() throws Exception {
    ChildProcess child = start("streams");
    group.kill("streams");
    assertFalse(child.alive());
    assertTrue(start("streams").alive());
    group.close();
    assertNull(deaths.poll());
  }

  @Test
  void aNameIsGivenOnlyOnce() throws Exception {
    start("streams");
    assertThrows(IllegalStateException.class, () -> start("streams"));
  }

  @Test
  void aClosedGroupStartsNothing() {
    group.close();
    assertTrue(group.closed());
    assertThrows(IllegalStateException.class, () -> start("streams"));
  }
}
