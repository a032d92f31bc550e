package io.bellwether.trainer.lineage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.archive.ArchiveCompaction;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.attribution.Relabel;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.job.TrainingRequest;
import io.bellwether.trainer.network.HistoryForm;
import io.bellwether.trainer.recipe.Recipe;
import io.bellwether.trainer.report.TrainingReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One training run, and an archive of its own for each test: a copy of what was read. */
class RetrainingIT {

  private static final int DECISIONS = 240;
  private static final String CODE = "test";

  @TempDir static Path shared;
  private static final SyntheticLog LOG = new SyntheticLog();
  private static PolicyStore store;
  private static VersionId trained;

  @TempDir Path folder;
  private Path archive;
  private VersionId version;

  @BeforeAll
  static void train() throws IOException {
    Path archive = shared.resolve("archive");
    store = new PolicyStore(shared.resolve("store"), Clock.systemUTC());
    SyntheticLog.write(archive, "one", observed(0, DECISIONS / 2));
    SyntheticLog.write(archive, "two", observed(DECISIONS / 2, DECISIONS));
    trained =
        new Training(store, Clock.systemUTC(), CODE, line -> {})
            .run(
                TrainingRequest.of(
                        LOG.surface(),
                        new ArchiveSource(archive, LOG.surface().name()),
                        TrainingMethod.CONSTRAINED,
                        shared.resolve("run"))
                    .withEpochs(2)
                    .withBatchSize(32)
                    .withHistoryForm(HistoryForm.GRU)
                    .withHeldOutShare(0.25)
                    .withSeed(7)
                    .withDeclaration(SyntheticLog.yaml()))
            .id();
  }

  @BeforeEach
  void copyTheArchive() throws IOException {
    version = trained;
    archive = folder.resolve("archive");
    try (Stream<Path> files = Files.walk(shared.resolve("archive"))) {
      for (Path file : files.toList()) {
        Files.copy(file, archive.resolve(shared.resolve("archive").relativize(file)));
      }
    }
  }

  /** Later decisions come in, and an outcome that was late: it restates what was trained on. */
  @Test
  void aVersionComesOutToTheByteAfterTheArchiveGrewAndWasCompacted() throws IOException {
    List<Transition> later = observed(DECISIONS, DECISIONS + 60);
    later.add(restated(7));
    SyntheticLog.write(archive, "later", later);
    Reproduction.Equal grown = equal(reproduce());
    assertEquals(
        List.of(
            PolicyManifest.INT8_GRAPH,
            PolicyManifest.GRAPH,
            TrainingReport.PAGE,
            TrainingReport.JSON),
        grown.files());
    assertEquals(store.manifest(version).data().digest(), grown.dataSha256());
    assertTrue(grown.how().startsWith("2 files of "), grown::how);

    new ArchiveCompaction(archive, Duration.ZERO, Clock.systemUTC())
        .compact(List.of(), 2, compacted -> {});
    Reproduction.Equal compacted = equal(reproduce());
    assertTrue(compacted.how().contains("2 of 2 files are not there"), compacted::how);
    assertEquals(grown.dataSha256(), compacted.dataSha256());
  }

  @Test
  void oneChangedByteOfDataIsFoundAndNamed() throws IOException {
    Path file = new TransitionArchive(archive).files(LOG.surface().name()).get(1);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    Reproduction.Different different = assertInstanceOf(Reproduction.Different.class, reproduce());
    assertEquals(1, different.differences().size());
    assertEquals("archive file " + archive.relativize(file), different.differences().get(0).what());
  }

  @Test
  void oneChangedSettingIsFoundInTheWeights() throws IOException {
    Recipe recipe = Recipe.of(store, version).orElseThrow();
    Recipe other =
        new Recipe(
            recipe.epochs(),
            recipe.batchSize() + 1,
            recipe.historyForm(),
            recipe.shared(),
            recipe.heldOutShare(),
            recipe.asOf(),
            recipe.decidedBefore(),
            recipe.codeSha256(),
            recipe.platform(),
            recipe.archive(),
            recipe.files());
    version = republished(other.toBytes());
    Reproduction.Different different = assertInstanceOf(Reproduction.Different.class, reproduce());
    Reproduction.Difference graph = different.differences().get(1);
    assertEquals("file model.onnx", graph.what());
    assertTrue(graph.found().contains("weight tensors differ, by at most "), graph::words);
  }

  @Test
  void otherCodeAndMissingDataAreReasonsAndNotDifferences() throws IOException {
    Reproduction.Impossible code =
        assertInstanceOf(Reproduction.Impossible.class, reproduce("another"));
    assertEquals("it was trained by version test of the code, and another runs", code.reason());
    for (Path file : new TransitionArchive(archive).files(LOG.surface().name()).subList(0, 1)) {
      Files.delete(file);
    }
    Reproduction.Impossible gone = assertInstanceOf(Reproduction.Impossible.class, reproduce());
    assertTrue(gone.reason().startsWith("the data is gone: "), gone::reason);
    assertTrue(gone.reason().contains("1 of 2 files are not there any more"), gone::reason);
  }

  /** With the outcomes from which the signals follow, as ingestion keeps them. */
  private static List<Transition> observed(int from, int to) {
    List<Transition> transitions = LOG.transitions(from, to);
    transitions.replaceAll(
        transition -> {
          List<Observation> outcomes = new ArrayList<>();
          for (SignalValue signal : transition.getSignals()) {
            outcomes.add(outcome(transition, signal, 11));
          }
          return Relabel.under(LOG.surface())
              .relabel(Transition.newBuilder(transition).setOutcomes(outcomes).build());
        });
    return transitions;
  }

  private static Transition restated(int number) {
    Transition transition = observed(number, number + 1).get(0);
    List<Observation> outcomes = new ArrayList<>(transition.getOutcomes());
    outcomes.add(outcome(transition, new SignalValue("watch", 0, 77.0, 1), 7200));
    Transition restated =
        Relabel.under(LOG.surface())
            .relabel(Transition.newBuilder(transition).setOutcomes(outcomes).build());
    restated.setRevision(1);
    assertNotEquals(transition.getSignals(), restated.getSignals());
    return restated;
  }

  private static Observation outcome(Transition transition, SignalValue signal, int afterSeconds) {
    long decided = transition.getDecision().getDecidedAtMicros();
    return new Observation(
        "%s-%s-%d-%d"
            .formatted(
                transition.getDecision().getDecisionId(),
                signal.getSignal(),
                signal.getPosition(),
                afterSeconds),
        signal.getSignal(),
        signal.getPosition(),
        signal.getValue(),
        decided + 10_000_000L,
        decided + afterSeconds * 1_000_000L);
  }

  private VersionId republished(byte[] recipe) {
    PolicyManifest manifest = store.manifest(version);
    Map<String, byte[]> files = new TreeMap<>();
    for (PolicyFile file : manifest.files()) {
      files.put(file.path(), store.file(version, file.path()));
    }
    files.put(Recipe.FILE, recipe);
    assertEquals(SyntheticLog.yaml(), new String(files.get(Recipe.SURFACE), UTF_8));
    return store.publish(manifest, files).id();
  }

  private static Reproduction.Equal equal(Reproduction reproduction) {
    return assertInstanceOf(Reproduction.Equal.class, reproduction, reproduction::toString);
  }

  private Reproduction reproduce() throws IOException {
    return reproduce(CODE);
  }

  private Reproduction reproduce(String code) throws IOException {
    return new Retraining(
            store,
            Clock.systemUTC(),
            code,
            new Retraining.Choices(folder.resolve("again"), archive, List.of(), false, 2),
            line -> {})
        .of(version);
  }
}
