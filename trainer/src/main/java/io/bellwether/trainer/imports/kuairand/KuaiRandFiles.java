package io.bellwether.trainer.imports.kuairand;

import io.bellwether.trainer.imports.ImportRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of the dataset in one folder, or in its folder {@code data}, plain or gzipped.
 *
 * @param random logs of videos that were shown at random, in the order of names
 * @param standard logs of what the recommender showed, in the order of names
 * @param users features of users
 * @param videos basic features of videos
 */
record KuaiRandFiles(
    List<Path> random, List<Path> standard, Optional<Path> users, Optional<Path> videos) {

  static KuaiRandFiles in(Path folder) throws IOException {
    Path data = folder.resolve("data");
    Path here = Files.isDirectory(data) ? data : folder;
    if (!Files.isDirectory(here)) {
      throw new ImportRefused("there is no folder " + folder);
    }
    List<Path> random = matching(here, "log_random.*\\.csv(\\.gz)?");
    List<Path> standard = matching(here, "log_standard.*\\.csv(\\.gz)?");
    if (random.isEmpty() && standard.isEmpty()) {
      throw new ImportRefused(
          here + " holds no log of KuaiRand: looked for log_random*.csv and log_standard*.csv");
    }
    return new KuaiRandFiles(
        random,
        standard,
        matching(here, "user_features.*\\.csv(\\.gz)?").stream().findFirst(),
        matching(here, "video_features_basic.*\\.csv(\\.gz)?").stream().findFirst());
  }

  private static List<Path> matching(Path folder, String pattern) throws IOException {
    Pattern names = Pattern.compile(pattern);
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> names.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  /** All files that are read for these logs. */
  List<Path> with(List<Path> logs) {
    List<Path> all = new ArrayList<>(logs);
    // The pool of what could be shown at random is what was.
    random.stream().filter(file -> !all.contains(file)).forEach(all::add);
    users.ifPresent(all::add);
    videos.ifPresent(all::add);
    return all;
  }
}
