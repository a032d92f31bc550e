package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.infra.platform.Platform;
import io.bellwether.ingestion.StreamsProgram;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Topics;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.VersionId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both jobs on a Flink cluster of three processes, of which one is killed while both run in it. */
class SessionClusterIT {

  private static final int DECISIONS = 600;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Steps enough that the learner is at work when its process is killed. */
  private static final String[] TRAINING = {
    "train", "--surface", "shop", "--epochs", "80", "--batch-size", "256", "--parallelism", "1"
  };

  @TempDir Path folder;

  @Test
  void theLossOfATaskManagerCostsNeitherJobAnything() throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    ShopLog shop = new ShopLog(data);
    shop.write(shop.transitions(3_000));
    declareClips(data);
    CommandLineFixture command = new CommandLineFixture(data);
    try (FlinkProcesses flink = FlinkProcesses.start(folder);
        Platform platform = Platform.start(folder.resolve("platform"))) {
      String kafka = platform.address().kafka();
      List<Decision> decisions = decisions(shop);
      send(kafka, Topics.DECISIONS, decisions.stream().map(SessionClusterIT::record).toList());
      flink.awaitComplete();
      StreamsProgram.main(
          new String[] {
            "--cluster", flink.address(),
            "--kafka", kafka,
            "--redis", platform.address().redis(),
            "--surfaces", data.resolve("surfaces").toString(),
            "--data", data.toString(),
          });
      String attribution = flink.job("bellwether-attribution");
      await(() -> flink.checkpoints(attribution) > 0);
      CompletableFuture<String> trained =
          CompletableFuture.supplyAsync(() -> version(command, "--cluster", flink.address()));
      await(() -> trained.isDone() || isTraining(data));
      // At once: on a quiet machine it trains for seconds only.
      String training = flink.job("train shop");

      flink.kill(flink.taskManagerOf(training, "learn"));
      send(kafka, Topics.OUTCOMES, outcomes(decisions));
      send(kafka, Topics.OUTCOMES, outcomes(decisions));

      assertTransitions(decisions, written(kafka));
      String version = trained.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertTrue(flink.failures(attribution) > 0, "the attribution job lost nothing");
      assertTrue(flink.failures(training) > 0, "the training job lost nothing");
      assertTransitions(decisions, archived(data));
      // In one process, without any loss.
      assertArrayEquals(graph(command, version(command)), graph(command, version));
    }
  }

  /** As the shop, with windows that close while a test waits. */
  private static void declareClips(Path data) throws IOException {
    Path surfaces = data.resolve("surfaces");
    String shop = Files.readString(surfaces.resolve("shop.yaml"));
    Files.writeString(
        surfaces.resolve("clips.yaml"),
        shop.replace("surface: shop", "surface: clips").replace("window: 1m", "window: 1s")
            + "sessions: { gap: 1s }\n");
  }

  private static List<Decision> decisions(ShopLog shop) {
    long now = Instant.now().toEpochMilli() * 1000;
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < DECISIONS; i++) {
      Decision shown = shop.transition(i).getDecision();
      decisions.add(
          Decision.newBuilder(shown)
              .setSurface("clips")
              .setDecidedAtMicros(now + i)
              .setOutcomesUntilMicros(now + i + 1_000_000)
              .build());
    }
    return decisions;
  }

  /** Every third decision is clicked. */
  private static boolean isClicked(int decision) {
    return decision % 3 == 0;
  }

  private static List<ProducerRecord<byte[], byte[]>> outcomes(List<Decision> decisions) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < decisions.size(); i++) {
      if (!isClicked(i)) {
        continue;
      }
      Decision decision = decisions.get(i);
      Outcome outcome =
          Outcome.newBuilder()
              .setOutcomeId("click-" + i)
              .setDecisionId(decision.getDecisionId())
              .setItemId(decision.getSlate().get(0).getItemId())
              .setSignal("click")
              .setValue(1)
              .setOccurredAtMicros(decision.getDecidedAtMicros() + 500_000)
              .setReceivedAtMicros(decision.getDecidedAtMicros() + 600_000)
              .build();
      records.add(
          new ProducerRecord<>(
              Topics.OUTCOMES,
              utf8(decision.getDecisionId()),
              EventCodec.of(Outcome.class).encode(outcome)));
    }
    return records;
  }

  private static ProducerRecord<byte[], byte[]> record(Decision decision) {
    return new ProducerRecord<>(
        Topics.DECISIONS,
        utf8(decision.getDecisionId()),
        EventCodec.of(Decision.class).encode(decision));
  }

  private static boolean isTraining(Path data) throws IOException {
    try (Stream<Path> runs = Files.walk(data.resolve("runs"))) {
      List<Path> progress =
          runs.filter(file -> file.getFileName().toString().equals("progress.json")).toList();
      if (progress.isEmpty()) {
        return false;
      }
      JsonNode json = new ObjectMapper().readTree(progress.get(0).toFile());
      return json.get("state").textValue().equals("training");
    } catch (IOException notYet) {
      return false;
    }
  }

  private static String version(CommandLineFixture command, String... more) {
    List<String> all = new ArrayList<>(List.of(TRAINING));
    all.addAll(List.of(more));
    try {
      return command.resultOf(ExitCode.DONE, all.toArray(String[]::new)).get("version").textValue();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] graph(CommandLineFixture command, String version) {
    return command.store().file(new VersionId(version), PolicyManifest.GRAPH);
  }

  /** The newest revision of each transition in Kafka, once all that is to come has come. */
  private static Map<String, Transition> written(String kafka) throws Exception {
    EventCodec<Transition> codec = EventCodec.of(Transition.class);
    Map<String, Transition> latest = new HashMap<>();
    Set<String> revisions = new HashSet<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(Topics.TRAINING).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Instant deadline = Instant.now().plus(PATIENCE);
      while (Instant.now().isBefore(deadline) && !isComplete(latest)) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          Transition transition = codec.decode(record.value());
          String id = transition.getDecision().getDecisionId();
          assertTrue(revisions.add(id + " " + transition.getRevision()), () -> "twice: " + id);
          latest.merge(id, transition, (a, b) -> a.getRevision() > b.getRevision() ? a : b);
        }
      }
    }
    return latest;
  }

  private static boolean isComplete(Map<String, Transition> transitions) {
    return transitions.size() == DECISIONS
        && transitions.values().stream().filter(t -> !t.getSignals().isEmpty()).count()
            == DECISIONS / 3;
  }

  private static Map<String, Transition> archived(Path data) throws Exception {
    Map<String, Transition> all = new HashMap<>();
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!isComplete(all) && Instant.now().isBefore(deadline)) {
      all.clear();
      try (TransitionArchive.Transitions transitions =
          new TransitionArchive(data.resolve("archive")).read("clips")) {
        while (transitions.hasNext()) {
          Transition transition = transitions.next();
          String id = transition.getDecision().getDecisionId();
          assertEquals(null, all.put(id, transition), id);
        }
      }
    }
    return all;
  }

  private static void assertTransitions(
      List<Decision> decisions, Map<String, Transition> transitions) {
    assertEquals(DECISIONS, transitions.size());
    for (int i = 0; i < decisions.size(); i++) {
      Transition transition =
          Objects.requireNonNull(transitions.get(decisions.get(i).getDecisionId()));
      assertEquals(decisions.get(i), transition.getDecision());
      List<SignalValue> clicked = List.of(new SignalValue("click", 0, 1.0, 1));
      assertEquals(isClicked(i) ? clicked : List.of(), transition.getSignals());
    }
  }

  private static void send(
      String kafka, String topic, List<ProducerRecord<byte[], byte[]>> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      assertTrue(records.stream().allMatch(record -> record.topic().equals(topic)));
      for (ProducerRecord<byte[], byte[]> record : records) {
        var unused = producer.send(record);
      }
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.call()) {
      assertTrue(Instant.now().isBefore(deadline), "it did not happen in time");
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
