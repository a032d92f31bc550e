package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderDepotTest {

  @TempDir Path root;
  private ContentStore objects;

  @BeforeEach
  void openFolder() {
    objects = new ContentStore(new FolderDepot(root));
  }

  @Test
  void whatWasPutIsRead() {
    byte[] bytes = "abc".getBytes(UTF_8);
    ObjectId id = objects.put(bytes);
    assertEquals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", id.sha256());
    assertEquals(3, id.size());
    assertArrayEquals(bytes, objects.read(id));
    assertArrayEquals(new byte[0], objects.read(objects.put(new byte[0])));
  }

  @Test
  void aTruncatedObjectIsRefusedAndMendedByTheNextPut() throws IOException {
    byte[] bytes = new byte[5_000_000];
    new Random(1).nextBytes(bytes);
    ObjectId id = objects.put(bytes);
    Files.write(fileOf(id), Arrays.copyOf(bytes, 4_000_000));
    CorruptObjectException e = assertThrows(CorruptObjectException.class, () -> objects.read(id));
    assertTrue(e.toString().contains("has 4000000 bytes, expected 5000000"), e.getMessage());
    objects.put(bytes);
    assertArrayEquals(bytes, objects.read(id));
  }

  @Test
  void anAlteredOrMissingObjectIsRefused() throws IOException {
    byte[] bytes = "the same length".getBytes(UTF_8);
    ObjectId id = objects.put(bytes);
    bytes[3] ^= 1;
    Files.write(fileOf(id), bytes);
    CorruptObjectException altered =
        assertThrows(CorruptObjectException.class, () -> objects.read(id));
    assertTrue(altered.toString().contains("hashes to"), altered.getMessage());
    Files.delete(fileOf(id));
    CorruptObjectException missing =
        assertThrows(CorruptObjectException.class, () -> objects.read(id));
    assertTrue(missing.toString().contains("missing"), missing.getMessage());
  }

  @Test
  void manyWritersOfOneObjectLeaveItWhole() throws Exception {
    byte[] bytes = new byte[100_000];
    ObjectId id = ObjectId.of(bytes);
    inParallel(
        8,
        () -> {
          for (int i = 0; i < 25; i++) {
            assertEquals(id, objects.put(bytes));
            assertArrayEquals(bytes, objects.read(id));
          }
          return true;
        });
    try (Stream<Path> left = Files.list(root.resolve("temporary"))) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void ofManyWritersOfOneRecordOneSucceeds() throws Exception {
    Journal journal = new Journal(root.resolve("journal"), root.resolve("temporary"));
    for (int sequence = 1; sequence <= 20; sequence++) {
      int number = sequence;
      List<Boolean> wrote =
          inParallel(
              8, () -> journal.append(number, Thread.currentThread().getName().getBytes(UTF_8)));
      assertEquals(1, wrote.stream().filter(Boolean::booleanValue).count());
    }
    assertEquals(20, journal.last());
    assertFalse(journal.append(20, new byte[1]));
    assertThrows(IllegalArgumentException.class, () -> journal.append(22, new byte[1]));
  }

  @Test
  void manyAppendersLoseNothing() throws Exception {
    Journal journal = new Journal(root.resolve("journal"), root.resolve("temporary"));
    List<List<Long>> numbers =
        inParallel(
            8,
            () ->
                IntStream.range(0, 10)
                    .mapToObj(i -> journal.append(n -> Long.toString(n).getBytes(UTF_8)))
                    .toList());
    assertEquals(80, numbers.stream().flatMap(List::stream).distinct().count());
    List<byte[]> records = journal.readAll();
    for (int i = 0; i < 80; i++) {
      assertEquals(Integer.toString(i + 1), new String(records.get(i), UTF_8));
    }
  }

  @Test
  void anEmptyJournalHasNoRecords() {
    Journal journal = new Journal(root.resolve("nowhere"), root.resolve("temporary"));
    assertEquals(0, journal.last());
    assertEquals(List.of(), journal.readAll());
  }

  private Path fileOf(ObjectId id) {
    return root.resolve("objects").resolve(id.sha256().substring(0, 2)).resolve(id.sha256());
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
