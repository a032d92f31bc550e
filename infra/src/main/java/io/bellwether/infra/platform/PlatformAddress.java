package io.bellwether.infra.platform;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Where a running platform is reached, as it says in {@code platform.json} of its data folder. The
 * file is there exactly while the platform can be used, unless the platform was killed.
 *
 * @param kafka bootstrap servers, {@code host:port}
 * @param redis {@code redis://host:port}
 * @param platformPid the process that holds Kafka
 * @param redisPid its child, the Redis server
 */
public record PlatformAddress(String kafka, String redis, long platformPid, long redisPid) {

  public static PlatformAddress read(Path file) throws IOException {
    return new ObjectMapper().readValue(file.toFile(), PlatformAddress.class);
  }

  /** Atomic: a reader sees the whole file or none. */
  void write(Path file) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(draft.toFile(), this);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
