package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.JvmLimits;
import io.bellwether.infra.local.LocalSettings;
import io.bellwether.infra.local.LocalSystem;
import io.bellwether.infra.local.LocalSystemFailed;
import io.bellwether.infra.local.RunningSystem;
import io.bellwether.infra.process.ChildFailed;
import io.bellwether.infra.process.ChildProcess;
import io.bellwether.infra.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts the whole product on this machine, without simulated people. */
@Command(
    name = "up",
    description = {
      "Start everything on this machine: Kafka, Redis, the stream jobs and serving.",
      "Runs until Ctrl-C, or until `bellwether down`. A second start goes on with the data that is"
          + " there. Reachable from this machine only; set BELLWETHER_API_KEYS to ask clients for"
          + " a key."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether up                                  with the examples' surfaces",
      "  bellwether up --surfaces my/surfaces --port 9090",
      "  bellwether up --detach && bellwether down      in the background"
    })
final class UpVerb implements Callable<Integer> {
  /** The command itself only waits. */
  private static final JvmLimits WAITING = new JvmLimits(64, 16, true);

  /** The sum of what a start waits for, on busy cores. */
  private static final Duration READY = Duration.ofMinutes(4);

  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--surfaces",
      paramLabel = "DIR",
      description = "Folder of the surface declarations (default: examples/surfaces).")
  private @Nullable Path surfaces;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port of serving (default: 8080 if it is free at the first start).")
  private @Nullable Integer port;

  @Option(
      names = "--detach",
      description = "Return when decisions can be asked for, and leave everything running.")
  private boolean detach;

  UpVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    if (port != null && (port < 1 || port > 65_535)) {
      throw CommandFailed.wrongInput("--port " + port + " is no port.", "Give one of 1 to 65535.");
    }
    if (!Files.isDirectory(surfaces())) {
      throw CommandFailed.wrongInput(
          "There is no folder " + surfaces() + ".",
          "Name the folder of your surface declarations with --surfaces.");
    }
    return detach ? inBackground() : inForeground();
  }

  private int inForeground() throws InterruptedException, IOException {
    OptionalInt given = port == null ? OptionalInt.empty() : OptionalInt.of(port);
    String apiKeys = System.getenv().getOrDefault("BELLWETHER_API_KEYS", "");
    LocalSettings settings = new LocalSettings(data.folder(), surfaces(), given, apiKeys);
    try (LocalSystem system = LocalSystem.start(installation, settings, terminal::progress)) {
      announce(RunningSystem.on(data.folder()).orElseThrow());
      LocalSystemFailed accident = system.awaitAccident();
      throw CommandFailed.unavailable(
          String.valueOf(accident.getMessage()), accident.next(), accident);
    } catch (LocalSystemFailed e) {
      throw CommandFailed.unavailable(String.valueOf(e.getMessage()), e.next(), e);
    }
  }

  private int inBackground() throws InterruptedException, IOException {
    Path folder = data.folder();
    ChildProcess up = ChildProcess.startDetached(program(), folder.resolve("logs"));
    terminal.progress("Starting in the background; progress in " + up.log());
    try {
      up.awaitReady(() -> runs(folder, up.pid()), READY);
    } catch (ChildFailed e) {
      up.stop(READY);
      throw CommandFailed.unavailable(
          String.valueOf(e.getMessage()), "Run `./bellwether up` to see it on the terminal.", e);
    }
    announce(RunningSystem.on(folder).orElseThrow());
    return ExitCode.DONE;
  }

  private void announce(RunningSystem running) {
    terminal.print("Bellwether runs: " + running.url());
    terminal.print("Stop it with " + (detach ? "`./bellwether down`." : "Ctrl-C."));
    json.write(running);
  }

  private Program program() {
    List<String> arguments = new ArrayList<>(List.of("up", "--data", data.folder().toString()));
    arguments.addAll(List.of("--surfaces", surfaces().toString()));
    if (port != null) {
      arguments.addAll(List.of("--port", port.toString()));
    }
    return installation.javaProgram("up", WAITING, Bellwether.class.getName(), arguments);
  }

  private Path surfaces() {
    return surfaces != null
        ? surfaces.toAbsolutePath()
        : installation.home().resolve("examples").resolve("surfaces");
  }

  private static boolean runs(Path data, long pid) {
    try {
      return RunningSystem.on(data).filter(running -> running.pid() == pid).isPresent();
    } catch (IOException notYet) {
      return false;
    }
  }
}
