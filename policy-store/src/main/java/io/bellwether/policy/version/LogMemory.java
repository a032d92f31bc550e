package io.bellwether.policy.version;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a reader has followed the release log: what it saw is never unseen. Kept in a file where
 * there is one, so that a restart does not forget it. Confined to its log.
 */
final class LogMemory {

  private static final Logger LOG = LoggerFactory.getLogger(LogMemory.class);

  private final @Nullable Path file;
  private Mark mark = Mark.NOTHING;

  /**
   * The latest entry that was followed.
   *
   * @param sequence of the entry, 0: none
   * @param sha256 of the entry as it is stored
   * @param serving the version that answered by default after it, by policy
   */
  record Mark(long sequence, String sha256, Map<String, VersionId> serving) {

    static final Mark NOTHING = new Mark(0, "", Map.of());

    Mark {
      serving = new TreeMap<>(serving);
    }
  }

  /**
   * @param file in which it is kept; absent: in this object alone
   * @throws IllegalArgumentException where the file is none of these: it must not be overlooked
   */
  LogMemory(@Nullable Path file) {
    this.file = file;
    if (file != null && Files.exists(file)) {
      try {
        mark = CanonicalJson.read(Files.readAllBytes(file), Mark.class);
      } catch (IOException | UncheckedIOException e) {
        throw new IllegalArgumentException(
            file + " should say how far the release log was followed, and cannot be read", e);
      }
    }
  }

  Mark mark() {
    return mark;
  }

  /** What is to be removed where the store was replaced on purpose. */
  Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  void remember(Mark seen) {
    mark = seen;
    if (file == null) {
      return;
    }
    Path written = file.resolveSibling(file.getFileName() + ".part");
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.write(written, CanonicalJson.write(seen));
      Files.move(
          written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn("Cannot note in {} how far the release log was followed", file, e);
    }
  }
}
