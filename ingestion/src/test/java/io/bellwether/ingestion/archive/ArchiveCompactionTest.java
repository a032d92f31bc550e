package io.bellwether.ingestion.archive;

import static io.bellwether.ingestion.archive.ArchiveRows.day;
import static io.bellwether.ingestion.archive.ArchiveRows.normal;
import static io.bellwether.ingestion.archive.ArchiveRows.read;
import static io.bellwether.ingestion.archive.ArchiveRows.row;
import static io.bellwether.ingestion.archive.ArchiveRows.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveCompactionTest {

  private static final Instant NOW = Instant.parse("2025-12-02T00:00:00Z");
  private static final Duration GRACE = Duration.ofHours(1);

  private @TempDir Path folder;
  private Path root = Path.of("");

  @BeforeEach
  void open() {
    root = folder.resolve("archive");
  }

  @Test
  void manyFilesBecomeOneThatReadsTheSame() throws Exception {
    write(root, "a", List.of(row("d3", "s", 3, 0), row("d1", "s", 1, 0)));
    write(root, "b", List.of(row("d2", "s", 2, 0), row("d1", "s", 1, 2)));
    write(root, "c", List.of(row("d1", "s", 1, 1), row("d3", "s", 3, 0)));
    List<Transition> before = normal(root);

    List<ArchiveCompaction.Compacted> compacted = compact(NOW);

    assertEquals(before, read(root));
    assertEquals(
        List.of("d1 0 3.0", "d2 0 1.0", "d3 0 1.0"),
        read(root).stream()
            .map(
                t ->
                    t.getDecision().getDecisionId()
                        + " "
                        + t.getRevision()
                        + " "
                        + t.getSignals().get(0).getValue())
            .toList());
    assertEquals(1, new TransitionArchive(root).files("clips").size());
    assertEquals(1, compacted.size());
    assertEquals(6, compacted.get(0).rowsBefore());
    assertEquals(3, compacted.get(0).rows());
  }

  @Test
  void whatIsCompactedStaysAsItIs() throws Exception {
    write(root, "a", List.of(row("d1", "s", 1, 0)));
    compact(NOW);
    byte[] manifest = Files.readAllBytes(day(root).resolve(Manifest.FILE));

    assertEquals(List.of(), compact(NOW));
    assertArrayEquals(manifest, Files.readAllBytes(day(root).resolve(Manifest.FILE)));
  }

  @Test
  void lateRestatementsWinOverWhatIsCompacted() throws Exception {
    write(root, "a", List.of(row("d1", "s", 1, 0), row("d1", "s", 1, 1), row("d2", "s", 2, 0)));
    compact(NOW);
    write(root, "b", List.of(row("d1", "s", 1, 2)));

    assertEquals(List.of("d2 1", "d1 3"), outcomes());
    compact(NOW);
    assertEquals(List.of("d1 3", "d2 1"), outcomes());
  }

  @Test
  void copiesOfWhatIsCompactedAreReadOnce() throws Exception {
    write(root, "a", List.of(row("d1", "s", 1, 0), row("d2", "s", 2, 0)));
    compact(NOW);
    Path compacted = new TransitionArchive(root).files("clips").get(0);
    write(root, "b", List.of(row("d2", "s", 2, 0)));

    assertEquals(2, read(root).size());
    compact(NOW);
    assertEquals(List.of(compacted), new TransitionArchive(root).files("clips"));
    assertEquals(2, read(root).size());
  }

  @Test
  void theSameFactsGiveTheSameBytesHoweverTheyCame() throws Exception {
    List<Transition> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      for (int revision = 0; revision <= i % 3; revision++) {
        rows.add(row("d" + i, "s" + i % 7, i / 2, revision));
      }
    }
    Set<String> hashes = new HashSet<>();
    for (int seed = 0; seed < 6; seed++) {
      Path other = folder.resolve("other" + seed);
      List<Transition> shuffled = new ArrayList<>(rows);
      Collections.shuffle(shuffled, new Random(seed));
      if (seed % 2 == 1) {
        // The job restates in order, and what is compacted has no revision to compare.
        shuffled.sort(Comparator.comparingInt(Transition::getRevision));
      }
      int cut = 7 + 5 * seed;
      for (int from = 0; from < shuffled.size(); from += cut) {
        int to = Math.min(from + cut, shuffled.size());
        write(other, "f" + from, shuffled.subList(Math.max(0, from - seed), to));
        if (seed % 2 == 1 && from == 2 * cut) {
          compact(other, NOW);
        }
      }
      // So little memory that most of it goes over the disk.
      new ArchiveCompaction(other, GRACE, at(NOW), 4000L * (seed + 1))
          .compact(List.of(), 1, each -> {});
      Path file = new TransitionArchive(other).files("clips").get(0);
      hashes.add(ArchiveFile.sha256(file));
      assertArrayEquals(
          NormalForm.bytes(NormalForm.of(rows)), NormalForm.bytes(read(other)), "seed " + seed);
    }
    assertEquals(1, hashes.size());
  }

  @Test
  void replacedFilesStayForReadersUntilTheirTimeIsOver() throws Exception {
    write(root, "a", List.of(row("d1", "s", 1, 0)));
    write(root, "b", List.of(row("d2", "s", 2, 0)));
    List<Path> found = new TransitionArchive(root).files("clips");
    try (TransitionArchive.Transitions reading = new TransitionArchive(root).read(found)) {
      reading.next();
      compact(NOW);
      assertEquals("d2", reading.next().getDecision().getDecisionId());
    }

    compact(NOW.plus(GRACE));
    assertTrue(found.stream().allMatch(Files::exists));
    assertEquals(2, compact(NOW.plus(GRACE).plusMillis(1)).get(0).removed());
    assertTrue(found.stream().noneMatch(Files::exists));
    assertEquals(2, read(root).size());
    assertEquals(List.of(), check());
  }

  @Test
  void whoeverIsKilledAtAnyMomentLosesNothing() throws Exception {
    write(root, "a", List.of(row("d1", "s", 1, 0), row("d2", "s", 2, 1)));
    compact(NOW);
    write(root, "b", List.of(row("d2", "s", 2, 2), row("d3", "s", 3, 0)));
    List<Transition> expected = normal(root);
    TreeMap<String, byte[]> before = files(root);
    new DayRewrite(DayFolder.of(root, "clips").get(0), NOW, 1 << 20).seal();
    TreeMap<String, byte[]> sealed = files(root);
    compact(NOW);
    TreeMap<String, byte[]> after = files(root);
    compact(NOW.plus(Duration.ofDays(1)));
    TreeMap<String, byte[]> swept = files(root);

    List<Map<String, byte[]>> moments = new ArrayList<>(List.of(before, sealed));
    TreeMap<String, byte[]> state = new TreeMap<>(sealed);
    state.put(".sorting123.inprogress", "half".getBytes(UTF_8));
    moments.add(new TreeMap<>(state));
    state.put(ArchiveLayout.COMPACTING, "PAR1 half".getBytes(UTF_8));
    moments.add(new TreeMap<>(state));
    String base =
        after.keySet().stream().filter(name -> !sealed.containsKey(name)).findFirst().orElseThrow();
    state.put(base, after.get(base));
    moments.add(new TreeMap<>(state));
    state.put(Manifest.FILE, after.get(Manifest.FILE));
    moments.add(new TreeMap<>(state));
    for (String name : after.keySet()) {
      if (!swept.containsKey(name)) {
        state.remove(name);
        moments.add(new TreeMap<>(state));
      }
    }

    for (int i = 0; i < moments.size(); i++) {
      Path killed = folder.resolve("killed" + i);
      Files.createDirectories(day(killed));
      for (Map.Entry<String, byte[]> file : moments.get(i).entrySet()) {
        Files.write(day(killed).resolve(file.getKey()), file.getValue());
      }
      assertEquals(expected, normal(killed), "moment " + i);
      assertEquals(expected.size(), read(killed).size(), "moment " + i);
      compact(killed, NOW);
      compact(killed, NOW.plus(Duration.ofDays(1)));
      assertEquals(expected, read(killed), "moment " + i);
      assertEquals(swept.keySet(), files(killed).keySet(), "moment " + i);
    }
  }

  @Test
  void readersSeeEveryRowOnceWhileFilesComeAndAreCompacted() throws Exception {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    int files = 25;
    write(root, "f0", List.of(row("d0", "s", 0, 0)));
    Thread compactor =
        new Thread(
            () -> {
              try {
                for (int i = 1; i < files; i++) {
                  write(root, "f" + i, List.of(row("d" + i, "s", i, 0), row("d0", "s", 0, i)));
                  compact(NOW);
                }
              } catch (IOException | RuntimeException e) {
                failures.add(e);
              }
            });
    compactor.start();
    int least = 1;
    while (compactor.isAlive()) {
      List<Transition> rows = read(root);
      Set<String> ids = new HashSet<>();
      rows.forEach(row -> ids.add(row.getDecision().getDecisionId()));
      assertEquals(ids.size(), rows.size());
      assertTrue(rows.size() >= least);
      least = rows.size();
    }
    compactor.join();
    assertEquals(List.of(), failures);
    assertEquals(files, read(root).size());
  }

  @Test
  void damageIsNotHandedOn() throws Exception {
    write(root, "a", List.of(row("d1", "s", 1, 0)));
    write(root, "b", List.of(row("d2", "s", 2, 0)));
    new ArchiveCheck(root).record(List.of());
    Path file = new TransitionArchive(root).files("clips").get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);

    IOException refused = assertThrows(IOException.class, () -> compact(NOW));
    assertTrue(refused.toString().contains("was altered"), refused.toString());
  }

  private List<String> outcomes() {
    return read(root).stream()
        .map(t -> t.getDecision().getDecisionId() + " " + t.getOutcomeCount())
        .toList();
  }

  private List<ArchiveCheck.Problem> check() throws IOException {
    return new ArchiveCheck(root).check(List.of()).problems();
  }

  private List<ArchiveCompaction.Compacted> compact(Instant now) throws IOException {
    return compact(root, now);
  }

  private static List<ArchiveCompaction.Compacted> compact(Path root, Instant now)
      throws IOException {
    return new ArchiveCompaction(root, GRACE, at(now)).compact(List.of(), 1, each -> {});
  }

  private static Clock at(Instant now) {
    return Clock.fixed(now, ZoneOffset.UTC);
  }

  private static TreeMap<String, byte[]> files(Path root) throws IOException {
    TreeMap<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(day(root))) {
      for (Path file : entries.toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }
}
