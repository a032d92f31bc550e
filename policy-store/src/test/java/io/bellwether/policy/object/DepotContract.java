package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every depot does, and objects and journals in it. */
public interface DepotContract {

  /** The depot, empty at the start of each test. */
  Depot depot();

  @Test
  default void whatWasWrittenIsReadListedAndFound() {
    Instant before = Instant.now().minus(Duration.ofMinutes(1));
    depot().put("a/b/two", bytes("2"));
    assertTrue(depot().create("a/one", bytes("one")));
    depot().put("a/empty", new byte[0]);
    depot().put("ab/three", bytes("three"));
    assertArrayEquals(bytes("one"), depot().read("a/one").orElseThrow());
    assertArrayEquals(new byte[0], depot().read("a/empty").orElseThrow());
    assertEquals(
        List.of("a/b/two 1", "a/empty 0", "a/one 3"),
        depot().list("a").stream().map(each -> each.name() + " " + each.size()).toList());
    Depot.Stored found = depot().find("a/one").orElseThrow();
    assertEquals(3, found.size());
    assertTrue(found.writtenAt().isAfter(before), found.toString());
    assertEquals(List.of("b"), depot().folders("a"));
  }

  @Test
  default void whatIsNotThereIsEmpty() {
    assertEquals(Optional.empty(), depot().read("a/one"));
    assertEquals(Optional.empty(), depot().find("a/one"));
    assertEquals(List.of(), depot().list("a"));
    assertEquals(List.of(), depot().folders("a"));
    depot().delete("a/one");
    depot().put("a/one", bytes("one"));
    assertEquals(Optional.empty(), depot().read("a"));
    assertEquals(Optional.empty(), depot().find("a"));
    depot().delete("a/one");
    assertEquals(Optional.empty(), depot().read("a/one"));
    assertEquals(List.of(), depot().list("a"));
  }

  @Test
  default void aNameIsCreatedOnceAndReplacedAtWill() {
    assertTrue(depot().create("a/one", bytes("first")));
    assertFalse(depot().create("a/one", bytes("second")));
    assertArrayEquals(bytes("first"), depot().read("a/one").orElseThrow());
    depot().put("a/one", bytes("third"));
    assertArrayEquals(bytes("third"), depot().read("a/one").orElseThrow());
    depot().delete("a/one");
    assertTrue(depot().create("a/one", bytes("fourth")));
  }

  @Test
  default void namesThatLeadElsewhereAreRefused() {
    for (String name : List.of("", "/a", "a/", "a//b", "../a", "a/../b", ".hidden", "a b", "ä")) {
      assertThrows(IllegalArgumentException.class, () -> depot().read(name), name);
      assertThrows(IllegalArgumentException.class, () -> depot().create(name, new byte[0]), name);
      assertThrows(IllegalArgumentException.class, () -> depot().put(name, new byte[0]), name);
      assertThrows(IllegalArgumentException.class, () -> depot().list(name), name);
    }
  }

  @Test
  default void aListingHasMoreThanAPage() {
    for (int i = 0; i < manyNames(); i++) {
      depot().put("many/%05d".formatted(i), new byte[1]);
    }
    List<String> names = depot().list("many").stream().map(Depot.Stored::name).toList();
    assertEquals(IntStream.range(0, manyNames()).mapToObj("many/%05d"::formatted).toList(), names);
  }

  /** How many names fill more than one page of a listing. */
  default int manyNames() {
    return 20;
  }

  @Test
  default void objectsComeBackByTheHashOfTheirBytes() {
    ContentStore objects = new ContentStore(depot());
    ObjectId id = objects.put(bytes("abc"));
    assertEquals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", id.sha256());
    assertEquals(3, id.size());
    assertArrayEquals(bytes("abc"), objects.read(id));
    assertArrayEquals(new byte[0], objects.read(objects.put(new byte[0])));
    assertEquals(id, objects.put(bytes("abc")));
  }

  @Test
  default void aTruncatedObjectIsRefusedAndMendedByTheNextPut() {
    ContentStore objects = new ContentStore(depot());
    byte[] bytes = new byte[2_000_000];
    new Random(1).nextBytes(bytes);
    ObjectId id = objects.put(bytes);
    depot().put(nameOf(id), Arrays.copyOf(bytes, 1_500_000));
    CorruptObjectException e = assertThrows(CorruptObjectException.class, () -> objects.read(id));
    assertTrue(e.toString().contains("has 1500000 bytes, expected 2000000"), e.getMessage());
    objects.put(bytes);
    assertArrayEquals(bytes, objects.read(id));
  }

