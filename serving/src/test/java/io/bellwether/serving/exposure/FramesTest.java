package io.bellwether.serving.exposure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FramesTest {

  @Property(tries = 200)
  void whatIsJoinedComesApartAgain(@ForAll byte[] first, @ForAll List<byte[]> others) {
    byte[] joined = Frames.join(first, others.toArray(byte[][]::new));
    List<byte[]> parts = Frames.split(joined);
    assertEquals(0, joined[0]);
    assertEquals(1 + others.size(), parts.size());
    assertArrayEquals(first, parts.get(0));
    for (int i = 0; i < others.size(); i++) {
      assertArrayEquals(others.get(i), parts.get(i + 1));
    }
  }
}
