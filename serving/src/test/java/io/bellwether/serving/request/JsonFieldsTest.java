package io.bellwether.serving.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class JsonFieldsTest {

  @Property(tries = 500)
  void aForeignIdIsWhatFitsInUtf8(@ForAll @StringLength(max = 100) String id) {
    boolean valid =
        StandardCharsets.UTF_8.newEncoder().canEncode(id)
            && id.getBytes(StandardCharsets.UTF_8).length <= Limits.STANDARD.idBytes();
    assertEquals(valid && !id.isBlank(), JsonFields.isForeignId(id));
  }

  @Test
  void theBoundOfAnIdIsInBytes() {
    assertTrue(JsonFields.isForeignId("🦊".repeat(64)));
    assertFalse(JsonFields.isForeignId("🦊".repeat(64) + "a"));
    assertTrue(JsonFields.isForeignId("ä".repeat(128)));
    assertFalse(JsonFields.isForeignId("ä".repeat(129)));
    assertTrue(JsonFields.isForeignId("한".repeat(85)));
    assertFalse(JsonFields.isForeignId("한".repeat(86)));
  }

  @Test
  void halfACharacterIsNoText() {
    assertFalse(JsonFields.isForeignId("a\ud83e"));
    assertFalse(JsonFields.isForeignId("\udd8aa"));
    assertFalse(JsonFields.isForeignId("\ud83e\ud83e"));
  }
}
