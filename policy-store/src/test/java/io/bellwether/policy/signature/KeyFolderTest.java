package io.bellwether.policy.signature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFolderTest {

  private final SigningKey one = SigningKey.generate();
  private final SigningKey two = SigningKey.generate();

  @TempDir private Path folder;
  private KeyFolder keys;

  @BeforeEach
  void oneKey() {
    one.writePublic(folder.resolve("one.pem"));
    keys = new KeyFolder(folder);
  }

  @Test
  void aKeyIsAddedAndRevokedWhileSomebodyAsks() throws Exception {
    assertSame(keys.get(), keys.get());
    two.writePublic(folder.resolve("two.pem"));
    assertEquals(Set.of(one.id(), two.id()), keys.get().ids());
    revoke("# lost on a train\n" + one.id().value() + "  # its laptop\n\n");
    assertEquals(Set.of(two.id()), keys.get().ids());
    assertEquals(Set.of(one.id()), keys.get().revoked());
    assertSame(keys.get(), keys.get());
  }

  @Test
  void whileAFileIsNoKeyThoseOfBeforeStay() throws Exception {
    Files.writeString(folder.resolve("two.pem"), "half a key");
    assertEquals(Set.of(one.id()), keys.get().ids());
    two.writePublic(folder.resolve("two.pem"));
    assertEquals(Set.of(one.id(), two.id()), keys.get().ids());
    revoke("not an id\n");
    assertEquals(Set.of(one.id(), two.id()), keys.get().ids());
    assertThrows(IllegalArgumentException.class, () -> new KeyFolder(folder));
  }

  private void revoke(String text) throws Exception {
    Files.writeString(folder.resolve(TrustedKeys.REVOKED), text);
  }
}
