package io.bellwether.trainer.exports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.archive.TransitionArchiveWriter;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.table.ImportFixture;
import io.bellwether.trainer.imports.table.ParquetRows;
import io.bellwether.trainer.imports.table.Rows;
import io.bellwether.trainer.imports.table.TableImport;
import io.bellwether.trainer.imports.table.TableImport.Format;
import io.bellwether.trainer.imports.vw.DsjsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // set before each test
class ArchiveExportTest {

  private static final Path EXAMPLE = Path.of("../examples/imports/shop");

  @TempDir private Path folder;
  private ImportFixture fixture;
  private ImportSummary imported;

  @BeforeEach
  void importTheExample() throws Exception {
    fixture = ImportFixture.of(folder, "shop");
    imported =
        fixture.run(
            TableImport.source(
                "clicks",
                Format.CSV,
                ',',
                EXAMPLE.resolve("clicks.csv"),
                EXAMPLE.resolve("mapping.yaml"),
                fixture.surface()));
  }

  @Test
  void jsonLinesComeBackAsTheSameTransitions() throws IOException {
    ArchiveExport.Exported exported = export(ArchiveExport.Format.JSONL, "out.jsonl.gz");
    assertEquals(3, exported.decisions());
    ImportSummary again =
        fixture.run(
            TableImport.source(
                "clicks",
                Format.JSONL,
                ',',
                exported.file(),
                exported.mapping().orElseThrow(),
                fixture.surface()));
    List<Transition> before = known(fixture.rows(imported));
    assertEquals(before, known(fixture.rows(again)));
  }

  @Test
  void jsonLinesKeepWhatPropensitiesAreAndWhatMayBeLearnedFrom() throws IOException {
    List<Transition> rows = fixture.rows(imported);
    rows.get(0).getDecision().setPropensityKind("ESTIMATED");
    rows.get(1).getDecision().setPropensityKind("NONE");
    rows.get(2).getDecision().setPropensityKind("DETERMINISTIC");
    rows.get(2).getDecision().setLearnable(false);
    Path archive = Files.createDirectories(folder.resolve("kinds"));
    try (TransitionArchiveWriter writer = new TransitionArchiveWriter(archive, "part")) {
      for (Transition row : rows) {
        writer.write(row);
      }
    }
    ArchiveExport.Exported exported =
        new ArchiveExport(fixture.surface(), ArchiveExport.Format.JSONL, line -> {})
            .run(archive, Instant.MIN, Instant.MAX, folder.resolve("kinds.jsonl"));
    ImportSummary again =
        fixture.run(
            TableImport.source(
                "kinds",
                Format.JSONL,
                ',',
                exported.file(),
                exported.mapping().orElseThrow(),
                fixture.surface()));
    assertEquals(0, again.rejected());
    assertEquals(
        List.of("ESTIMATED true", "NONE true", "NONE false"),
        fixture.rows(again).stream()
            .map(Transition::getDecision)
            .map(each -> each.getPropensityKind() + " " + each.getLearnable())
            .toList());
  }

  /** Without what an export does not say: names of outcomes, and the logits. */
  private static List<Transition> known(List<Transition> rows) {
    for (Transition row : rows) {
      row.setOutcomes(List.of());
      row.getDecision().setLogits(java.nio.ByteBuffer.allocate(0));
    }
    return rows;
  }

  @Test
  void dsjsonHoldsTheSameChoicesAndRewards() throws IOException {
    ArchiveExport.Exported exported = export(ArchiveExport.Format.DSJSON, "out.dsjson");
    assertEquals(3, exported.decisions());
    ImportSummary again =
        fixture.run(
            new ImportSource(
                "vw",
                List.of(exported.file()),
                "",
                false,
                () -> DsjsonReader.open(exported.file(), "click")));
    Transition before = fixture.rows(imported).get(0);
    Transition after = fixture.rows(again).get(0);
    assertEquals(before.getDecision().getSlate(), after.getDecision().getSlate());
    assertEquals(before.getDecision().getItems(), after.getDecision().getItems());
    assertEquals(1, after.getSignals().get(0).getValue());
  }

  @Test
  void aParquetTableHasARowPerShownItem() throws IOException {
    ArchiveExport.Exported exported = export(ArchiveExport.Format.PARQUET, "out.parquet");
    List<Rows.Row> rows = new ArrayList<>();
    try (ParquetRows parquet = ParquetRows.open(exported.file())) {
      for (Rows.Row row = parquet.next(); row != null; row = parquet.next()) {
        rows.add(row);
      }
    }
    assertEquals(6, rows.size());
    Rows.Row second = Objects.requireNonNull(rows.get(1));
    assertEquals("e1", second.values().get("decision_id").asText());
    assertEquals(1, second.values().get("position").asInt());
    assertEquals("tea", second.values().get("item_id").asText());
    assertEquals("2025-11-30T10:53:20Z", second.values().get("decided_at").asText());
    assertEquals(0, second.values().get("signal_click").asDouble());
    assertEquals(12, second.values().get("slate_spent").asDouble());
    assertFalse(second.values().has("signal_spent"));
  }

  @Test
  void onlyDecisionsOfTheGivenTimeAreExported() throws IOException {
    Decision second = fixture.rows(imported).get(1).getDecision();
    Instant time = Instant.ofEpochMilli(second.getDecidedAtMicros() / 1000);
    Path file = folder.resolve("part.jsonl");
    ArchiveExport.Exported exported =
        new ArchiveExport(fixture.surface(), ArchiveExport.Format.JSONL, line -> {})
            .run(imported.folder().orElseThrow(), time, time.plusMillis(1), file);
    assertEquals(1, exported.decisions());
    assertTrue(Files.readString(file).contains("\"e2\""));
  }

  private ArchiveExport.Exported export(ArchiveExport.Format format, String name)
      throws IOException {
    return new ArchiveExport(fixture.surface(), format, line -> {})
        .run(imported.folder().orElseThrow(), Instant.MIN, Instant.MAX, folder.resolve(name));
  }
}
