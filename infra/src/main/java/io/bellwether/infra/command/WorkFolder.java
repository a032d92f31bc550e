package io.bellwether.infra.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for what a benchmark needs while it runs; closing deletes it with all that it holds. */
record WorkFolder(Path path) implements AutoCloseable {

  /** A new one below a folder, which is made where it is not there. */
  static WorkFolder below(Path parent) throws IOException {
    return new WorkFolder(Files.createTempDirectory(Files.createDirectories(parent), ".work-"));
  }

  @Override
  public void close() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(path)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : deepestFirst) {
      Files.delete(each);
    }
  }
}
