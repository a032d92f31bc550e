package io.bellwether.ingestion;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A real Kafka of one node in this JVM, on free ports of this machine. */
public final class TestKafka implements AutoCloseable {

  private static final String CLUSTER_ID = "YmVsbHdldGhlci10ZXN0LQ";

  private final KafkaRaftServer server;
  private final String bootstrap;

  private TestKafka(KafkaRaftServer server, String bootstrap) {
    this.server = server;
    this.bootstrap = bootstrap;
  }

  public static TestKafka start(Path folder) throws Exception {
    return start(folder, Map.of());
  }

  /**
   * @param settings over the usual ones
   */
  public static TestKafka start(Path folder, Map<String, String> settings) throws Exception {
    int broker = freePort();
    int controller = freePort();
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
    Map<String, String> all = new HashMap<>();
    all.put("process.roles", "broker,controller");
    all.put("node.id", "1");
    all.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    all.put("controller.listener.names", "CONTROLLER");
    all.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + broker + ",CONTROLLER://127.0.0.1:" + controller);
    all.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + broker);
    all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    all.put("log.dirs", folder.toString());
    all.put("default.replication.factor", "1");
    all.put("min.insync.replicas", "1");
    all.put("offsets.topic.replication.factor", "1");
    all.put("offsets.topic.num.partitions", "1");
    all.put("transaction.state.log.replication.factor", "1");
    all.put("transaction.state.log.min.isr", "1");
    all.put("transaction.state.log.num.partitions", "1");
    all.put("share.coordinator.state.topic.replication.factor", "1");
    all.put("share.coordinator.state.topic.min.isr", "1");
    all.put("share.coordinator.state.topic.num.partitions", "1");
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("num.network.threads", "1");
    all.put("num.io.threads", "2");
    all.put("log.cleaner.dedupe.buffer.size", "2097152");
    all.putAll(settings);
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(all), Time.SYSTEM);
    server.startup();
    return new TestKafka(server, "127.0.0.1:" + broker);
  }

  public String bootstrap() {
    return bootstrap;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** A port that was free a moment ago. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
