package io.bellwether.infra.process;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphanIT {
  private static final String CHILD =
      "trap 'touch ended; exit 0' TERM; touch ready; while :; do sleep 0.1; done";

  @TempDir Path folder;

  /** A program of ours that starts a child, says when it is ready, and waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[0]);
      Program program = new Program("child", List.of("sh", "-c", CHILD), Map.of(), folder);
      ChildProcess child = ChildProcess.start(program, folder);
      child.awaitReady(Readiness.file(folder.resolve("ready")), Duration.ofSeconds(20));
      System.out.println("ready");
      Thread.currentThread().join();
    }
  }

  @Test
  void aChildEndsWhenItsParentIsKilled() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                location(Parent.class) + File.pathSeparator + location(ChildProcess.class),
                Parent.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = parent.inputReader();
        WatchService changes = FileSystems.getDefault().newWatchService()) {
      assertNotNull(output.readLine());
      folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
      parent.destroyForcibly().waitFor();
      while (!Files.exists(folder.resolve("ended"))) {
        var change = changes.poll(20, TimeUnit.SECONDS);
        assertNotNull(change, "the child goes on");
        change.reset();
      }
    }
  }

  private static Path location(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
