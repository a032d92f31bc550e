package io.bellwether.infra.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;

  private Program shell(String script) {
    return new Program("child", List.of("sh", "-c", script), Map.of("GREETING", "hi"), folder);
  }

  private ChildProcess start(String script) throws Exception {
    return ChildProcess.start(shell(script), folder.resolve("logs"));
  }

  @Test
  void itsOutputGoesToItsLog() throws Exception {
    ChildProcess child = start("echo out $GREETING; echo err >&2");
    assertFalse(child.awaitEnd());
    assertEquals(List.of("out hi", "err"), Files.readAllLines(folder.resolve("logs/child.log")));
  }

  @Test
  void oneThatEndsBeforeItIsReadyIsReportedWithItsLastLines() throws Exception {
    ChildProcess child = start("seq 1 30; exit 7");
    ChildFailed failed =
        assertThrows(ChildFailed.class, () -> child.awaitReady(() -> false, PATIENCE));
    assertEquals("ended with exit code 7 before it was ready", failed.what());
    assertTrue(failed.toString().endsWith("\n  29\n  30"), failed.toString());
    assertFalse(failed.toString().contains("\n  10\n"), failed.toString());
  }

  @Test
  void oneThatIsNotReadyInTimeIsReported() throws Exception {
    ChildProcess child = start("exec sleep 60");
    ChildFailed failed =
        assertThrows(ChildFailed.class, () -> child.awaitReady(() -> false, Duration.ZERO));
    assertEquals("was not ready within 0 s", failed.what());
    child.kill();
  }

  @Test
  void itIsReadyWhenItsFileIsThere() throws Exception {
    ChildProcess child = start("touch ready; exec sleep 60");
    child.awaitReady(Readiness.file(folder.resolve("ready")), PATIENCE);
    child.stop(PATIENCE);
    assertFalse(child.alive());
  }

  @Test
  void oneThatIgnoresTheRequestToStopIsKilledAfterTheGraceTime() throws Exception {
    ChildProcess child = start("trap '' TERM; touch ready; while :; do sleep 1; done");
    child.awaitReady(Readiness.file(folder.resolve("ready")), PATIENCE);
    child.stop(Duration.ofMillis(200));
    assertFalse(child.alive());
    assertTrue(child.awaitEnd());
  }

  @Test
  void anInterruptFromTheTerminalDoesNotReachIt() throws Exception {
    ChildProcess child = start("touch ready; exec sleep 60");
    child.awaitReady(Readiness.file(folder.resolve("ready")), PATIENCE);
    assertEquals(Long.toString(child.pid()), processGroup(child.pid()));
    child.kill();
  }

  @Test
  void itsMemoryIsKnownWhileItLives() throws Exception {
    ChildProcess child = start("touch ready; exec sleep 60");
    child.awaitReady(Readiness.file(folder.resolve("ready")), PATIENCE);
    assertTrue(child.residentBytes().orElse(1) > 0);
    child.kill();
  }

  private static String processGroup(long pid) throws Exception {
    Process ps = new ProcessBuilder("ps", "-o", "pgid=", "-p", Long.toString(pid)).start();
    assertTrue(ps.waitFor(20, TimeUnit.SECONDS));
    return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
  }
}
