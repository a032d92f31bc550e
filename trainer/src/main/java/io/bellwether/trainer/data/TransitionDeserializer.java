package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.jspecify.annotations.Nullable;

/** Transitions as Flink reads them from Kafka. Confined to the subtask that opened it. */
final class TransitionDeserializer implements DeserializationSchema<Transition> {

  private static final long serialVersionUID = 1;

  private transient @Nullable EventCodec<Transition> codec;

  @Override
  public Transition deserialize(byte[] message) throws IOException {
    if (codec == null) {
      codec = EventCodec.of(Transition.class);
    }
    try {
      return codec.decode(message);
    } catch (UndecodableEventException e) {
      throw new IOException("an undecodable transition", e);
    }
  }

  @Override
  public boolean isEndOfStream(Transition transition) {
    return false;
  }

  @Override
  public TypeInformation<Transition> getProducedType() {
    return new AvroTypeInfo<>(Transition.class);
  }
}
