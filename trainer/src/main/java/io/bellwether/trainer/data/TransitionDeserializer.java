package io.bellwether.trainer.data;

import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import java.io.IOException;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Transitions as Flink reads them from Kafka, but for those of erased subjects. Confined to the
 * subtask that opened it.
 */
final class TransitionDeserializer implements DeserializationSchema<Transition> {

  private static final long serialVersionUID = 1;

  private final ErasureTopic erasures;
  private transient @Nullable EventCodec<Transition> codec;
  private transient @Nullable ErasedSubjects erased;

  /**
   * @param erasures who is to be forgotten; asked once
   */
  TransitionDeserializer(ErasureTopic erasures) {
    this.erasures = erasures;
  }

  @Override
  public @Nullable Transition deserialize(byte[] message) throws IOException {
    if (codec == null || erased == null) {
      codec = EventCodec.of(Transition.class);
      erased = erasures.now();
    }
    try {
      Transition transition = codec.decode(message);
      Decision decision = transition.getDecision();
      return erased.covers(decision.getSubjectId(), decision.getDecidedAtMicros())
          ? null
          : transition;
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
