package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.VariantNumbers;
import io.bellwether.ingestion.redis.RedisValue;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Numbers as Redis has them: a hash per experiment, whose fields are the keys of the topic.
 * Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class StoreNumbers extends RichMapFunction<VariantNumbers, RedisValue> {

  private static final long serialVersionUID = 1L;

  private transient EventCodec<VariantNumbers> codec;

  @Override
  public void open(OpenContext context) {
    codec = EventCodec.of(VariantNumbers.class);
  }

  @Override
  public RedisValue map(VariantNumbers numbers) {
    return new RedisValue(
        "bellwether:experiment:" + numbers.getExperiment(),
        WriteNumbers.key(numbers),
        codec.encode(numbers));
  }
}
