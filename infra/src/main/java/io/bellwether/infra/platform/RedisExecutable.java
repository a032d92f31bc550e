package io.bellwether.infra.platform;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** The {@code redis-server} that comes inside the embedded-redis artifact. */
final class RedisExecutable {

  private RedisExecutable() {}

  /**
   * The executable for this machine, unpacked into the folder unless it is there already.
   *
   * @throws IOException when the artifact has none for this operating system and processor
   */
  static Path in(Path folder) throws IOException {
    String resource =
        ExecutableProvider.newProvidedVersionsMap().get(OsArchitecture.detectOSandArchitecture());
    if (resource == null) {
      throw new IOException(
          "no redis-server for "
              + System.getProperty("os.name")
              + " on "
              + System.getProperty("os.arch"));
    }
    Path executable = folder.resolve(Path.of(resource).getFileName()).toAbsolutePath();
    if (!Files.isExecutable(executable)) {
      unpack(resource, executable);
    }
    return executable;
  }

  private static void unpack(String resource, Path executable) throws IOException {
    Files.createDirectories(executable.getParent());
    Path draft = executable.resolveSibling(executable.getFileName() + ".new");
    try (InputStream packed = ExecutableProvider.class.getResourceAsStream(resource)) {
      if (packed == null) {
        throw new IOException(resource + " is missing in the embedded-redis artifact");
      }
      Files.copy(packed, draft, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!draft.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + draft + " executable");
    }
    Files.move(draft, executable, StandardCopyOption.ATOMIC_MOVE);
  }
}
