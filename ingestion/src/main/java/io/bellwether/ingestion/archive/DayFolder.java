package io.bellwether.ingestion.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of a surface's day.
 *
 * @param path {@code ROOT/surface=NAME/day=YYYY-MM-DD}
 */
record DayFolder(Path path, String surface, LocalDate day) {

  private static final String SURFACE = "surface=";
  private static final String DAY = "day=";

  /** The surfaces of an archive, in order; none where there is no archive. */
  static List<String> surfaces(Path root) throws IOException {
    return names(root, SURFACE);
  }

  /** The days of a surface, in order. */
  static List<DayFolder> of(Path root, String surface) throws IOException {
    Path folder = root.resolve(ArchiveLayout.surfaceFolder(surface));
    List<DayFolder> days = new ArrayList<>();
    for (String day : names(folder, DAY)) {
      try {
        days.add(new DayFolder(folder.resolve(DAY + day), surface, LocalDate.parse(day)));
      } catch (DateTimeParseException e) {
        throw new IOException(folder.resolve(DAY + day) + " is no day of an archive", e);
      }
    }
    return days;
  }

  /** The days of all surfaces, in order. */
  static List<DayFolder> ofAll(Path root) throws IOException {
    List<DayFolder> days = new ArrayList<>();
    for (String surface : surfaces(root)) {
      days.addAll(of(root, surface));
    }
    return days;
  }

  private static List<String> names(Path folder, String prefix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .map(each -> each.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .map(name -> name.substring(prefix.length()))
          .sorted()
          .toList();
    }
  }

  /**
   * What a folder holds.
   *
   * @param manifest empty where nobody has made one yet
   * @param visible files that are read, compacted ones first
   * @param hidden finished files that are not: replaced, or left behind by somebody who was killed
   * @param inProgress files that are being written
   */
  record Contents(
      Optional<Manifest> manifest, List<Path> visible, List<Path> hidden, List<Path> inProgress) {

    /** Those of the visible files that the manifest does not know. */
    List<Path> unlisted() {
      return visible.stream().filter(file -> listed(file).isEmpty()).toList();
    }

    /** What the manifest says of a file. */
    Optional<ArchiveFile> listed(Path file) {
      return manifest.flatMap(m -> m.file(file.getFileName().toString()));
    }
  }

  /**
   * Looks at the folder. First at its files and then at its manifest: whatever is compacted in
   * between, the files that were there before are on disk still or in the compacted one. A replaced
   * file whose time was over in between is gone, and no longer listed as replaced.
   */
  Contents contents() throws IOException {
    List<Path> finished = new ArrayList<>();
    List<Path> inProgress = new ArrayList<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (ArchiveLayout.isFinished(name)) {
          finished.add(file);
        } else if (ArchiveLayout.isInProgress(name)) {
          inProgress.add(file);
        }
      }
    }
    Optional<Manifest> manifest = Manifest.read(path);
    if (manifest.isEmpty()) {
      return new Contents(manifest, finished, List.of(), inProgress);
    }
    List<Path> visible = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    for (ArchiveFile file : manifest.get().files()) {
      visible.add(path.resolve(file.name()));
      listed.add(file.name());
    }
    Set<String> replaced = manifest.get().replacedNames();
    List<Path> hidden = new ArrayList<>();
    for (Path file : finished) {
      String name = file.getFileName().toString();
      if (listed.contains(name)) {
        continue;
      }
      boolean read = !ArchiveLayout.isCompacted(name) && !replaced.contains(name);
      if (Files.exists(file)) {
        (read ? visible : hidden).add(file);
      }
    }
    return new Contents(manifest, visible, hidden, inProgress);
  }

  String words() {
    return surface + ", " + day;
  }
}
