package io.bellwether.trainer.lineage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.archive.ArchiveCompaction;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SyntheticLog;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.job.TrainingRequest;
import io.bellwether.trainer.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetrainingIT {

  private static final int DECISIONS = 240;
  private static final String CODE = "test";

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private Path archive;
  private PolicyStore store;
  private VersionId version;

  @BeforeEach
  void train() throws IOException {
    archive = folder.resolve("archive");
    store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    SyntheticLog.write(archive, "one", log.transitions(0, DECISIONS / 2));
    SyntheticLog.write(archive, "two", log.transitions(DECISIONS / 2, DECISIONS));
    version =
        new Training(store, Clock.systemUTC(), CODE, line -> {})
            .run(
                TrainingRequest.of(
                        log.surface(),
                        new ArchiveSource(archive, log.surface().name()),
                        TrainingMethod.CONSTRAINED,
                        folder.resolve("run"))
                    .withEpochs(2)
                    .withBatchSize(32)
                    .withHeldOutShare(0.25)
                    .withSeed(7)
                    .withDeclaration(SyntheticLog.yaml()))
            .id();
  }

  @Test
  void aVersionComesOutToTheByteAfterTheArchiveGrewAndWasCompacted() throws IOException {
    SyntheticLog.write(archive, "later", log.transitions(DECISIONS, DECISIONS + 60));
    Reproduction.Equal grown = equal(reproduce());
    assertEquals(List.of(PolicyManifest.INT8_GRAPH, PolicyManifest.GRAPH), grown.files());
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
    Path file = new TransitionArchive(archive).files(log.surface().name()).get(1);
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
            recipe.heldOutShare(),
            recipe.asOf(),
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
    for (Path file : new TransitionArchive(archive).files(log.surface().name()).subList(0, 1)) {
      Files.delete(file);
    }
    Reproduction.Impossible gone = assertInstanceOf(Reproduction.Impossible.class, reproduce());
    assertTrue(gone.reason().startsWith("the data is gone: "), gone::reason);
    assertTrue(gone.reason().contains("1 of 2 files are not there any more"), gone::reason);
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
            new Retraining.Choices(folder.resolve("again"), null, List.of(), false, 2),
            line -> {})
        .of(version);
  }
}
