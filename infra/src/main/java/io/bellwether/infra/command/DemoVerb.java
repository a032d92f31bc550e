package io.bellwether.infra.command;

import io.bellwether.infra.demo.Demo;
import io.bellwether.infra.demo.DemoMemory;
import io.bellwether.infra.demo.DemoPlan;
import io.bellwether.infra.demo.DemoResult;
import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.LocalSettings;
import io.bellwether.infra.local.LocalSystem;
import io.bellwether.infra.local.LocalSystemFailed;
import io.bellwether.infra.process.FolderLock;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.loadtest.load.UndeliveredException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Closes the whole loop on this machine, with simulated people. */
@Command(
    name = "demo",
    description = {
      "Close the whole loop on this machine: start everything, send simulated people, train, judge,"
          + " promote, and replay every decision.",
      "Ctrl-C stops all of it; a second start goes on with the data that is there."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether demo                                          watch it, and keep it running",
      "  bellwether demo --reset                                  start over",
      "  bellwether demo --headless --minutes 6 --json out.json   for scripts"
    })
final class DemoVerb implements Callable<Integer> {

  private static final int DEFAULT_MINUTES = 6;

  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--headless",
      description = "End when the loop has closed, instead of running on until Ctrl-C.")
  private boolean headless;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "About how long the loop may take, at least 3 (default: 6).")
  private int minutes = DEFAULT_MINUTES;

  @Option(names = "--reset", description = "Delete the demo's data first.")
  private boolean reset;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of training (default: 1).")
  private long seed = 1;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port of serving (default: 8080 if it is free at the first start).")
  private @Nullable Integer port;

  DemoVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = clock.instant();
    if (minutes < 3) {
      throw CommandFailed.wrongInput(
          "--minutes " + minutes + " is too short to learn anything.", "Give at least 3.");
    }
    if (reset) {
      delete(data.folder());
    }
    OptionalInt given = port == null ? OptionalInt.empty() : OptionalInt.of(port);
    LocalSettings settings = new LocalSettings(data.folder(), surfaces(), given, "");
    DemoPlan plan = DemoPlan.of(Duration.ofMinutes(minutes), seed);
    try (LocalSystem system = LocalSystem.start(installation, settings, terminal::progress)) {
      Demo demo = new Demo(system, plan, start, clock, terminal::progress);
      DemoResult result = demo.run();
      json.write(result);
      int code = report(result);
      if (!headless) {
        demo.goOn();
      }
      return code;
    } catch (LocalSystemFailed e) {
      throw CommandFailed.unavailable(String.valueOf(e.getMessage()), e.next(), e);
    } catch (UndeliveredException e) {
      throw CommandFailed.unavailable(
          String.valueOf(e.getMessage()), "See the logs in " + data.folder().resolve("logs"), e);
    } catch (InvalidSurfaceException e) {
      throw CommandFailed.wrongInput(String.valueOf(e.getMessage()), "Mend the surface file.");
    }
  }

  private int report(DemoResult result) {
    List<String> failures = result.failures();
    say("sent      %d decisions, %d outcomes", result.sent().decisions(), result.sent().outcomes());
    say(
        "joined    %d transitions, %d outcomes, %d dead letters",
        result.joined().transitions(), result.joined().outcomes(), result.joined().deadLetters());
    say("value     true watch seconds per session, discounted");
    sayValue("uniform", result.value().uniform());
    sayValue("logging", result.value().logging());
    sayValue("cloned", result.value().cloned());
    sayValue("learned", result.value().learned());
    for (DemoResult.Promise each : result.constraints()) {
      say(
          "promise   %s: bound %.4f, true value %.4f [%.4f, %.4f]",
          each.promise(), each.bound(), each.value(), each.low(), each.high());
    }
    say("verdict   %s", result.verdict());
    say("replay    %d of %d equal", result.replay().equal(), result.replay().checked());
    failures.forEach(failure -> say("NOT AS IT SHOULD BE: %s", failure));
    say(failures.isEmpty() ? "The loop has closed." : "The loop has not closed.");
    return failures.isEmpty() ? ExitCode.DONE : ExitCode.NO;
  }

  private void sayValue(String policy, DemoResult.Interval value) {
    say("  %-8s%.1f [%.1f, %.1f]", policy, value.mean(), value.low(), value.high());
  }

  private void say(String format, Object... figures) {
    terminal.print(String.format(Locale.ROOT, format, figures));
  }

  /**
   * The simulated product's surface alone, so that what else is declared does not get in the way.
   */
  private Path surfaces() throws IOException {
    Path folder = data.folder().resolve("surfaces");
    Files.createDirectories(folder);
    Files.copy(
        installation.home().resolve(Path.of("examples", "surfaces", "short-video.yaml")),
        folder.resolve("short-video.yaml"),
        StandardCopyOption.REPLACE_EXISTING);
    return folder;
  }

  /** Only what a demo has made, and only while nothing runs on it. */
  private static void delete(Path folder) throws IOException, InterruptedException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Optional<FolderLock> lock = FolderLock.take(folder, LocalSystem.LOCK, Duration.ZERO);
    if (lock.isEmpty()) {
      throw CommandFailed.unavailable(
          "A Bellwether is running on " + folder + ".", "Stop it with `./bellwether down`.", null);
    }
    lock.get().close();
    if (!Files.exists(folder.resolve(DemoMemory.FILE)) && !isNew(folder)) {
      throw CommandFailed.wrongInput(
          folder + " holds something else than a demo's data.", "Name another folder with --data.");
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** A start that failed early leaves no more than logs and locks. */
  private static boolean isNew(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.noneMatch(
          file -> Files.isRegularFile(file) && !file.toString().endsWith(".lock"));
    }
  }
}
