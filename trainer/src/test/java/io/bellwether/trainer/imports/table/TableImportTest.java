package io.bellwether.trainer.imports.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.table.TableImport.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // set before each test
class TableImportTest {

  private static final Path EXAMPLE = Path.of("../examples/imports/shop");
  private static final String HEADER = "id,at,country,shown,p,click";
  private static final String[] MAPPING = {
    "decision: id",
    "time: { column: at }",
    "context: [ { feature: country } ]",
    "shown: { column: shown }",
    "candidates: { column: all }",
    "propensity: { column: p }",
    "signals: [ { signal: click } ]"
  };

  @TempDir private Path folder;
  private ImportFixture fixture;

  @BeforeEach
  void readSurface() throws Exception {
    fixture = ImportFixture.of(folder, "shop");
  }

  @Test
  void theExampleOfTheGuideIsImported() throws IOException {
    ImportSummary summary =
        fixture.run(
            TableImport.source(
                "clicks",
                Format.CSV,
                ',',
                EXAMPLE.resolve("clicks.csv"),
                EXAMPLE.resolve("mapping.yaml"),
                fixture.surface()));
    assertEquals(0, summary.rejected());
    assertTrue(summary.propensities().doubt().isEmpty());
    List<Transition> rows = fixture.rows(summary);
    Decision first = rows.get(0).getDecision();
    assertEquals("e1", first.getDecisionId());
    assertEquals("ann", first.getSubjectId());
    assertEquals(1764500000000000L, first.getDecidedAtMicros());
    assertEquals("v1", first.getPolicyVersion());
    assertEquals(List.of("tea", "cup", "pot", "mug"), first.getCandidateIds());
    assertEquals("cup", first.getSlate().get(0).getItemId());
    assertEquals(1 / 3.0, first.getSlate().get(1).getPropensity());
    assertEquals("{\"country\":\"de\",\"hour\":11.0}", first.getRawContext());
    assertEquals(4.5f, Floats.of(first.getItems())[0]);
    assertEquals(
        List.of("click 0 1.0", "click 1 0.0", "spent -1 12.0"),
        rows.get(0).getSignals().stream()
            .map(s -> s.getSignal() + " " + s.getPosition() + " " + s.getValue())
            .toList());
    assertEquals("e2", rows.get(0).getNextDecisionId());
  }

  @Test
  void everyMistakeOfAMappingIsToldWithItsLine() throws IOException {
    Path mapping =
        fixture.file(
            "mapping.yaml",
            "time: { column: at, unit: weeks }",
            "shown: { column: shown }",
            "contexts: []",
            "signals: [ { signal: click, times: x } ]");
    assertEquals(
        List.of(
            "line 1: time.unit: found 'weeks', must be one of s, ms, us, iso",
            "line 3: (file): found unknown field 'contexts', must be one of decision, subject,"
                + " time, policy, weight, learnable, context, items, shown, candidates, propensity,"
                + " chances, signals",
            "line 4: signals[0].times: found 'x', must be a number"),
        mistakes(mapping));
    fixture.file(
        "mapping.yaml",
        "time: { column: at }",
        "context: [ { feature: weather } ]",
        "shown: { column: shown, by: index }",
        "signals: [ { signal: buy } ]");
    assertEquals(
        List.of(
            "line 2: context[0].feature: found 'weather', must be one of the context features of"
                + " surface shop: country, hour",
            "line 3: shown: found by: index, and no candidates, must be candidates to count",
            "line 4: signals[0].signal: found 'buy', must be one of the signals of surface shop:"
                + " click, spent"),
        mistakes(mapping));
    fixture.file("mapping.yaml", MAPPING);
    assertEquals(
        List.of(
            "line 5: candidates.column: found 'all', must be one of the columns of "
                + folder.resolve("log.csv")
                + ": id, at, country, shown, p, click"),
        mistakes(mapping));
    fixture.file("mapping.yaml", "time: { column: at", "shown: x");
    assertTrue(mistakes(mapping).get(0).startsWith("line 2: (file): found no YAML"));
  }

