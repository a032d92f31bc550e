package io.bellwether.policy.object;

import java.util.Optional;

/**
 * Content-addressed objects in a depot: {@code objects/{first two digits}/{SHA-256}}. Objects never
 * change, and every read verifies size and hash, so that a truncated or altered one is never used.
 * Thread-safe, and safe among processes: whoever writes the same name writes the same bytes.
 */
public final class ContentStore {

  private final Depot depot;

  /** The objects in a depot. */
  public ContentStore(Depot depot) {
    this.depot = depot;
  }

  /** Stores the bytes, durable on return; mends a damaged object of that name. */
  public ObjectId put(byte[] bytes) {
    ObjectId id = ObjectId.of(bytes);
    if (!isIntact(id)) {
      depot.put(nameOf(id), bytes);
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
            .read(nameOf(id))
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
    Optional<Depot.Stored> stored = depot.find(nameOf(id));
    return stored.isPresent()
        && stored.get().size() == id.size()
        && depot.read(nameOf(id)).filter(bytes -> ObjectId.of(bytes).equals(id)).isPresent();
  }

  private static String nameOf(ObjectId id) {
    return "objects/" + id.sha256().substring(0, 2) + "/" + id.sha256();
  }
}
