package io.bellwether.infra.command;

import io.bellwether.infra.local.LocalSystem;
import io.bellwether.infra.local.RunningSystem;
import io.bellwether.infra.process.FolderLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops what {@code up} or {@code demo} started on a data folder; the data stays. */
@Command(
    name = "down",
    description = "Stop what runs on the data folder; the data stays.",
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether down", "  bellwether down --data /srv/bellwether"})
final class DownVerb implements Callable<Integer> {
  /** Three parts, each with its own grace time. */
  private static final Duration STOPPED = Duration.ofSeconds(90);

  private final Terminal terminal;
  @Mixin private final DataOption data = new DataOption();

  DownVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = data.folder();
    if (!Files.isDirectory(folder) || ended(folder, Duration.ZERO)) {
      terminal.print("Nothing runs on " + folder + ".");
      return ExitCode.DONE;
    }
    Optional<RunningSystem> running = RunningSystem.on(folder);
    if (running.isEmpty()) {
      throw CommandFailed.unavailable(
          "Something is just starting or stopping on " + folder + ".", "Try again.", null);
    }
    terminal.progress("Stopping process " + running.get().pid());
    ProcessHandle.of(running.get().pid()).ifPresent(ProcessHandle::destroy);
    if (!ended(folder, STOPPED)) {
      throw CommandFailed.unavailable(
          "Process " + running.get().pid() + " did not stop within " + STOPPED.toSeconds() + " s.",
          "See the logs in " + folder.resolve("logs") + ", then try again.",
          null);
    }
    terminal.print("Stopped. The data stays in " + folder + ".");
    return ExitCode.DONE;
  }

  /** Whoever runs on the folder holds its lock to the end. */
  private static boolean ended(Path folder, Duration patience)
      throws IOException, InterruptedException {
    Optional<FolderLock> lock = FolderLock.take(folder, LocalSystem.LOCK, patience);
    if (lock.isPresent()) {
      lock.get().close();
    }
    return lock.isPresent();
  }
}
