package io.bellwether.infra.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that a verb writes for its caller: the whole of it or nothing. */
final class WholeFile {
  private WholeFile() {}

  static void write(Path file, byte[] content) {
    Path target = file.toAbsolutePath();
    try {
      Path draft = target.resolveSibling(target.getFileName() + ".new");
      Files.write(draft, content);
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw CommandFailed.unavailable(
          "The result could not be written to " + target + ": " + e,
          "Name a file in a folder that exists and can be written.",
          e);
    }
  }
}
