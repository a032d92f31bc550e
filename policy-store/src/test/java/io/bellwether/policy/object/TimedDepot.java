package io.bellwether.policy.object;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** A depot in memory whose values are as old as a clock says. */
final class TimedDepot implements Depot {

  private final ConcurrentSkipListMap<String, Value> values = new ConcurrentSkipListMap<>();
  private final Clock clock;

  private record Value(byte[] bytes, Instant writtenAt) {}

  TimedDepot(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Optional<byte[]> read(String name) {
    return Optional.ofNullable(values.get(name)).map(value -> value.bytes().clone());
  }

  @Override
  public Optional<Stored> find(String name) {
    return Optional.ofNullable(values.get(name))
        .map(value -> new Stored(name, value.bytes().length, value.writtenAt()));
  }

  @Override
  public boolean create(String name, byte[] bytes) {
    return values.putIfAbsent(name, new Value(bytes.clone(), clock.instant())) == null;
  }

  @Override
  public void put(String name, byte[] bytes) {
    values.put(name, new Value(bytes.clone(), clock.instant()));
  }

  @Override
  public void delete(String name) {
    values.remove(name);
  }

  @Override
  public List<Stored> list(String folder) {
    return below(folder + "/").flatMap(name -> find(name).stream()).toList();
  }

  @Override
  public List<String> folders() {
    return foldersBelow("");
  }

  @Override
  public List<String> folders(String folder) {
    return foldersBelow(folder + "/");
  }

  private List<String> foldersBelow(String prefix) {
    return below(prefix)
        .map(name -> name.substring(prefix.length()))
        .filter(rest -> rest.contains("/"))
        .map(rest -> rest.substring(0, rest.indexOf('/')))
        .distinct()
        .toList();
  }

  private Stream<String> below(String prefix) {
    return values.keySet().stream().filter(name -> name.startsWith(prefix));
  }
}
