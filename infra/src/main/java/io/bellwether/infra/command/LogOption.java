package io.bellwether.infra.command;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.KafkaSourceRange;
import io.bellwether.trainer.data.TransitionSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --log} and {@code --kafka}: where logged transitions are read from. */
final class LogOption {
  private static final int PATIENCE_MILLIS = 3000;

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description =
          "Archive of logged transitions (default: archive in the data folder). evaluate also"
              + " takes a range of days of that, such as 2026-11-01..2026-11-30.")
  private @Nullable String log;

  @Option(
      names = "--kafka",
      paramLabel = "SERVERS",
      description = "Read what Kafka holds at these bootstrap servers instead of an archive.")
  private @Nullable String kafka;

  /** The range of decision times that was given in place of a folder; all where none was. */
  LogRange range() {
    return log == null ? LogRange.ALL : LogRange.find(log).orElse(LogRange.ALL);
  }

  /** All that is logged now of a surface; where a range was given, the caller sees to that. */
  TransitionSource inRange(String surface, Path data) throws IOException {
    return source(surface, data);
  }

  /** All that is logged now of a surface. */
  TransitionSource of(String surface, Path data) throws IOException {
    requireNoRange();
    return source(surface, data);
  }

  private void requireNoRange() {
    if (!range().equals(LogRange.ALL)) {
      throw CommandFailed.wrongInput(
          "--log " + log + " is a range, and here all of a log is read.",
          "Name the folder of an archive.");
    }
  }

  private TransitionSource source(String surface, Path data) throws IOException {
    if (kafka != null) {
      return kafka(kafka);
    }
    Path archive = archive(data);
    if (new TransitionArchive(archive).files(surface).isEmpty()) {
      throw nothing("no transition of surface " + surface, archive);
    }
    return new ArchiveSource(archive, surface);
  }

  /** All that is logged now, of every surface: at least one source. */
  List<TransitionSource> ofAll(Path data) throws IOException {
    requireNoRange();
    if (kafka != null) {
      return List.of(kafka(kafka));
    }
    Path archive = archive(data);
    if (!Files.isDirectory(archive)) {
      throw nothing("no transition", archive);
    }
    TransitionArchive transitions = new TransitionArchive(archive);
    List<TransitionSource> sources =
        transitions.surfaces().stream()
            .filter(name -> !transitions.files(name).isEmpty())
            .<TransitionSource>map(name -> new ArchiveSource(archive, name))
            .toList();
    if (sources.isEmpty()) {
      throw nothing("no transition", archive);
    }
    return sources;
  }

  private TransitionSource kafka(String servers) throws IOException {
    if (log != null && range().equals(LogRange.ALL)) {
      throw CommandFailed.wrongInput("--log and --kafka are both given.", "Leave one of them out.");
    }
    requireAnswer(servers);
    return KafkaSourceRange.untilNow(servers);
  }

  /** Kafka's own client would try for half a minute, and log every attempt. */
  private static void requireAnswer(String servers) {
    IOException last = null;
    for (String server : servers.split(",", -1)) {
      try (Socket socket = new Socket()) {
        socket.connect(address(server.strip()), PATIENCE_MILLIS);
        return;
      } catch (IOException e) {
        last = e;
      }
    }
    throw CommandFailed.unavailable(
        "No Kafka answers at " + servers + ": " + last,
        "Start it; running.json in the data folder says where that of a running system is.",
        last);
  }

  private static InetSocketAddress address(String server) {
    int colon = server.lastIndexOf(':');
    try {
      String host = server.substring(0, colon).replaceAll("[\\[\\]]", "");
      return new InetSocketAddress(host, Integer.parseInt(server.substring(colon + 1)));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          "--kafka '" + server + "' is no address.", "Give HOST:PORT, several with commas.");
    }
  }

  private Path archive(Path data) {
    boolean named = log != null && range().equals(LogRange.ALL);
    return (named ? Path.of(log) : data.resolve("archive")).toAbsolutePath().normalize();
  }

  private static CommandFailed nothing(String what, Path archive) {
    return CommandFailed.wrongInput(
        "There is " + what + " in " + archive + ".",
        "Name another archive with --log; imports stand in imports of the data folder.");
  }
}
