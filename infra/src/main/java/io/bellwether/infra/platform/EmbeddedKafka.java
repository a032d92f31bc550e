package io.bellwether.infra.platform;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker and controller in this JVM (KRaft mode, one node), reachable from this machine
 * only. Topics, records, group offsets and transactions survive a restart on the same folder.
 * Whoever starts it closes it. Thread-safe.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);

  /** Fixed: with a random one, a second start on the same folder would be refused. */
  private static final String CLUSTER_ID = "YmVsbHdldGhlci1vbmUtMQ";

  private static final String HOST = "127.0.0.1";

  private final KafkaRaftServer server;
  private final int port;

  private EmbeddedKafka(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Starts the broker and returns when it answers.
   *
   * @param folder data of this broker alone, created if absent
   * @param ports gives the ports {@code kafka} and {@code kafka-controller}
   */
  public static EmbeddedKafka start(Path folder, KeptPorts ports) throws PlatformFailed {
    try {
      Files.createDirectories(folder);
      int broker = ports.take("kafka");
      int controller = ports.take("kafka-controller");
      format(folder);
      try {
        return startOn(folder, broker, controller);
      } catch (RuntimeException lost) {
        // Between our look and the broker's bind somebody else may take a port: rare, so try once.
        LOG.info("Kafka did not start on port {}, trying another: {}", broker, lost.getMessage());
        return startOn(folder, ports.replace("kafka"), ports.replace("kafka-controller"));
      }
    } catch (Exception e) {
      throw new PlatformFailed(
          "Kafka cannot start in " + folder + ": " + e.getMessage(),
          "Check that the folder can be written and that no other Bellwether uses it.",
          e);
    }
  }

  /** Address for clients, {@code host:port}. */
  public String bootstrap() {
    return HOST + ":" + port;
  }

  /** Stops the broker in order: a clean log needs no recovery at the next start. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static EmbeddedKafka startOn(Path folder, int broker, int controller) {
    KafkaRaftServer server =
        new KafkaRaftServer(
            new KafkaConfig(configuration(folder, broker, controller)), Time.SYSTEM);
    try {
      server.startup();
      return new EmbeddedKafka(server, broker);
    } catch (RuntimeException e) {
      server.shutdown();
      throw e;
    }
  }

  private static void format(Path folder) throws Exception {
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setClusterId(CLUSTER_ID)
        .setNodeId(1)
        .addDirectory(folder.toString())
        .setMetadataLogDirectory(folder.toString())
        .setControllerListenerName("CONTROLLER")
        .setIgnoreFormatted(true)
        .run();
  }

  private static Map<String, String> configuration(Path folder, int broker, int controller) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("process.roles", "broker,controller");
    map.put("node.id", "1");
    map.put("controller.quorum.voters", "1@" + HOST + ":" + controller);
    map.put("controller.listener.names", "CONTROLLER");
    map.put(
        "listeners",
        "PLAINTEXT://" + HOST + ":" + broker + ",CONTROLLER://" + HOST + ":" + controller);
    map.put("advertised.listeners", "PLAINTEXT://" + HOST + ":" + broker);
    map.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    map.put("log.dirs", folder.toString());
    map.put("auto.create.topics.enable", "false");

    // One node: one copy of everything, and one partition of what the broker keeps for itself.
    map.put("default.replication.factor", "1");
    map.put("min.insync.replicas", "1");
    map.put("offsets.topic.replication.factor", "1");
    map.put("offsets.topic.num.partitions", "1");
    map.put("transaction.state.log.replication.factor", "1");
    map.put("transaction.state.log.min.isr", "1");
    // A stream job that was down for days can still commit what its checkpoint holds, and ids that
    // its checkpoints used up do not fill our memory.
    map.put("transaction.max.timeout.ms", "604800000");
    map.put("transactional.id.expiration.ms", "3600000");
    map.put("producer.id.expiration.ms", "3600000");
    map.put("transaction.state.log.num.partitions", "1");
    map.put("share.coordinator.state.topic.replication.factor", "1");
    map.put("share.coordinator.state.topic.min.isr", "1");
    map.put("share.coordinator.state.topic.num.partitions", "1");
    map.put("group.initial.rebalance.delay.ms", "0");

    // Few clients, two cores, a small heap.
    map.put("num.network.threads", "1");
    map.put("num.io.threads", "2");
    map.put("background.threads", "2");
    map.put("num.recovery.threads.per.data.dir", "1");
    map.put("log.cleaner.dedupe.buffer.size", "2097152");
    map.put("metric.reporters", "");
    return map;
  }
}
