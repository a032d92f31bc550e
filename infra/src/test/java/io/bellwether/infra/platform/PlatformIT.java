package io.bellwether.infra.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlatformIT {
  @TempDir Path data;

  @Test
  void itsAddressFileIsThereExactlyWhileItRunsAndIsTheSameAfterARestart() throws Exception {
    Path file = Platform.addressFile(data);
    PlatformAddress first;
    try (Platform platform = Platform.start(data)) {
      first = PlatformAddress.read(file);
      assertEquals(platform.address(), first);
      assertEquals(ProcessHandle.current().pid(), first.platformPid());
    }
    assertFalse(Files.exists(file));
    try (Platform platform = Platform.start(data)) {
      assertEquals(first.kafka(), platform.address().kafka());
      assertEquals(first.redis(), platform.address().redis());
    }
  }

  @Test
  void aDataFolderThatIsAFileIsRefusedWithWhatToDo() throws Exception {
    Path file = Files.writeString(data.resolve("file"), "");
    PlatformFailed failed = assertThrows(PlatformFailed.class, () -> Platform.start(file));
    assertTrue(failed.toString().contains("The data folder " + file), failed.toString());
    assertTrue(failed.next().contains("--data"), failed.next());
  }
}
