package io.bellwether.policy.object;

import java.io.UncheckedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content-addressed objects in a depot: {@code objects/{first two digits}/{SHA-256}}. Objects never
 * change, and every read verifies size and hash, so that a truncated or altered one is never used.
 * Thread-safe, and safe among processes: whoever writes the same name writes the same bytes. What
 * {@link Garbage} moved to {@code trash/} is still read, and comes back by that.
 */
public final class ContentStore {

  /** Where objects are. */
  static final String OBJECTS = "objects";

  /** Where objects are that are about to go: {@code trash/{SHA-256}/{collection}}. */
  static final String TRASH = "trash";

  private static final Logger LOG = LoggerFactory.getLogger(ContentStore.class);

  private final Depot depot;

  /** The objects in a depot. */
  public ContentStore(Depot depot) {
    this.depot = depot;
  }

  /** Stores the bytes, durable on return; mends a damaged object of that name. */
  public ObjectId put(byte[] bytes) {
    ObjectId id = ObjectId.of(bytes);
    if (!isIntact(id)) {
      depot.put(nameOf(id.sha256()), bytes);
    }
    return id;
  }

  /**
   * The bytes of an object.
   *
   * @throws CorruptObjectException where they are missing or are not those that the name promises
   */
  public byte[] read(ObjectId id) {
    byte[] bytes =
        depot
            .read(nameOf(id.sha256()))
            .or(() -> restore(depot, id.sha256()))
            .orElseThrow(() -> new CorruptObjectException("object " + id.sha256() + " is missing"));
    if (bytes.length != id.size()) {
      throw new CorruptObjectException(
          "object %s has %d bytes, expected %d".formatted(id.sha256(), bytes.length, id.size()));
    }
    ObjectId found = ObjectId.of(bytes);
    if (!found.equals(id)) {
      throw new CorruptObjectException(
          "object %s of %d bytes hashes to %s with %d bytes"
              .formatted(id.sha256(), id.size(), found.sha256(), found.size()));
    }
    return bytes;
  }

  private boolean isIntact(ObjectId id) {
    String name = nameOf(id.sha256());
    Optional<Depot.Stored> stored = depot.find(name);
    return stored.isPresent()
        && stored.get().size() == id.size()
        && depot.read(name).filter(bytes -> ObjectId.of(bytes).equals(id)).isPresent();
  }

  /**
   * Brings an object back from the trash, where it stays too until it is old there; empty where it
   * is not to be had.
   */
  static Optional<byte[]> restore(Depot depot, String sha256) {
    Optional<byte[]> found = inTrash(depot, sha256);
    if (found.isEmpty()) {
      // Somebody else may have brought it back since it was looked for.
      return depot.read(nameOf(sha256));
    }
    try {
      depot.put(nameOf(sha256), found.get());
    } catch (UncheckedIOException e) {
      LOG.debug("Object {} is read from the trash and cannot be brought back", sha256, e);
    }
    return found;
  }

  /** The intact bytes of an object, wherever they are, without a change to the depot. */
  static Optional<byte[]> look(Depot depot, String sha256) {
    return depot
        .read(nameOf(sha256))
        .filter(bytes -> isIt(bytes, sha256))
        .or(() -> inTrash(depot, sha256))
        .or(() -> depot.read(nameOf(sha256)).filter(bytes -> isIt(bytes, sha256)));
  }

  private static Optional<byte[]> inTrash(Depot depot, String sha256) {
    return depot.list(TRASH + "/" + sha256).stream()
        .flatMap(stored -> depot.read(stored.name()).stream())
        .filter(bytes -> isIt(bytes, sha256))
        .findFirst();
  }

  private static boolean isIt(byte[] bytes, String sha256) {
    return ObjectId.of(bytes).sha256().equals(sha256);
  }

  static String nameOf(String sha256) {
    return OBJECTS + "/" + sha256.substring(0, 2) + "/" + sha256;
  }
}
