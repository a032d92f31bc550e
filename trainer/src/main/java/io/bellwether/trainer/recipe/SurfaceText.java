package io.bellwether.trainer.recipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The bytes of surface files, found by their digest. Stateless. */
public final class SurfaceText {

  private SurfaceText() {}

  /** The file of this digest in a folder; empty where there is none, or no such folder. */
  public static Optional<byte[]> find(Path folder, String digest) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files =
          entries
              .filter(each -> each.toString().endsWith(".yaml") || each.toString().endsWith(".yml"))
              .sorted()
              .toList();
    }
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      if (digest(bytes).equals(digest)) {
        return Optional.of(bytes);
      }
    }
    return Optional.empty();
  }

  /** The digest by which surfaces are named. */
  public static String digest(byte[] yaml) {
    return HexFormat.of().formatHex(ReadFile.digest().digest(yaml));
  }
}
