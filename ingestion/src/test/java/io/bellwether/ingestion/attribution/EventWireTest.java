package io.bellwether.ingestion.attribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventWireTest {

  @Test
  void anEventArrivesAsItWas() throws Exception {
    Received record =
        new Received("decisions", 3, 1L << 40, -5, new byte[] {1}, new byte[] {2, -1});

    Event read = there(new Event("d-é\uD83D\uDE00", Event.NO_PROGRESS, record));

    assertEquals("d-é\uD83D\uDE00", read.decisionId());
    assertEquals(Event.NO_PROGRESS, read.progressMillis());
    assertEquals("decisions", read.record().topic());
    assertEquals(3, read.record().partition());
    assertEquals(1L << 40, read.record().offset());
    assertEquals(-5, read.record().writtenAtMillis());
    assertArrayEquals(new byte[] {1}, read.record().key());
    assertArrayEquals(new byte[] {2, -1}, read.record().value());
  }

  @Test
  void noKeyAndAnEmptyOneAreTwoThings() throws Exception {
    assertNull(there(event(null)).record().key());
    assertArrayEquals(new byte[0], there(event(new byte[0])).record().key());
  }

  private static Event event(byte @Nullable [] key) {
    return new Event("d", 7, new Received("outcomes", 0, 0, 0, key, new byte[] {1}));
  }

  private static Event there(Event event) throws IOException {
    EventWire wire = new EventWire();
    DataOutputSerializer out = new DataOutputSerializer(16);
    wire.write(event, out);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    Event read = wire.read(in);
    assertEquals(0, in.available());
    return read;
  }
}
