package io.bellwether.ingestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
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
  void theNewestCompleteCheckpointOrSavepointCounts() throws Exception {
    complete("job1/chk-9", 1_000);
    Path savepoint = complete("savepoint-job1-x", 2_000);
    Files.createDirectories(root.resolve("job2/chk-10"));
    assertEquals(Optional.of(savepoint), new CheckpointFolder(root).newest());

    Path later = complete("job2/chk-2", 3_000);
    assertEquals(Optional.of(later), new CheckpointFolder(root).newest());
  }

  @Test
  void olderOnesAreDeletedAndWhatTheNewestMayShareIsKept() throws Exception {
    complete("savepoint-job1-x", 1_000);
    complete("job1/chk-9", 1_500);
    Path older = complete("job2/chk-1", 2_000);
    Path newest = complete("job2/chk-2", 3_000);
    Path shared = Files.createDirectories(root.resolve("job2/shared"));
    new CheckpointFolder(root).keepOnly(newest);

    assertTrue(Files.exists(newest.resolve("_metadata")));
    assertTrue(Files.exists(shared));
    assertFalse(Files.exists(older));
    assertFalse(Files.exists(root.resolve("job1")));
    assertFalse(Files.exists(root.resolve("savepoint-job1-x")));
  }

  private Path complete(String name, long modifiedMillis) throws IOException {
    Path folder = Files.createDirectories(root.resolve(name));
    Path metadata = Files.createFile(folder.resolve("_metadata"));
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(modifiedMillis));
    return folder;
  }
}
