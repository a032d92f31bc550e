package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.infra.platform.EmbeddedKafka;
import io.bellwether.infra.platform.EmbeddedTopics;
import io.bellwether.infra.platform.KeptPorts;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs that read a log read it from a real Kafka too. */
class KafkaLogIT {
  private static final int DECISIONS = 400;

  @TempDir Path folder;

  @Test
  void whatKafkaHoldsIsReplayedTrainedOnAndEvaluated() throws Exception {
    CommandLineFixture command = new CommandLineFixture(folder.resolve("data"));
    ShopLog shop = new ShopLog(folder.resolve("data"));
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            folder.resolve("kafka"), KeptPorts.in(folder.resolve("ports.properties")))) {
      EmbeddedTopics.createMissing(kafka.bootstrap(), EmbeddedTopics.all());
      send(shop, kafka.bootstrap());
      String[] from = {"--kafka", kafka.bootstrap()};

      JsonNode replayed = command.resultOf(ExitCode.DONE, "replay", from[0], from[1]);
      assertEquals(DECISIONS, replayed.get("equal").intValue());

      JsonNode trained =
          command.resultOf(
              ExitCode.DONE,
              "train",
              "--surface",
              "shop",
              "--algorithm",
              "bc",
              "--epochs",
              "1",
              from[0],
              from[1]);
      String version = trained.get("version").textValue();
      assertTrue(
          command
              .store()
              .manifest(command.store().versions("shop").get(0).id())
              .data()
              .source()
              .startsWith("topic " + Topics.TRAINING));

      command.runOnData("evaluate", "--policy", version, "--model-steps", "0", from[0], from[1]);
      assertTrue(command.output().contains("verdict "), command.errors());
    }
  }

  private static void send(ShopLog shop, String bootstrap) throws Exception {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (Transition transition : shop.transitions(DECISIONS)) {
        producer.send(new ProducerRecord<>(Topics.TRAINING, codec.encode(transition))).get();
      }
    }
  }
}
