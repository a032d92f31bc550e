package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFolderTest {

  private @TempDir Path root;

  @Test
  void theFirstStartHasNothingToContinueFrom() {
    assertEquals(Optional.empty(), new CheckpointFolder(root.resolve("absent")).newest());
    assertEquals(Optional.empty(), new CheckpointFolder(root).newest());
  }

  @Test
  void theOneWithTheHighestNumberIsTheNewestWhateverTheClockSaid() throws Exception {
    complete("job1/chk-9", 9, 3_000);
    Path savepoint = complete("savepoint-job1-x", 10, 2_000);
    Files.createDirectories(root.resolve("job2/chk-11"));
    assertEquals(Optional.of(savepoint), new CheckpointFolder(root).newest());

    Path later = complete("job2/chk-11", 11, 1_000);
    assertEquals(Optional.of(later), new CheckpointFolder(root).newest());
  }

  @Test
  void aDamagedOneIsNamedAndNotPassedOver() throws Exception {
    complete("job1/chk-8", 8, 1_000);
    Path damaged = complete("job1/chk-9", 9, 2_000);
    Files.write(damaged.resolve("_metadata"), new byte[] {1, 2, 3});

    String message =
        String.valueOf(
            assertThrows(UncheckedIOException.class, () -> new CheckpointFolder(root).newest())
                .getMessage());
    assertTrue(message.contains(damaged.toString()), message);
  }

  @Test
  void leftoversAreAllButTheNewestAndWhatItMayShare() throws Exception {
    Path savepoint = complete("savepoint-job1-x", 8, 1_000);
    complete("job1/chk-9", 9, 1_500);
    Path older = complete("job2/chk-10", 10, 2_000);
    Path newest = complete("job2/chk-11", 11, 3_000);
    Files.createDirectories(root.resolve("job2/shared"));

    List<Path> leftovers = new CheckpointFolder(root).leftovers(newest);
    assertEquals(Set.of(savepoint, root.resolve("job1"), older), Set.copyOf(leftovers));

    leftovers.forEach(CheckpointFolder::delete);
    assertEquals(Optional.of(newest), new CheckpointFolder(root).newest());
    assertEquals(List.of(), new CheckpointFolder(root).leftovers(newest));
  }

  private Path complete(String name, long number, long modifiedMillis) throws IOException {
    Path folder = Files.createDirectories(root.resolve(name));
    Path metadata = folder.resolve("_metadata");
    try (OutputStream out = Files.newOutputStream(metadata)) {
      Checkpoints.storeCheckpointMetadata(
          new CheckpointMetadata(number, List.of(), List.of()), out);
    }
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(modifiedMillis));
    return folder;
  }
}
