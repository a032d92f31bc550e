package io.bellwether.policy.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A folder of content-addressed objects: {@code objects/{first two digits}/{SHA-256}}. Objects
 * never change, and every read verifies size and hash, so that a truncated or altered file is never
 * used.
 *
 * <p>Thread-safe, and safe among processes that share the folder: a file appears whole or not at
 * all, and whoever writes the same name writes the same bytes.
 */
public final class ObjectFolder {

  private final Path objects;
  private final DurableFile files;

  /** Objects under {@code root}; folders are made by the first write. */
  public ObjectFolder(Path root) {
    objects = root.resolve("objects");
    files = new DurableFile(root.resolve("temporary"));
  }

  /** Stores the bytes, durable on return; mends a damaged object of that name. */
  public ObjectId put(byte[] bytes) {
    ObjectId id = ObjectId.of(bytes);
    try {
      if (!isIntact(id)) {
        files.replace(fileOf(id), bytes);
      }
      return id;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot store object " + id, e);
    }
  }

  /**
   * The bytes of an object.
   *
   * @throws CorruptObjectException where they are missing or are not those that the name promises
   */
  public byte[] read(ObjectId id) {
    Path file = fileOf(id);
    try {
      long size = Files.size(file);
      if (size != id.size()) {
        throw new CorruptObjectException(
            "object %s has %d bytes, expected %d".formatted(id.sha256(), size, id.size()));
      }
      byte[] bytes = Files.readAllBytes(file);
      ObjectId found = ObjectId.of(bytes);
      if (!found.equals(id)) {
        throw new CorruptObjectException(
            "object %s of %d bytes hashes to %s with %d bytes"
                .formatted(id.sha256(), id.size(), found.sha256(), found.size()));
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new CorruptObjectException("object " + id.sha256() + " is missing");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read object " + id, e);
    }
  }

  private boolean isIntact(ObjectId id) throws IOException {
    Path file = fileOf(id);
    return Files.exists(file)
        && Files.size(file) == id.size()
        && ObjectId.of(Files.readAllBytes(file)).equals(id);
  }

  private Path fileOf(ObjectId id) {
    return objects.resolve(id.sha256().substring(0, 2)).resolve(id.sha256());
  }
}
