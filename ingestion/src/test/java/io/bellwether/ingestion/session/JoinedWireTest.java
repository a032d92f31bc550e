package io.bellwether.ingestion.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.SignalValue;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class JoinedWireTest {

  @Test
  void whatIsKnownOfADecisionArrivesAsItWas() throws Exception {
    JoinedDecision joined =
        new JoinedDecision(
            "feed",
            "s",
            "d",
            1_764_460_800_000_000L,
            new byte[] {1, 2, 3},
            true,
            List.of(new SignalValue("like", -1, 1.0, 2), new SignalValue("seconds", 0, 0.5, 1)),
            3,
            1,
            List.of(new Observation("o", "like", -1, 1.0, 5L, 6L)));
    TypeSerializer<JoinedDecision> serializer =
        JoinedWire.TYPE.createSerializer(new SerializerConfigImpl());
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(joined, out);

    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    JoinedDecision read = serializer.deserialize(in);

    assertEquals(0, in.available());
    assertArrayEquals(joined.decision(), read.decision());
    assertEquals(withoutBytes(joined), withoutBytes(read));
  }

  /** Arrays are equal only to themselves. */
  private static List<Object> withoutBytes(JoinedDecision joined) {
    return List.of(
        joined.subjectKey(),
        joined.decisionId(),
        joined.decidedAtMicros(),
        joined.closed(),
        joined.signals(),
        joined.outcomeCount(),
        joined.outsideWindow(),
        joined.outcomes());
  }
}
