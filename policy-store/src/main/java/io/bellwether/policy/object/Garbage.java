package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Objects that nothing in a depot refers to any more, such as those of a publication that was cut
 * off before its version was listed.
 *
 * <p>Every record outside {@code objects/} counts as referring to each SHA-256 that it spells out,
 * whatever it is for, and a version's entry also to what its manifest spells out. So a new kind of
 * record keeps its objects without being known here. Records are never collected.
 *
 * <p>Safe while others publish, and other collections run, in other processes too. What was written
 * within the grace period stays. An older object without a reference is copied to {@code trash/}
 * before it goes from its place; a read finds it there, and the next publication of the same bytes
 * writes it again. A copy goes for good by a collection another grace period on, if by then nothing
 * refers to it; otherwise it is brought back. So whatever could be read once can be read for a
 * grace period more, and a publication that takes less than that loses no object, wherever a
 * collection is cut off.
 */
public final class Garbage {

  private static final Pattern SHA256 =
      Pattern.compile("(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])");
  private static final Pattern OBJECT = Pattern.compile("\"sha256\":\"([0-9a-f]{64})\"");

  private final Depot depot;
  private final Clock clock;
  private final Duration grace;

  /**
   * @param clock near the depot's own, by which objects have their age
   * @param grace longer than any publication takes, and than clocks differ; above 0
   */
  public Garbage(Depot depot, Clock clock, Duration grace) {
    if (grace.isNegative() || grace.isZero()) {
      throw new IllegalArgumentException("a grace period of " + grace + ", expected more than 0");
    }
    this.depot = depot;
    this.clock = clock;
    this.grace = grace;
  }

  /**
   * What a collection found and did, or would do; objects by their SHA-256. Immutable.
   *
   * @param references how many records and manifests refer to each object that is there
   * @param missing what a version, its manifest or its evidence consists of and is not there: no
   *     collection causes that
   * @param young without a reference, within their grace period
   * @param trashed moved to the trash
   * @param restored brought back from the trash
   * @param removed gone for good
   * @param freedBytes of what is gone for good
   */
  public record Collected(
      Map<String, Integer> references,
      Set<String> missing,
      Set<String> young,
      Set<String> trashed,
      Set<String> restored,
      Set<String> removed,
      long freedBytes) {

    public Collected {
      references = Map.copyOf(references);
      missing = Set.copyOf(missing);
      young = Set.copyOf(young);
      trashed = Set.copyOf(trashed);
      restored = Set.copyOf(restored);
      removed = Set.copyOf(removed);
    }
  }

  /** Looks only: what {@link #collect} would do now. */
  public Collected look() {
    return new Collection(true).run();
  }

  /**
   * Collects.
   *
   * @throws CorruptObjectException where a manifest is missing or altered: what it refers to is not
   *     known, so nothing is collected
   * @throws IllegalStateException where it takes so long that what it knows may be out of date; the
   *     next one goes on
   */
  public Collected collect() {
    return new Collection(false).run();
  }

  /** One run. */
  private final class Collection {
    private final boolean dry;
    private final String name = UUID.randomUUID().toString();
    private final Instant begun = clock.instant();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<String> needed = new HashSet<>();

    private final Set<String> restored = new TreeSet<>();
    private final Set<String> removed = new TreeSet<>();
    private final Set<String> young = new TreeSet<>();
    private final Set<String> trashed = new TreeSet<>();
    private long freedBytes;

    Collection(boolean dry) {
      this.dry = dry;
    }

    Collected run() {
      // Listed before references are counted: what is written later is not looked at, and what is
      // referred to later was in its place or is written again.
      List<Depot.Stored> objects = depot.list(ContentStore.OBJECTS);
      List<Depot.Stored> trash = depot.list(ContentStore.TRASH);
      count();
      Set<String> placed = new HashSet<>();
      objects.forEach(stored -> placed.add(last(stored.name())));
      for (Depot.Stored stored : trash) {
        String digest = digestInTrash(stored.name());
        if (counts.containsKey(digest) && !placed.contains(digest)) {
          restore(digest);
        } else if (isOld(stored)) {
          remove(stored, digest, placed);
        }
      }
      for (Depot.Stored stored : objects) {
        String digest = last(stored.name());
        if (!counts.containsKey(digest)) {
          discard(stored, digest);
        }
      }
      Set<String> there = new HashSet<>(placed);
      trash.forEach(stored -> there.add(digestInTrash(stored.name())));
      Set<String> missing = new TreeSet<>();
      for (String digest : needed) {
        if (!there.contains(digest) && ContentStore.look(depot, digest).isEmpty()) {
          missing.add(digest);
        }
      }
      counts.keySet().retainAll(there);
      return new Collected(counts, missing, young, trashed, restored, removed, freedBytes);
    }

    private void restore(String digest) {
      if (restored.add(digest) && !dry) {
        ContentStore.restore(depot, digest);
      }
    }

    private void remove(Depot.Stored stored, String digest, Set<String> placed) {
      if (!placed.contains(digest)) {
        removed.add(digest);
      }
      freedBytes += stored.size();
      if (!dry) {
        requireTime();
        depot.delete(stored.name());
      }
    }

    private void discard(Depot.Stored stored, String digest) {
      if (!isOld(stored)) {
        young.add(digest);
        return;
      }
      trashed.add(digest);
      if (!dry) {
        depot
            .read(stored.name())
            .ifPresent(bytes -> depot.put(ContentStore.TRASH + "/" + digest + "/" + name, bytes));
        requireTime();
        depot.delete(stored.name());
      }
    }

    private boolean isOld(Depot.Stored stored) {
      return stored.writtenAt().isBefore(begun.minus(grace));
    }

    private void requireTime() {
      if (Duration.between(begun, clock.instant()).compareTo(grace.dividedBy(2)) > 0) {
        throw new IllegalStateException(
            "the collection took longer than half of its grace period of " + grace);
      }
    }

    private void count() {
      Set<String> manifests = new HashSet<>();
      for (String folder : depot.folders()) {
        if (folder.equals(ContentStore.OBJECTS) || folder.equals(ContentStore.TRASH)) {
          continue;
        }
        for (Depot.Stored record : depot.list(folder)) {
          String text = new String(depot.read(record.name()).orElseThrow(), UTF_8);
          countIn(text);
          if (folder.equals("versions")) {
            find(OBJECT, text).forEach(manifests::add);
            needed.addAll(manifests);
          } else if (folder.equals("evidence")) {
            needed.addAll(find(OBJECT, text));
          }
        }
      }
      for (String digest : manifests) {
        String text =
            new String(
                ContentStore.look(depot, digest)
                    .orElseThrow(
                        () ->
                            new CorruptObjectException(
                                "manifest " + digest + " is missing or altered")),
                UTF_8);
        countIn(text);
        needed.addAll(find(OBJECT, text));
      }
    }

    private void countIn(String text) {
      for (String digest : find(SHA256, text)) {
        counts.merge(digest, 1, Integer::sum);
      }
    }
  }

  private static Set<String> find(Pattern pattern, String text) {
    Set<String> digests = new HashSet<>();
    Matcher found = pattern.matcher(text);
    while (found.find()) {
      digests.add(found.group(found.groupCount()));
    }
    return digests;
  }

  private static String last(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static String digestInTrash(String name) {
    return last(name.substring(0, name.lastIndexOf('/')));
  }
}