  private List<String> mistakes(Path mapping) throws IOException {
    Path log = fixture.file("log.csv", HEADER);
    ImportRefused refused =
        assertThrows(
            ImportRefused.class,
            () ->
                fixture.run(
                    TableImport.source("log", Format.CSV, ',', log, mapping, fixture.surface())));
    return String.valueOf(refused.getMessage())
        .lines()
        .map(line -> line.replace(mapping + ": ", ""))
        .toList();
  }

  @Test
  void hostileLinesOfCsvAreRejectedOneByOne() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("\uFEFFid,at,country,shown,p,click,all\r\n".getBytes(UTF_8));
    line(bytes, "ok,2026-01-01T00:00:00Z,de,tea,0.5,1,tea|cup");
    line(bytes, "nan,2026-01-01T00:00:00Z,de,tea,NaN,1,tea|cup");
    line(bytes, "minus,2026-01-01T00:00:00Z,de,tea,-0.5,1,tea|cup");
    line(bytes, "when,yesterday,de,tea,0.5,1,tea|cup");
    line(bytes, "few,2026-01-01T00:00:00Z,de");
    line(bytes, "open,\"2026-01-01T00:00:00Z,de,tea,0.5,1,tea|cup");
    line(bytes, "who,2026-01-01T00:00:00Z,de,pot,0.5,1,tea|cup");
    line(bytes, "two,2026-01-01T00:00:00Z,de,tea,0.5|0.5,1,tea|cup");
    bytes.writeBytes("latin,2026-01-01T00:00:00Z,de,tée,0.5,1,tea|cup\r\n".getBytes(ISO_8859_1));
    line(bytes, "value,2026-01-01T00:00:00Z,de,tea,0.5,many,tea|cup");
    line(bytes, "\"last\",2026-01-01T00:00:00Z,\"xx\",cup,0.5,true,tea|cup");
    Path log = Files.write(folder.resolve("log.csv"), bytes.toByteArray());
    ImportSummary summary = run(Format.CSV, log);
    assertEquals(2, summary.decisions().count());
    String rejects = Files.readString(summary.rejects().orElseThrow());
    for (String expected :
        List.of(
            "\t3\tp is 'NaN', must be a finite number",
            "\t4\tpropensity is -0.5, must be in (0, 1]; looks like a log-probability",
            "\t5\tat is 'yesterday', must be like 2026-11-30T18:05:00Z",
            "\t6\thas 3 fields, must have 7 like the header",
            "\t7\topens a quote in field 2 that is not closed",
            "\t8\tshown is 'pot', which is none of the 2 candidates",
            "\t9\tp has 2 values for 1 shown items",
            "\t10\tis not UTF-8: byte 32 is 0xe9",
            "\t11\tclick is 'many', must be a finite number")) {
      assertTrue(rejects.contains(expected), expected + " in " + rejects);
    }
  }

  private static void line(ByteArrayOutputStream bytes, String text) {
    bytes.writeBytes((text + "\r\n").getBytes(UTF_8));
  }

  @Test
  void filesThatAreDamagedAsAWholeLeaveNothing() throws IOException {
    StringBuilder text = new StringBuilder(HEADER + ",all\n");
    for (int i = 0; i < 5000; i++) {
      text.append("d").append(i * 7919L).append(",2026-01-01T00:00:00Z,de,tea,0.5,1,tea|cup\n");
    }
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
      zip.write(text.toString().getBytes(UTF_8));
    }
    byte[] whole = zipped.toByteArray();
    Path log = folder.resolve("log.csv.gz");
    Files.write(log, Arrays.copyOf(whole, whole.length / 2));
    ImportRefused cut = assertThrows(ImportRefused.class, () -> run(Format.CSV, log));
    assertTrue(String.valueOf(cut.getMessage()).contains("ends in the middle"), cut.getMessage());
    assertFalse(Files.exists(folder.resolve("imports/log")));
    assertFalse(Files.exists(folder.resolve("imports/.log.importing")));
    Files.write(log, whole);
    assertEquals(5000, run(Format.CSV, log).decisions().count());
    Path noParquet = fixture.file("log.parquet", "PAR1 but not really");
    assertThrows(ImportRefused.class, () -> run(Format.PARQUET, noParquet));
  }

  @Test
  void linesOfJsonMayNestAndHoldCandidatesWithFeatures() throws IOException {
    Path log =
        fixture.file(
            "log.jsonl",
            "{\"id\":1,\"at\":1767225600.5,\"who\":{\"country\":\"it\"},\"shown\":[1],\"p\":[0.5],"
                + "\"click\":[true],\"all\":[{\"sku\":\"tea\",\"price\":\"4.5\"},{\"sku\":\"cup\"}]}",
            "{\"id\":2,\"at\":\"1767225601\",\"shown\":[0],\"p\":[0.5],\"click\":[null],"
                + "\"all\":[{\"sku\":\"tea\"},{\"sku\":\"cup\"}]}",
            "{\"id\":3,\"id\":4}",
            "[1]",
            "{\"id\":",
            "{\"id\":5,\"at\":1767225600,\"shown\":[0],\"p\":[0.5],\"all\":[{}]}");
    Path mapping =
        fixture.file(
            "mapping.yaml",
            "decision: id",
            "time: { column: at, unit: s }",
            "context: [ { feature: country, column: who.country } ]",
            "items: { id: sku, features: [ { feature: price } ] }",
            "shown: { column: shown, by: index }",
            "candidates: { column: all }",
            "propensity: { column: p }",
            "signals: [ { signal: click } ]");
    ImportSummary summary =
        fixture.run(TableImport.source("log", Format.JSONL, ',', log, mapping, fixture.surface()));
    assertEquals(4, summary.rejected());
    List<Transition> rows = fixture.rows(summary);
    Decision first = rows.get(0).getDecision();
    assertEquals(1767225600500000L, first.getDecidedAtMicros());
    assertEquals("cup", first.getSlate().get(0).getItemId());
    assertEquals("[{\"price\":4.5},{}]", first.getRawItems());
    assertEquals(1, rows.get(0).getSignals().get(0).getValue());
    assertTrue(rows.get(1).getSignals().isEmpty());
    String rejects = Files.readString(summary.rejects().orElseThrow());
    assertTrue(rejects.contains("\t3\tis no JSON at column"), rejects);
    assertTrue(rejects.contains("Duplicate field 'id'"), rejects);
    assertTrue(rejects.contains("\t4\tis no JSON object"), rejects);
    assertTrue(rejects.contains("\t6\thas a candidate without sku"), rejects);
  }

  @Test
  void logarithmsAndPercentagesAreReadWhereTheMappingSaysSo() throws IOException {
    Path log =
        fixture.file(
            "log.csv",
            HEADER + ",all",
            "a,2026-01-01T00:00:00Z,de,tea,-0.6931471805599453,1,tea|cup");
    String[] mapping = MAPPING.clone();
    mapping[5] = "propensity: { column: p, scale: log, kind: monte-carlo }";
    Path file = fixture.file("mapping.yaml", mapping);
    ImportSummary summary =
        fixture.run(TableImport.source("log", Format.CSV, ',', log, file, fixture.surface()));
    Decision decision = fixture.rows(summary).get(0).getDecision();
    assertEquals(0.5, decision.getSlate().get(0).getPropensity(), 1e-15);
    assertEquals(Map.of("MONTE_CARLO", 1L), summary.decisions().kinds());
  }

  private ImportSummary run(Format format, Path log) throws IOException {
    Path mapping = fixture.file("mapping.yaml", MAPPING);
    return fixture.run(TableImport.source("log", format, ',', log, mapping, fixture.surface()));
  }
}
