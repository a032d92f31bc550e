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
import java.util.UUID;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
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

  @Test
  void filesOfAnEarlierJobStayWhileTheNewestIsBuiltOnThem() throws Exception {
    complete("job1/chk-9", 9, 1_000);
    complete("job2/chk-10", 10, 2_000);
    Path shared = Files.createDirectories(root.resolve("job1/shared")).resolve("sst");
    Path newest = complete("job3/chk-11", 11, 3_000, List.of(builtOn(shared)));

    assertEquals(List.of(root.resolve("job2")), new CheckpointFolder(root).leftovers(newest));
  }

  /** State of RocksDB, one file of which an earlier checkpoint wrote. */
  private static OperatorState builtOn(Path shared) {
    StreamStateHandle file =
        new FileStateHandle(new org.apache.flink.core.fs.Path(shared.toUri()), 1);
    KeyedStateHandle keyed =
        new IncrementalRemoteKeyedStateHandle(
            new UUID(1, 2),
            KeyGroupRange.of(0, 0),
            9,
            List.of(HandleAndLocalPath.of(file, "000001.sst")),
            List.of(),
            new ByteStreamStateHandle("meta", new byte[] {1}));
    OperatorState state = new OperatorState("attribute", "attribute", new OperatorID(3, 4), 1, 1);
    state.putState(0, OperatorSubtaskState.builder().setManagedKeyedState(keyed).build());
    return state;
  }

  private Path complete(String name, long number, long modifiedMillis) throws IOException {
    return complete(name, number, modifiedMillis, List.of());
  }

  private Path complete(String name, long number, long modifiedMillis, List<OperatorState> states)
      throws IOException {
    Path folder = Files.createDirectories(root.resolve(name));
    Path metadata = folder.resolve("_metadata");
    try (OutputStream out = Files.newOutputStream(metadata)) {
      Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(number, states, List.of()), out);
    }
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(modifiedMillis));
    return folder;
  }
}
