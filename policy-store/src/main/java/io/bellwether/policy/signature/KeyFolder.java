package io.bellwether.policy.signature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trusted keys of a folder, or of one file, as they are now: keys can be added and revoked
 * while somebody uses them. While the folder cannot be read, or a file in it is no key, those of
 * before stay. Thread-safe.
 */
public final class KeyFolder implements Supplier<TrustedKeys> {

  private static final Logger LOG = LoggerFactory.getLogger(KeyFolder.class);

  private final Path place;
  private List<String> seen;
  private List<String> failed = List.of();
  private TrustedKeys keys;

  /**
   * @throws IllegalArgumentException where there is no key, or a file holds none
   */
  public KeyFolder(Path place) {
    this.place = place;
    seen = look();
    keys = TrustedKeys.read(place);
  }

  /** The keys; the same object as before where no file has changed. */
  @Override
  public synchronized TrustedKeys get() {
    List<String> found = look();
    if (!found.equals(seen)) {
      try {
        keys = TrustedKeys.read(place);
        // Not before: what failed once is tried at each look, or a revocation could be missed.
        seen = found;
        failed = List.of();
        LOG.info("Trusting {} keys of {}, {} revoked", keys.ids().size(), place, keys.revoked());
      } catch (RuntimeException e) {
        if (!found.equals(failed)) {
          LOG.error("The keys in {} cannot be read; those of before stay", place, e);
        }
        failed = found;
      }
    }
    return keys;
  }

  /** Name, size and age of each file. */
  private List<String> look() {
    if (!Files.isDirectory(place)) {
      return List.of(facts(place));
    }
    try (Stream<Path> files = Files.list(place)) {
      return files.sorted().map(KeyFolder::facts).toList();
    } catch (IOException e) {
      LOG.error("Cannot list the trusted keys in {}", place, e);
      return List.of();
    }
  }

  private static String facts(Path file) {
    try {
      return file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return file + " unreadable";
    }
  }
}
