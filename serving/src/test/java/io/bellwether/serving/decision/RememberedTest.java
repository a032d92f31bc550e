package io.bellwether.serving.decision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RememberedTest {

  private final Remembered remembered = new Remembered(10);

  @Test
  void theFirstDecisionOfAnIdStays() {
    assertEquals(Optional.empty(), remembered.put("a", new byte[] {1}));
    assertArrayEquals(new byte[] {1}, remembered.put("a", new byte[] {2}).orElseThrow());
    assertArrayEquals(new byte[] {1}, remembered.get("a").orElseThrow());
    assertEquals(Optional.empty(), remembered.get("b"));
  }

  @Test
  void theOldestGoWhereTheBoundIsReached() {
    assertEquals(Optional.empty(), remembered.put("a", new byte[6]));
    assertEquals(Optional.empty(), remembered.put("b", new byte[4]));
    assertEquals(6, remembered.get("a").orElseThrow().length);
    assertEquals(Optional.empty(), remembered.put("c", new byte[1]));
    assertEquals(Optional.empty(), remembered.get("a"));
    assertEquals(4, remembered.get("b").orElseThrow().length);
    assertEquals(Optional.empty(), remembered.put("d", new byte[11]));
    assertEquals(Optional.empty(), remembered.get("d"));
  }
}
