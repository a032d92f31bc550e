package io.bellwether.trainer.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Whatever decides what comes of an import, as a text that is the same while none of it changes.
 */
final class Fingerprint {

  /** To be raised when the same log would be read otherwise. */
  private static final int VERSION = 1;

  /** What is hashed of a file's beginning and end; its size and time stand for the rest. */
  private static final int SAMPLE_BYTES = 1 << 20;

  private Fingerprint() {}

  static String of(ImportSource source, Surface surface, LogImport.Options options)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("version ").append(VERSION).append('\n');
    text.append("surface ").append(surface.digest()).append('\n');
    text.append("estimate ").append(options.estimatePropensities()).append('\n');
    text.append("settings ").append(source.settings()).append('\n');
    for (Path file : source.files()) {
      text.append("file ")
          .append(file.toAbsolutePath())
          .append(' ')
          .append(Files.size(file))
          .append(' ')
          .append(Files.getLastModifiedTime(file))
          .append(' ')
          .append(sample(file))
          .append('\n');
    }
    return text.toString();
  }

  private static String sample(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(file.toString().getBytes(UTF_8));
      digest.update(part(channel, 0));
      digest.update(part(channel, Math.max(0, channel.size() - SAMPLE_BYTES)));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static ByteBuffer part(FileChannel channel, long from) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SAMPLE_BYTES);
    long at = from;
    while (bytes.hasRemaining()) {
      int read = channel.read(bytes, at);
      if (read < 0) {
        break;
      }
      at += read;
    }
    return bytes.flip();
  }
}
