package io.bellwether.ingestion.archive;

import static io.bellwether.ingestion.archive.ArchiveRows.day;
import static io.bellwether.ingestion.archive.ArchiveRows.read;
import static io.bellwether.ingestion.archive.ArchiveRows.row;
import static io.bellwether.ingestion.archive.ArchiveRows.write;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveUpkeepTest {

  private static final Instant NOW = Instant.parse("2025-12-02T00:00:00Z");

  private @TempDir Path root;

  @Test
  void anErasedSubjectIsInNoFileAnyMore() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0), row("d2", "bob", 2, 0)));
    write(root, "b", List.of(row("d3", "ann", 3, 0), row("d3", "ann", 3, 1)));
    compact();
    write(root, "c", List.of(row("d4", "ann", 4, 0), row("d5", "cid", 5, 0)));

    ArchiveErasure.Erased erased = ArchiveErasure.erase(root, (subject, at) -> isAnn(subject));

    assertEquals(3, erased.rowsRemoved());
    assertEquals(2, erased.filesRewritten());
    assertEquals(
        List.of("bob", "cid"),
        read(root).stream().map(t -> t.getDecision().getSubjectId()).toList());
    assertEquals(1, parquetFiles().size());
    for (Path file : parquetFiles()) {
      assertFalse(Files.readString(file, ISO_8859_1).contains("ann"));
    }
    assertEquals(List.of(), check().problems());
    assertEquals(
        new ArchiveErasure.Erased(0, 0, 0, List.of()),
        ArchiveErasure.erase(root, (subject, at) -> isAnn(subject)));
  }

  @Test
  void anErasureThatWasKilledGoesOn() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0), row("d2", "bob", 2, 0)));
    DayRewrite killed = new DayRewrite(DayFolder.of(root, "clips").get(0), NOW, 1 << 20);
    killed.rewrite(row -> !isAnn(row.getDecision().getSubjectId()));
    assertEquals(2, parquetFiles().size());

    ArchiveErasure.Erased erased = ArchiveErasure.erase(root, (subject, at) -> isAnn(subject));

    assertEquals(1, erased.filesRemoved());
    assertEquals(1, parquetFiles().size());
    assertEquals(1, read(root).size());
  }

  @Test
  void onlyWhatWasDecidedUntilThenIsErased() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0), row("d2", "ann", 9, 0)));

    ArchiveErasure.erase(
        root, (subject, at) -> isAnn(subject) && at <= ArchiveRows.MIDNIGHT + 5_000_000);

    assertEquals(List.of(row("d2", "ann", 9, 0)), read(root));
  }

  @Test
  void aDamagedDayKeepsNobodyInTheOthers() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0)));
    write(root, "b", List.of(row("d2", "ann", 2 * 86_400, 0), row("d3", "bob", 2 * 86_400, 0)));
    Files.writeString(day(root).resolve("part-a-0.parquet"), "no Parquet");

    assertThrows(
        IOException.class, () -> ArchiveErasure.erase(root, (subject, at) -> isAnn(subject)));

    Files.delete(day(root).resolve("part-a-0.parquet"));
    assertEquals(List.of(row("d3", "bob", 2 * 86_400, 0)), read(root));
  }

  @Test
  void aDayCanBeErasedAsAWhole() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0)));

    ArchiveErasure.erase(root, (subject, at) -> true);

    assertEquals(List.of(), read(root));
    assertEquals(List.of(), parquetFiles());
    write(root, "b", List.of(row("d2", "bob", 2, 0)));
    assertEquals(1, read(root).size());
  }

  @Test
  void filesBeingWrittenAreNamedAndLeftAlone() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0)));
    Path inProgress = day(root).resolve(".part-x-0.parquet.inprogress.1");
    Files.createFile(inProgress);

    ArchiveErasure.Erased erased = ArchiveErasure.erase(root, (subject, at) -> isAnn(subject));

    assertEquals(List.of(inProgress), erased.stillBeingWritten());
    assertTrue(Files.exists(inProgress));
  }

  @Test
  void everyAlteredByteIsFound() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0), row("d2", "bob", 2, 0)));
    compact();
    write(root, "b", List.of(row("d3", "cid", 3, 0)));
    new ArchiveCheck(root).record(List.of());
    assertEquals(List.of(), check().problems());
    assertEquals(2, check().listed());
    assertEquals(3, check().rows());

    for (Path file : new TransitionArchive(root).files("clips")) {
      everyAlteredByteIsFoundIn(file, 20);
    }
    everyAlteredByteIsFoundIn(day(root).resolve(Manifest.FILE), 30);
    assertEquals(List.of(), check().problems());
  }

  private void everyAlteredByteIsFoundIn(Path file, int places) throws IOException {
    byte[] right = Files.readAllBytes(file);
    for (int i = 0; i < right.length; i += right.length / places) {
      byte[] wrong = right.clone();
      wrong[i] ^= 4;
      Files.write(file, wrong);
      assertFalse(check().problems().isEmpty(), file + " byte " + i);
    }
    Files.write(file, right);
  }

  @Test
  void aMissingFileIsFoundAndReadersFail() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0)));
    new ArchiveCheck(root).record(List.of());
    Files.delete(new TransitionArchive(root).files("clips").get(0));

    assertEquals("is listed and missing", check().problems().get(0).what());
    assertThrows(UncheckedIOException.class, () -> read(root));
  }

  @Test
  void aManifestIsMadeAgain() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0), row("d2", "bob", 2, 1)));
    compact();
    write(root, "b", List.of(row("d3", "cid", 3, 0)));
    List<Transition> before = read(root);
    Path manifest = day(root).resolve(Manifest.FILE);
    for (String damage : List.of("", "{", "{}", "[1]")) {
      Files.writeString(manifest, damage);
      assertEquals(1, new ArchiveCheck(root).record(List.of()));
      assertEquals(NormalForm.of(before), NormalForm.of(read(root)));
      assertEquals(List.of(), check().problems());
    }
    Files.delete(manifest);
    assertEquals(NormalForm.of(before), NormalForm.of(read(root)));
  }

  @Test
  void daysThatAreTooOldGoAsAWhole() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0), row("d0", "ann", -1, 0)));
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    ArchiveRetention retention = new ArchiveRetention(root, clock);
    LocalDate day = LocalDate.parse("2025-11-30");

    assertEquals(1, retention.expire(List.of(), day, true).size());
    assertEquals(2, read(root).size());
    assertEquals(1, retention.expire(List.of(), day, false).get(0).files());
    assertEquals(List.of(row("d1", "ann", 1, 0)), read(root));
    assertEquals(List.of(), retention.expire(List.of(), day, false));
  }

  @Test
  void aDayThatSomebodyWritesToStays() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0)));
    Files.createFile(day(root).resolve(".part-x-0.parquet.inprogress.1"));

    List<ArchiveRetention.Expired> expired =
        new ArchiveRetention(root, Clock.fixed(NOW, ZoneOffset.UTC))
            .expire(List.of(), LocalDate.parse("2025-12-01"), false);

    assertTrue(expired.get(0).kept());
    assertEquals(1, read(root).size());
  }

  @Test
  void statusCountsWhatIsThere() throws Exception {
    write(root, "a", List.of(row("d1", "ann", 1, 0)));
    compact();
    write(root, "b", List.of(row("d2", "bob", 2, 0)));

    ArchiveStatus status = ArchiveStatus.of(root, List.of("clips")).get(0);

    assertEquals(2, status.files());
    assertEquals(2, status.rows());
    assertEquals(1, status.unlisted());
    assertEquals(1, status.replaced());
    assertFalse(status.compacted());
    assertEquals(1, status.schemas().size());
  }

  @Test
  void onlyOneAtATimeTakesTheLock() throws Exception {
    try (ArchiveLock lock = ArchiveLock.take(root, Duration.ZERO)) {
      assertThrows(IOException.class, () -> ArchiveLock.take(root, Duration.ZERO));
    }
    ArchiveLock.take(root, Duration.ZERO).close();
  }

  private static boolean isAnn(String subject) {
    return subject.equals("ann");
  }

  private void compact() throws IOException {
    new ArchiveCompaction(root, Duration.ofHours(1), Clock.fixed(NOW, ZoneOffset.UTC))
        .compact(List.of(), 1, each -> {});
  }

  private ArchiveCheck.Result check() throws IOException {
    return new ArchiveCheck(root).check(List.of());
  }

  private List<Path> parquetFiles() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(f -> f.toString().endsWith(".parquet")).toList();
    }
  }
}
