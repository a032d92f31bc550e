package io.bellwether.ingestion.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a day's folder holds, as its file {@code manifest.json} says. A compacted file is read where
 * it is listed here and only then, and a file that was replaced no more: one atomic change of the
 * manifest lets a compacted file take the place of others. Files of the running job that came since
 * are not listed and are read all the same.
 *
 * @param surface whose
 * @param day UTC, such as {@code 2026-11-30}
 * @param files those that are read and whose bytes are known, compacted ones first
 * @param replaced what is read no more and stays for a while for those who are reading it
 */
record Manifest(String surface, String day, List<ArchiveFile> files, List<Replaced> replaced) {

  static final String FILE = "manifest.json";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
  private static final ObjectWriter WRITER = MAPPER.writerWithDefaultPrettyPrinter();

  Manifest {
    files = List.copyOf(files);
    replaced = List.copyOf(replaced);
  }

  /**
   * A file that another one took the place of.
   *
   * @param sinceMillis when, since the epoch
   */
  record Replaced(String name, long sinceMillis) {

    boolean isOlderThan(Instant time) {
      return Instant.ofEpochMilli(sinceMillis).isBefore(time);
    }
  }

  /** The manifest of a day's folder; empty where it has none. */
  static Optional<Manifest> read(Path folder) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(folder.resolve(FILE));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    try {
      Sealed read = MAPPER.readValue(bytes, Sealed.class);
      if (read.manifest() != null && read.equals(Sealed.of(read.manifest()))) {
        return Optional.of(read.manifest());
      }
      throw damaged(folder, null);
    } catch (JsonProcessingException | RuntimeException e) {
      throw damaged(folder, e);
    }
  }

  private static IOException damaged(Path folder, @Nullable Exception cause) {
    return new IOException(
        folder.resolve(FILE) + " is damaged; `archive verify --record` makes it again", cause);
  }

  /**
   * A manifest as it stands in its file.
   *
   * @param sha256 of the manifest's bytes, hex: whether a change was meant or is damage
   */
  private record Sealed(@Nullable Manifest manifest, String sha256) {

    static Sealed of(Manifest manifest) throws JsonProcessingException {
      return new Sealed(manifest, ArchiveFile.sha256(WRITER.writeValueAsString(manifest)));
    }
  }

  void write(Path folder) throws IOException {
    Durable.write(folder.resolve(FILE), bytes());
  }

  /** The only bytes that a manifest with these contents has. */
  byte[] bytes() throws IOException {
    return WRITER.writeValueAsBytes(Sealed.of(this));
  }

  /** Names of the files that are no longer read. */
  Set<String> replacedNames() {
    return replaced.stream().map(Replaced::name).collect(Collectors.toSet());
  }

  /** What is known of a file. */
  Optional<ArchiveFile> file(String name) {
    return files.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
