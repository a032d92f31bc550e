package io.bellwether.trainer.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.SyntheticLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedRunIT {

  @TempDir Path folder;
  private final SyntheticLog log = new SyntheticLog();

  @Test
  void aTaskThatFailedAfterTrainingGoesOnFromItsCheckpoint() throws IOException {
    SyntheticLog.write(folder.resolve("archive"), "all", log.transitions(0, 300));
    PolicyStore store = new PolicyStore(folder.resolve("store"), Clock.systemUTC());
    Training training = new Training(store, Clock.systemUTC(), "test", line -> {});
    // Nothing can be written in the place of a folder that is not empty.
    Path obstacle = folder.resolve("run/model.onnx.part/obstacle");
    Files.createDirectories(obstacle);
    assertThrows(IOException.class, () -> training.run(request("run")));
    Path checkpoint = folder.resolve("run/checkpoints/stage-0.checkpoint");
    assertTrue(Files.exists(checkpoint));
    assertEquals(List.of(), store.names());

    Files.delete(obstacle);
    Files.delete(obstacle.getParent());
    byte[] resumed = store.file(training.run(request("run")).id(), PolicyManifest.GRAPH);
    byte[] unbroken = store.file(training.run(request("other")).id(), PolicyManifest.GRAPH);
    assertArrayEquals(unbroken, resumed);
    assertFalse(Files.exists(checkpoint), "what is done needs none");
  }

  private TrainingRequest request(String run) {
    return TrainingRequest.of(
            log.surface(),
            new ArchiveSource(folder.resolve("archive"), log.surface().name()),
            TrainingMethod.CONSTRAINED,
            folder.resolve(run))
        .withEpochs(1)
        .withBatchSize(64);
  }
}
