package io.bellwether.trainer.lineage;

import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.recipe.ReadFile;
import io.bellwether.trainer.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left of the files that a training run read.
 *
 * @param root of the archive
 * @param intact files with the bytes that were read
 * @param altered files of which the bytes are others, with their SHA-256 now
 * @param missing files that are not there; compaction, retention and erasure take files away
 */
record KeptData(Path root, List<Path> intact, List<Altered> altered, List<ReadFile> missing) {

  /**
   * A file that has changed.
   *
   * @param bytes its length now
   */
  record Altered(ReadFile recorded, String sha256, long bytes) {
    Reproduction.Difference difference() {
      return new Reproduction.Difference(
          "archive file " + recorded.path(),
          "sha256 %s (%d bytes)".formatted(recorded.sha256(), recorded.bytes()),
          "sha256 %s (%d bytes)".formatted(sha256, bytes));
    }
  }

  KeptData {
    intact = List.copyOf(intact);
    altered = List.copyOf(altered);
    missing = List.copyOf(missing);
  }

  /** Reads all of them. */
  static KeptData of(Recipe recipe, Path root) throws IOException {
    List<Path> intact = new ArrayList<>();
    List<Altered> altered = new ArrayList<>();
    List<ReadFile> missing = new ArrayList<>();
    for (ReadFile recorded : recipe.files()) {
      Path file = root.resolve(recorded.path()).normalize();
      if (!file.startsWith(root.normalize())) {
        throw new IllegalArgumentException(recorded.path() + " is no file of an archive");
      }
      if (!Files.exists(file)) {
        missing.add(recorded);
        continue;
      }
      String sha256 = ReadFile.sha256(file);
      if (sha256.equals(recorded.sha256())) {
        intact.add(file);
      } else {
        altered.add(new Altered(recorded, sha256, Files.size(file)));
      }
    }
    return new KeptData(root, intact, altered, missing);
  }

  /** Whether the very files are there. */
  boolean whole() {
    return altered.isEmpty() && missing.isEmpty() && !intact.isEmpty();
  }

  /** The very files where they are there, otherwise all that there is. */
  ArchiveSource source(String surface) {
    return whole() ? new ArchiveSource(root, surface, intact) : new ArchiveSource(root, surface);
  }

  /** As of when to read {@link #source}. */
  @Nullable Instant asOf(Recipe recipe) {
    return whole() ? recipe.asOf() : recipe.knownAt().orElse(null);
  }

  /** How the data was found, in words. */
  String words(Recipe recipe) {
    if (whole()) {
      return intact.size() + " files of " + root + ", byte for byte those that were read";
    }
    String why =
        recipe.files().isEmpty()
            ? "the run read no archive"
            : "%d of %d files are not there any more"
                .formatted(missing.size(), recipe.files().size());
    return "all of %s%s, since %s"
        .formatted(root, recipe.knownAt().map(at -> " as of " + at).orElse(""), why);
  }
}
