package io.bellwether.ingestion.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.TestKafka;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperatorFactory;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** Values while Redis is away: the job goes on, and the latest value wins when it is back. */
class RedisGoneIT {

  /** How long one second of processing time lasts. */
  private static final Duration BETWEEN_SECONDS = Duration.ofMillis(100);

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private int port;
  private RedisServer redis;
  private OneInputStreamOperatorTestHarness<RedisValue, CommittableMessage<Object>> harness;

  @BeforeEach
  void choosePort() throws Exception {
    port = TestKafka.freePort();
    redis = server();
    RedisSink sink = new RedisSink("redis://127.0.0.1:" + port, Duration.ofDays(30));
    harness =
        new OneInputStreamOperatorTestHarness<>(
            new SinkWriterOperatorFactory<RedisValue, Object>(sink));
  }

  @AfterEach
  void stop() throws Exception {
    harness.close();
    redis.stop();
  }

  @Test
  void aCheckpointWaitsUntilRedisHasConfirmed() throws Exception {
    redis.start();
    harness.open();
    for (int i = 0; i < 1_000; i++) {
      write("k" + i, i);
    }
    harness.prepareSnapshotPreBarrier(1);

    try (StatefulRedisConnection<String, byte[]> connection = connect()) {
      assertEquals(1_000, connection.sync().dbsize());
      assertArrayEquals(new byte[] {(byte) 999}, connection.sync().get("k999"));
      assertTrue(connection.sync().ttl("k999") > Duration.ofDays(29).toSeconds());
    }
  }

  @Test
  void theLatestValueIsWrittenWhenRedisComesBack() throws Exception {
    harness.open();
    write("k", 1);
    harness.prepareSnapshotPreBarrier(1);
    redis.start();
    write("k", 2);
    awaitValue((byte) 2);

    redis.stop();
    write("k", 3);
    harness.prepareSnapshotPreBarrier(2);
    write("k", 4);
    redis = server();
    redis.start();
    awaitValue((byte) 4);
  }

  private void awaitValue(byte expected) throws Exception {
    try (StatefulRedisConnection<String, byte[]> connection = connect()) {
      Instant deadline = Instant.now().plus(PATIENCE);
      Instant next = Instant.now();
      byte[] value = null;
      while (value == null || value[0] != expected) {
        assertTrue(Instant.now().isBefore(deadline), "it was not written in time");
        if (!Instant.now().isBefore(next)) {
          // Not faster: the attempts are numbered, and a busy machine takes a while to connect.
          next = next.plus(BETWEEN_SECONDS);
          harness.setProcessingTime(harness.getProcessingTime() + 1_000);
        }
        runMails();
        value = connection.sync().get("k");
      }
    }
  }

  /** What a running task does between elements. */
  private void runMails() throws Exception {
    Optional<Mail> mail = harness.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY);
    while (mail.isPresent()) {
      mail.get().run();
      mail = harness.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY);
    }
  }

  private void write(String key, int value) throws Exception {
    harness.processElement(new RedisValue(key, "", new byte[] {(byte) value}), 0);
  }

  private RedisServer server() throws IOException {
    return RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
  }

  private StatefulRedisConnection<String, byte[]> connect() {
    return RedisClient.create(RedisURI.create("127.0.0.1", port))
        .connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
  }
}
