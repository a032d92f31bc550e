package io.bellwether.serving.spool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {

  private static final long ROOM = 1 << 20;

  private static final RecordForm<byte[]> BYTES =
      new RecordForm<>() {
        @Override
        public int size(byte[] record) {
          return record.length;
        }

        @Override
        public void write(byte[] record, ByteBuffer target) {
          target.put(record);
        }

        @Override
        public byte[] read(ByteBuffer bytes) {
          byte[] record = new byte[bytes.remaining()];
          bytes.get(record);
          return record;
        }
      };

  @TempDir Path folder;

  @Test
  void whatIsAppendedIsReadInOrderUntilItIsRemoved() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> true)) {
      append(spool, "a", "b");
      append(spool, "c");
      assertTrue(spool.await(Duration.ofSeconds(5)));
      Spool.Batch<byte[]> first = spool.read(2, ROOM);
      assertEquals(List.of("a", "b"), texts(first));
      assertEquals(List.of("a", "b"), texts(spool.read(2, ROOM)));
      spool.remove(first);
      assertEquals(List.of("c"), texts(spool.read(2, ROOM)));
      assertEquals(1, spool.records());
    }
  }

  @Test
  void nothingOfAnEmptySpoolStaysOnTheDisk() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> true)) {
      append(spool, "a");
      spool.remove(spool.read(9, ROOM));
      assertEquals(0, spool.bytes());
      assertEquals(0, spool.records());
      assertEquals(List.of(), segments());
      assertFalse(spool.await(Duration.ZERO));
      append(spool, "b");
      assertEquals(List.of("b"), texts(spool.read(9, ROOM)));
    }
  }

  @Test
  void theNextProcessReadsWhatWasNotRemoved() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "a");
    }
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "b");
      assertEquals(2, spool.records());
      Spool.Batch<byte[]> batch = spool.read(9, ROOM);
      assertEquals(List.of("a"), texts(batch), "a batch is of one file");
      spool.remove(batch);
      assertEquals(List.of("b"), texts(spool.read(9, ROOM)));
    }
  }

  /** Every length at which the writing of the last record could have been interrupted. */
  @Test
  void aTornTailIsCutOffAndTheRestIsKept() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "whole");
      append(spool, "torn");
    }
    Path file = segments().get(0);
    byte[] bytes = Files.readAllBytes(file);
    int whole = bytes.length - Segment.HEAD - "torn".length();
    for (int length = whole; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
        assertEquals(List.of("whole"), texts(spool.read(9, ROOM)), "cut at " + length);
        assertEquals(whole, Files.size(file));
      }
    }
  }

  @Test
  void aFileWithoutItsBeginningHoldsNothing() throws Exception {
    Files.write(folder.resolve("0000000000000000007.spool"), new byte[] {1, 2, 3});
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      assertEquals(List.of(), texts(spool.read(9, ROOM)));
      append(spool, "a");
      assertEquals(List.of("a"), texts(spool.read(9, ROOM)));
      assertTrue(segments().get(0).endsWith("0000000000000000008.spool"), segments().toString());
    }
  }

  @Test
  void aBitThatFlippedEndsItsFile() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "a", "b", "c");
    }
    Path file = segments().get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1 - Segment.HEAD - 1] ^= 1; // in "b"
    Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      assertEquals(List.of("a"), texts(spool.read(9, ROOM)));
    }
  }

  @Test
  void aFullSpoolTakesNothingUntilThereIsRoomAgain() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, 16 << 10, BYTES, () -> false)) {
      byte[] record = new byte[1000];
      List<CompletableFuture<Void>> kept = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        kept.add(spool.append(List.of(record)));
      }
      CompletionException full =
          assertThrows(CompletionException.class, () -> kept.forEach(CompletableFuture::join));
      assertInstanceOf(SpoolFullException.class, full.getCause());
      assertFalse(spool.writable());
      assertTrue(spool.bytes() <= 16 << 10);
      long before = spool.records();
      spool.remove(spool.read(20, ROOM));
      assertTrue(spool.records() < before);
      spool.append(List.of(record)).join();
    }
  }

  @Test
  void aGroupIsKeptWholeOrNotAtAll() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, 16 << 10, BYTES, () -> false)) {
      byte[] record = new byte[6000];
      assertThrows(
          CompletionException.class, () -> spool.append(List.of(record, record, record)).join());
      assertEquals(0, spool.records());
      assertFalse(spool.await(Duration.ZERO));
    }
  }

  @Test
  void recordsOfManyThreadsAreAllThereAndEachThreadsInOrder() throws Exception {
    int threads = 8;
    int each = 200;
    try (Spool<byte[]> spool = Spool.open(folder, 64 * ROOM, BYTES, () -> false)) {
      List<CompletableFuture<Void>> running =
          IntStream.range(0, threads)
              .mapToObj(
                  t ->
                      CompletableFuture.runAsync(
                          () -> IntStream.range(0, each).forEach(i -> append(spool, t + ":" + i))))
              .toList();
      running.forEach(CompletableFuture::join);
      List<String> all = new ArrayList<>();
      while (spool.records() > 0) {
        Spool.Batch<byte[]> batch = spool.read(64, ROOM);
        all.addAll(texts(batch));
        spool.remove(batch);
      }
      assertEquals(threads * each, all.size());
      for (int t = 0; t < threads; t++) {
        String prefix = t + ":";
        assertEquals(
            IntStream.range(0, each).mapToObj(i -> prefix + i).toList(),
            all.stream().filter(text -> text.startsWith(prefix)).toList());
      }
    }
  }

  @Test
  void aRecordLargerThanABufferComesBackWhole() throws Exception {
    byte[] large = new byte[700_000];
    new Random(7).nextBytes(large);
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> true)) {
      spool.append(List.of(new byte[0], large)).join();
      List<byte[]> read = spool.read(9, ROOM).records();
      assertEquals(0, read.get(0).length);
      assertArrayEquals(large, read.get(1));
    }
  }

  /** Far more than is kept in memory, read while it is written, now closely and now far behind. */
  @Test
  void whoeverFallsBehindReadsTheSameFromTheFile() throws Exception {
    Random random = new Random(11);
    try (Spool<byte[]> spool = Spool.open(folder, 64 * ROOM, BYTES, () -> false)) {
      int appended = 0;
      int read = 0;
      while (read < 1200) {
        for (int i = random.nextInt(300); i > 0 && appended < 1200; i--) {
          byte[] record = new byte[20_000 + random.nextInt(20_000)];
          record[0] = (byte) appended;
          record[1] = (byte) (appended++ >> 8);
          spool.append(List.of(record)).join();
        }
        Spool.Batch<byte[]> batch = spool.read(1 + random.nextInt(400), 8 * ROOM);
        for (byte[] record : batch.records()) {
          assertEquals(read++, (record[0] & 0xff) + ((record[1] & 0xff) << 8));
        }
        spool.remove(batch);
      }
      assertEquals(0, spool.records());
    }
  }

  /** As the end of the service interrupts whoever forwards. */
  @Test
  void whoIsInterruptedWhileReadingAFileLosesNothing() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "a", "b");
    }
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      Thread.currentThread().interrupt();
      Spool.Batch<byte[]> batch = spool.read(1, ROOM);
      assertTrue(Thread.interrupted(), "the interrupt is still there");
      assertEquals(List.of("a"), texts(batch));
      spool.remove(batch);
      assertEquals(List.of("b"), texts(spool.read(9, ROOM)));
    }
  }

  @Test
  void whoIsInterruptedWhileAppendingLosesNothing() throws Exception {
    byte[] large = new byte[700_000];
    try (Spool<byte[]> spool = Spool.open(folder, 512 * ROOM, BYTES, () -> false)) {
      for (int i = 0; i < 9; i++) { // more than is kept in memory
        spool.append(List.of(large)).join();
      }
      Thread.currentThread().interrupt();
      append(spool, "last");
      assertTrue(Thread.interrupted(), "the interrupt is still there");
      Spool.Batch<byte[]> batch = spool.read(10, 64 * ROOM);
      assertEquals(10, batch.records().size());
      assertEquals("last", texts(batch).get(9));
    }
  }

  @Test
  void whoReadsAFileHoldsUpNobodyWhoAppends() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "a");
    }
    List<Spool<byte[]>> opened = new ArrayList<>();
    RecordForm<byte[]> slow =
        new RecordForm<>() {
          @Override
          public int size(byte[] record) {
            return BYTES.size(record);
          }

          @Override
          public void write(byte[] record, ByteBuffer target) {
            BYTES.write(record, target);
          }

          @Override
          public byte[] read(ByteBuffer bytes) throws IOException {
            CompletableFuture.runAsync(() -> append(opened.get(0), "b"))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
            return BYTES.read(bytes);
          }
        };
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, slow, () -> false)) {
      opened.add(spool);
      assertEquals(List.of("a"), texts(spool.read(1, ROOM)));
      assertEquals(2, spool.records());
    }
  }

  @Test
  void whileTheDiskIsSlowNobodyWritesWhoAppends() throws Exception {
    List<Thread> writers = new CopyOnWriteArrayList<>();
    RecordForm<byte[]> slow =
        new RecordForm<>() {
          @Override
          public int size(byte[] record) {
            return BYTES.size(record);
          }

          @Override
          public void write(byte[] record, ByteBuffer target) {
            writers.add(Thread.currentThread());
            long until = System.nanoTime() + Duration.ofMillis(3).toNanos();
            while (System.nanoTime() < until) {
              Thread.onSpinWait();
            }
            BYTES.write(record, target);
          }

          @Override
          public byte[] read(ByteBuffer bytes) throws IOException {
            return BYTES.read(bytes);
          }
        };
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, slow, () -> false)) {
      append(spool, "a");
      append(spool, "b");
      assertEquals(List.of("a", "b"), texts(spool.read(9, ROOM)));
    }
    assertEquals(Thread.currentThread(), writers.get(0));
    assertEquals("spool-writer", writers.get(1).getName());
  }

  @Test
  void whatWasDamagedIsCountedAndPassed() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      append(spool, "a", "b", "c");
    }
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      Path file = segments().get(0);
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length - 1 - Segment.HEAD - 1] ^= 1; // in "b"
      Files.write(file, bytes);
      append(spool, "d");
      Spool.Batch<byte[]> batch = spool.read(9, ROOM);
      assertEquals(List.of("a"), texts(batch));
      assertEquals(2, batch.unreadable());
      spool.remove(batch);
      assertEquals(1, spool.records());
      assertEquals(List.of("d"), texts(spool.read(9, ROOM)));
    }
  }

  @Test
  void whoCannotBeWrittenHoldsUpNobodyElse() throws Exception {
    RecordForm<byte[]> picky =
        new RecordForm<>() {
          @Override
          public int size(byte[] record) {
            return BYTES.size(record);
          }

          @Override
          public void write(byte[] record, ByteBuffer target) {
            if (record.length == 0) {
              throw new IllegalArgumentException("nothing");
            }
            BYTES.write(record, target);
          }

          @Override
          public byte[] read(ByteBuffer bytes) throws IOException {
            return BYTES.read(bytes);
          }
        };
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, picky, () -> false)) {
      assertThrows(CompletionException.class, () -> append(spool, ""));
      append(spool, "a");
      assertEquals(List.of("a"), texts(spool.read(9, ROOM)));
    }
  }

  @Test
  void aFolderBelongsToOneProcess() throws Exception {
    try (Spool<byte[]> spool = Spool.open(folder, ROOM, BYTES, () -> false)) {
      assertThrows(IOException.class, () -> Spool.open(folder, ROOM, BYTES, () -> false));
      append(spool, "a");
    }
    Spool.open(folder, ROOM, BYTES, () -> false).close();
  }

  @Test
  void aFolderThatVanishedIsAFullSpoolUntilItIsBack() throws Exception {
    Path inner = folder.resolve("inner");
    try (Spool<byte[]> spool = Spool.open(inner, ROOM, BYTES, () -> true)) {
      Files.delete(inner.resolve("spool.lock"));
      Files.delete(inner);
      CompletionException refused =
          assertThrows(CompletionException.class, () -> append(spool, "a"));
      assertInstanceOf(SpoolFullException.class, refused.getCause());
      Files.createDirectory(inner);
      append(spool, "b");
      assertEquals(List.of("b"), texts(spool.read(9, ROOM)));
    }
  }

  private static void append(Spool<byte[]> spool, String... texts) {
    spool.append(Stream.of(texts).map(text -> text.getBytes(UTF_8)).toList()).join();
  }

  private static List<String> texts(Spool.Batch<byte[]> batch) {
    return batch.records().stream().map(bytes -> new String(bytes, UTF_8)).toList();
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".spool")).sorted().toList();
    }
  }
}
