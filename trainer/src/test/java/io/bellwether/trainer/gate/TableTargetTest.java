package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTargetTest {

  @TempDir Path folder;

  @Test
  void aTableOfChancesIsRead() throws IOException {
    try (TableTarget table = read("item_id,pos1,pos2\n0,0.25,1\n1,0.75,0\n")) {
      assertEquals("table.csv", table.name());
    }
  }

  @Test
  void whatIsNoTableOfChancesIsRefusedWithItsLine() {
    assertTrue(refusal("item,pos1\n").contains("expected item_id,pos1"));
    assertTrue(refusal("item_id,pos1\n0,0.5,1\n").contains("line 2: found 3 fields, expected 2"));
    assertTrue(refusal("item_id,pos1\n0,x\n").contains("found 'x', expected a number from 0 to 1"));
    assertTrue(refusal("item_id,pos1\n0,1.5\n").contains("found '1.5'"));
    assertTrue(refusal("item_id,pos1\n0,0.5\n0,0.5\n").contains("item 0 a second time"));
    assertTrue(refusal("item_id,pos1\n0,0.5\n1,0.4\n").contains("expected about 1 each"));
  }

  private String refusal(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage());
  }

  private TableTarget read(String text) throws IOException {
    return TableTarget.read(Files.writeString(folder.resolve("table.csv"), text));
  }
}
