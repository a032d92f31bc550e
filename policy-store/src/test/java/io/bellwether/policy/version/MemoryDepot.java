package io.bellwether.policy.version;

import io.bellwether.policy.object.Depot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A depot in memory, whose bytes a test can alter behind everybody's back. */
final class MemoryDepot implements Depot {

  private final ConcurrentSkipListMap<String, byte[]> values = new ConcurrentSkipListMap<>();

  private @Nullable String refused;

  /** Fails to read this value from now on; absent: none. */
  void refuse(@Nullable String name) {
    refused = name;
  }

  @Override
  public Optional<byte[]> read(String name) {
    if (name.equals(refused)) {
      throw new UncheckedIOException(new IOException(name + " is refused"));
    }
    return Optional.ofNullable(values.get(name)).map(byte[]::clone);
  }

  @Override
  public Optional<Stored> find(String name) {
    return read(name).map(bytes -> new Stored(name, bytes.length, Instant.EPOCH));
  }

  @Override
  public boolean create(String name, byte[] bytes) {
    return values.putIfAbsent(name, bytes.clone()) == null;
  }

  @Override
  public void put(String name, byte[] bytes) {
    values.put(name, bytes.clone());
  }

  @Override
  public void delete(String name) {
    values.remove(name);
  }

  @Override
  public List<Stored> list(String folder) {
    return below(folder).map(name -> find(name).orElseThrow()).toList();
  }

  @Override
  public List<String> folders() {
    return values.keySet().stream()
        .filter(name -> name.contains("/"))
        .map(name -> name.substring(0, name.indexOf('/')))
        .distinct()
        .toList();
  }

  @Override
  public List<String> folders(String folder) {
    return below(folder)
        .map(name -> name.substring(folder.length() + 1))
        .filter(rest -> rest.contains("/"))
        .map(rest -> rest.substring(0, rest.indexOf('/')))
        .distinct()
        .toList();
  }

  /** The same values in another depot. */
  MemoryDepot copy() {
    MemoryDepot copy = new MemoryDepot();
    copy.values.putAll(values);
    return copy;
  }

  private Stream<String> below(String folder) {
    return values.keySet().stream().filter(name -> name.startsWith(folder + "/"));
  }
}
