package io.bellwether.trainer.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SyntheticLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeederParallelismIT {

  private static final int DECISIONS = 600;

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private PolicyStore store;

  @BeforeEach
  void openStore() {
    store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
  }

  @Test
  void theSameDataAndSeedGiveTheSameBytesAtAnyParallelism() throws IOException {
    for (int file = 0; file < 6; file++) {
      SyntheticLog.write(
          folder.resolve("archive"),
          "file" + file,
          log.transitions(file * DECISIONS / 6, (file + 1) * DECISIONS / 6));
    }
    // the same data in one file, in another order, with a copy and an earlier revision
    List<Transition> shuffled = log.transitions(0, DECISIONS);
    shuffled.forEach(transition -> transition.setRevision(1));
    shuffled.add(log.transition(7));
    shuffled.add(Transition.newBuilder(shuffled.get(9)).build());
    Collections.reverse(shuffled);
    SyntheticLog.write(folder.resolve("shuffled"), "all", shuffled);

    TrainingRequest request = request("archive", TrainingMethod.CONSTRAINED);
    byte[] one = graph(request.withParallelism(1));
    assertArrayEquals(one, graph(request.withParallelism(2)));
    assertArrayEquals(one, graph(request.withParallelism(4)));
    assertArrayEquals(one, graph(request("shuffled", TrainingMethod.CONSTRAINED)));
    assertNotEquals(
        java.util.Arrays.hashCode(one), java.util.Arrays.hashCode(graph(request.withSeed(2))));
  }

  @Test
  void aRunSaysWhatItDidInLinesAndInTheManifest() throws IOException {
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, DECISIONS));
    PolicyVersion version =
        training().run(request("archive", TrainingMethod.BEHAVIOUR_CLONING).withHeldOutShare(0.25));
    PolicyManifest manifest = store.manifest(version.id());
    assertEquals("behaviour-cloning", manifest.algorithm());
    assertEquals(log.surface().digest(), manifest.surfaceDigest());
    assertEquals(List.of("watch", "like"), manifest.features().signals());
    assertEquals(0.25, manifest.metrics().get(Subjects.HELD_OUT_SHARE));
    assertTrue(manifest.data().rows() < DECISIONS && manifest.data().rows() > DECISIONS / 2);
    assertTrue(manifest.metrics().getOrDefault("export.difference", 1.0) <= 1e-5);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("published v")), lines::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("decisions of subjects that are not used")),
        lines::toString);
    assertTrue(Files.exists(folder.resolve("run/progress.json")));
  }

  @Test
  void oneEnormousValueIsRefusedByNameAndNothingIsPublished() throws IOException {
    List<Transition> transitions = log.transitions(0, 60);
    float[] items = Floats.of(transitions.get(33).getDecision().getItems());
    items[6] = 3e38f;
    transitions.get(33).getDecision().setItems(Floats.toBytes(items, items.length));
    SyntheticLog.write(folder.resolve("archive"), "all", transitions);
    TrainingFailed failed =
        assertThrows(
            TrainingFailed.class,
            () -> training().run(request("archive", TrainingMethod.CONSTRAINED)));
    assertEquals(TrainingFailed.Kind.INVALID_DATA, failed.kind());
    String message = String.valueOf(failed.getMessage());
    assertTrue(message.contains("decision-33 item item-1: column 2 (topic:0) is 3.0E38"), message);
    assertEquals(List.of(), store.names());
  }

  /** One row has no spread by which its advantage could be measured. */
  @Test
  void aRunThatDivergesSaysSoAndPublishesNothing() throws IOException {
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, DECISIONS));
    TrainingFailed failed =
        assertThrows(
            TrainingFailed.class,
            () -> training().run(request("archive", TrainingMethod.CONSTRAINED).withBatchSize(1)));
    assertEquals(TrainingFailed.Kind.DIVERGED, failed.kind());
    String message = String.valueOf(failed.getMessage());
    assertTrue(message.startsWith("training diverged at step "), message);
    assertEquals(List.of(), store.names());
    assertFalse(Files.exists(folder.resolve("run/model.onnx")));
  }

  @Test
  void anArchiveThatIsNotThereIsSaidSo() {
    IOException failure =
        assertThrows(
            IOException.class,
            () -> training().run(request("nowhere", TrainingMethod.CONSTRAINED)));
    assertTrue(String.valueOf(failure.getMessage()).contains("nowhere"), failure::toString);
  }

  private TrainingRequest request(String archive, TrainingMethod method) {
    return TrainingRequest.of(
            log.surface(),
            new ArchiveSource(folder.resolve(archive), log.surface().name()),
            method,
            folder.resolve("run"))
        .withEpochs(1)
        .withBatchSize(64);
  }

  private Training training() {
    return new Training(store, Clock.systemUTC(), "test", lines::add);
  }

  private byte[] graph(TrainingRequest request) throws IOException {
    return store.file(training().run(request).id(), PolicyManifest.GRAPH);
  }
}
