package io.bellwether.ingestion.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Writes values to Redis. Setting a key to its latest value is idempotent, so a replay after a
 * restart ends with the same values; a checkpoint waits for what is on the way.
 */
public final class RedisSink implements Sink<RedisValue> {

  private static final long serialVersionUID = 1L;

  private final String uri;
  private final Duration ttl;

  /**
   * @param uri as Lettuce writes it, for instance {@code redis://127.0.0.1:6379}
   * @param ttl how long Redis keeps a value after it was written last
   */
  public RedisSink(String uri, Duration ttl) {
    RedisURI.create(uri); // A mistake is refused here and not in a task.
    this.uri = uri;
    this.ttl = ttl;
  }

  @Override
  public SinkWriter<RedisValue> createWriter(WriterInitContext context) {
    return new RedisWriter(
        uri,
        ttl,
        context.getMailboxExecutor(),
        context.getProcessingTimeService(),
        context.metricGroup());
  }
}
