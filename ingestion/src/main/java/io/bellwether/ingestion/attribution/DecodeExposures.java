package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Exposure;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Exposures of valid events. Confined to its task's thread. */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
final class DecodeExposures extends RichMapFunction<Event, Exposure> {

  private static final long serialVersionUID = 1L;

  private transient EventCodec<Exposure> codec;

  @Override
  public void open(OpenContext context) {
    codec = EventCodec.of(Exposure.class);
  }

  @Override
  public Exposure map(Event event) throws Exception {
    return codec.decode(Objects.requireNonNull(event.record().value()));
  }
}