  @Test
  default void anAlteredOrMissingObjectIsRefused() {
    ContentStore objects = new ContentStore(depot());
    byte[] bytes = bytes("the same length");
    ObjectId id = objects.put(bytes);
    bytes[3] ^= 1;
    depot().put(nameOf(id), bytes);
    CorruptObjectException altered =
        assertThrows(CorruptObjectException.class, () -> objects.read(id));
    assertTrue(altered.toString().contains("hashes to"), altered.getMessage());
    depot().delete(nameOf(id));
    CorruptObjectException missing =
        assertThrows(CorruptObjectException.class, () -> objects.read(id));
    assertTrue(missing.toString().contains("missing"), missing.getMessage());
  }

  @Test
  default void manyWritersOfOneObjectLeaveItWhole() throws Exception {
    ContentStore objects = new ContentStore(depot());
    byte[] bytes = new byte[100_000];
    ObjectId id = ObjectId.of(bytes);
    inParallel(
        8,
        () -> {
          for (int i = 0; i < 5; i++) {
            assertEquals(id, objects.put(bytes));
            assertArrayEquals(bytes, objects.read(id));
          }
          return true;
        });
  }

  @Test
  default void ofManyWritersOfOneRecordOneSucceeds() throws Exception {
    Journal journal = new Journal(depot(), "journal/of-many");
    for (int sequence = 1; sequence <= 20; sequence++) {
      int number = sequence;
      List<Boolean> wrote =
          inParallel(8, () -> journal.append(number, bytes(Thread.currentThread().getName())));
      assertEquals(1, wrote.stream().filter(Boolean::booleanValue).count());
    }
    assertEquals(20, journal.last());
    assertFalse(journal.append(20, new byte[1]));
    assertThrows(IllegalArgumentException.class, () -> journal.append(22, new byte[1]));
  }

  @Test
  default void manyAppendersLoseNothing() throws Exception {
    Journal journal = new Journal(depot(), "journal");
    List<List<Long>> numbers =
        inParallel(
            8,
            () ->
                IntStream.range(0, 5)
                    .mapToObj(i -> journal.append(n -> bytes(Long.toString(n))))
                    .toList());
    assertEquals(40, numbers.stream().flatMap(List::stream).distinct().count());
    List<byte[]> records = journal.readAll();
    for (int i = 0; i < 40; i++) {
      assertEquals(Integer.toString(i + 1), new String(records.get(i), UTF_8));
    }
  }

  @Test
  default void anEmptyJournalHasNoRecords() {
    Journal journal = new Journal(depot(), "nowhere");
    assertEquals(0, journal.last());
    assertEquals(List.of(), journal.readAll());
  }

  @Test
  default void whatNothingRefersToGoesThroughTheTrashAndTheRestStays() {
    Duration grace = Duration.ofHours(1);
    ContentStore objects = new ContentStore(depot());
    ObjectId kept = objects.put(bytes("kept"));
    ObjectId lost = objects.put(bytes("lost"));
    depot().create("evidence/v1/00000001.json", bytes("\"" + kept.sha256() + "\""));
    assertEquals(Set.of(lost.sha256()), garbage(0, grace).collect().young());
    assertEquals(Set.of(lost.sha256()), garbage(2, grace).collect().trashed());
    assertArrayEquals(bytes("lost"), objects.read(lost));
    assertEquals(Set.of(lost.sha256()), garbage(2, grace).collect().trashed());
    assertEquals(Set.of(lost.sha256()), garbage(4, grace).collect().removed());
    assertThrows(CorruptObjectException.class, () -> objects.read(lost));
    assertArrayEquals(bytes("kept"), objects.read(kept));
    assertEquals(
        List.of("evidence", "objects"),
        depot().folders().stream().filter(each -> !depot().list(each).isEmpty()).toList());
  }

  private Garbage garbage(int gracePeriods, Duration grace) {
    return new Garbage(
        depot(), Clock.offset(Clock.systemUTC(), grace.multipliedBy(gracePeriods)), grace);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String nameOf(ObjectId id) {
    return "objects/" + id.sha256().substring(0, 2) + "/" + id.sha256();
  }

  private static <T> List<T> inParallel(int threads, Callable<T> task) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> results =
          executor.invokeAll(IntStream.range(0, threads).mapToObj(i -> task).toList());
      List<T> values = new ArrayList<>();
      for (Future<T> result : results) {
        values.add(result.get());
      }
      return values;
    } finally {
      executor.shutdownNow();
    }
  }
}
