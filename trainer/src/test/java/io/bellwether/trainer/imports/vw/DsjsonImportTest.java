package io.bellwether.trainer.imports.vw;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.trainer.imports.ImportSource;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.LogImport;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.SurfaceProposal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From somebody's log over a proposed surface into an archive, and out again. */
class DsjsonImportTest {

  /** Logits are 32-bit floats. */
  private static final double ROUNDING = 1e-5;

  @TempDir Path folder;

  @Test
  void aLogThatWasImportedWithItsProposedSurfaceComesOutAgainAsItWas() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 29);
    DsjsonExport theirs = new DsjsonExport(samples.surface);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      lines.add(DsjsonExportTest.line(theirs, samples.next(i, true)));
    }
    lines.add(DsjsonReaderTest.PERSONALIZER);
    lines.add(DsjsonReaderTest.PERSONALIZER);
    Path log = write(lines);
    Surface surface = proposed(log);
    assertEquals(5, surface.maxCandidates());

    ImportSummary summary = run(surface, log, false);
    assertEquals(Map.of(), summary.reasons());
    assertEquals(Map.of(), summary.unknownFeatures());
    assertEquals(61, summary.decisions().count());
    assertEquals(1, summary.duplicates());
    assertEquals(Map.of("EXACT", 61L), summary.decisions().kinds());

    Map<String, LoggedDecision> before = read(log);
    Map<String, LoggedDecision> after = read(write(exported(surface)));
    assertEquals(before.keySet(), after.keySet());
    before.forEach((id, decision) -> assertSame(decision, assertNotNullValue(after.get(id))));
  }

  @Test
  void slotsComeOutAgainToo() throws Exception {
    String another =
        DsjsonReaderTest.CCB.replace("ccb-1", "ccb-2").replace("20:15:11Z", "21:00:00");
    Path log = write(List.of(DsjsonReaderTest.CCB, another));
    Surface surface = proposed(log);
    assertEquals(2, surface.slateSize());
    assertEquals(2, run(surface, log, false).decisions().count());
    Map<String, LoggedDecision> before = read(log);
    Map<String, LoggedDecision> after = read(write(exported(surface)));
    for (String id : List.of("ccb-1", "ccb-2")) {
      LoggedDecision left = assertNotNullValue(before.get(id));
      LoggedDecision right = assertNotNullValue(after.get(id));
      assertEquals(left.reactions(), right.reactions());
      for (int i = 0; i < 2; i++) {
        assertEquals(left.slots().get(i).chosen(), right.slots().get(i).chosen());
        assertEquals(left.slots().get(i).propensity(), right.slots().get(i).propensity());
      }
    }
  }

  @Test
  void aDryRunSaysWhatWouldBeRejectedAndWritesNothing() throws Exception {
    String good = DsjsonReaderTest.PERSONALIZER;
    Path log =
        write(
            List.of(
                good,
                good.replace("\"p\":[0.866666675", "\"p\":[0").replace("75d5", "a"),
                good.replace("\"p\":[0.866666675", "\"p\":[-0.105").replace("75d5", "b"),
                good.replace("\"p\":[0.866666675", "\"p\":[86.6").replace("75d5", "c"),
                good.replace("\"p\":[0.866666675", "\"p\":[1e-12").replace("75d5", "d"),
                good.replace("\"c\"", "\"pdrop\":1.0,\"c\"").replace("75d5", "e"),
                "{"));
    ImportSummary summary = run(proposed(write(List.of(good), "good.json")), log, true);
    assertEquals(7, summary.entries());
    assertEquals(1, summary.decisions().count());
    assertEquals(2, summary.propensities().notPositive());
    assertEquals(1, summary.propensities().aboveOne());
    assertEquals(6, summary.rejected());
    assertEquals(List.of("good.json", "log.json"), files());
  }

  private static void assertSame(LoggedDecision before, LoggedDecision after) {
    String id = before.decisionId();
    assertEquals(before.decidedAtMicros(), after.decidedAtMicros(), id);
    assertEquals(before.context(), after.context(), id);
    assertEquals(before.candidates(), after.candidates(), id);
    assertEquals(before.reactions(), after.reactions(), id);
    assertEquals(before.policyVersion(), after.policyVersion(), id);
    assertEquals(before.sampleWeight(), after.sampleWeight(), ROUNDING, id);
    assertEquals(before.learnable(), after.learnable(), id);
    LoggedDecision.Slot slot = before.slots().get(0);
    assertEquals(slot.chosen(), after.slots().get(0).chosen(), id);
    assertEquals(slot.propensity(), after.slots().get(0).propensity(), id);
    assertArrayEquals(slot.distribution(), after.slots().get(0).distribution(), ROUNDING, id);
  }

  private static Surface proposed(Path log) throws Exception {
    SurfaceProposal proposal = new SurfaceProposal("imported");
    read(log).values().forEach(proposal::add);
    return new SurfaceReader().parse("imported.yaml", proposal.yaml().getBytes(UTF_8));
  }

  private ImportSummary run(Surface surface, Path log, boolean dryRun) throws IOException {
    ImportSource source =
        new ImportSource(
            "log", List.of(log), "reward", false, () -> DsjsonReader.open(log, "reward"));
    return new LogImport(surface, new LogImport.Options(dryRun, false), line -> {})
        .run(source, folder);
  }

  private List<String> exported(Surface surface) {
    DsjsonExport export = new DsjsonExport(surface);
    List<String> lines = new ArrayList<>();
    try (TransitionArchive.Transitions rows =
        new TransitionArchive(folder.resolve("log")).read(surface.name())) {
      rows.forEachRemaining(row -> lines.add(DsjsonExportTest.line(export, row)));
    }
    return lines;
  }

  private static Map<String, LoggedDecision> read(Path log) throws IOException {
    Map<String, LoggedDecision> decisions = new TreeMap<>();
    try (DsjsonReader reader = DsjsonReader.open(log, "reward")) {
      for (LogReader.Entry e = reader.next(); e != null; e = reader.next()) {
        LoggedDecision decision = ((LogReader.Read) e).decision();
        decisions.put(decision.decisionId(), decision);
      }
    }
    return decisions;
  }

  private static LoggedDecision assertNotNullValue(@Nullable LoggedDecision decision) {
    assertNotNull(decision);
    return decision;
  }

  private Path write(List<String> lines) throws IOException {
    return write(lines, "log.json");
  }

  private Path write(List<String> lines, String name) throws IOException {
    return Files.write(folder.resolve(name), lines);
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
