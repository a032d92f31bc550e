package io.bellwether.infra.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.bellwether.infra.process.FolderLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Where a running system is reached, as it says in {@code running.json} of its data folder. Other
 * commands find it there. The file may be left over from a system that was killed: {@link
 * FolderLock} tells.
 *
 * @param pid the command that holds the system; SIGTERM stops everything
 * @param url of serving
 * @param kafka bootstrap servers
 * @param redis {@code redis://host:port}
 * @param surfaces folder of the surface declarations in use
 */
public record RunningSystem(long pid, String url, String kafka, String redis, String surfaces) {

  /** The system that last said to run on this data folder; empty if none does. */
  public static Optional<RunningSystem> on(Path data) throws IOException {
    try {
      return Optional.of(
          new ObjectMapper().readValue(Files.readAllBytes(file(data)), RunningSystem.class));
    } catch (NoSuchFileException nothingRuns) {
      return Optional.empty();
    }
  }

  /** Atomic: a reader sees the whole file or none. */
  void write(Path data) throws IOException {
    Path draft = data.resolve("running.json.new");
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(draft.toFile(), this);
    Files.move(
        draft, file(data), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static void remove(Path data) throws IOException {
    Files.deleteIfExists(file(data));
  }

  private static Path file(Path data) {
    return data.resolve("running.json");
  }
}
