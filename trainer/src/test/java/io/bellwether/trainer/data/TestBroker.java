package io.bellwether.trainer.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka of one node in this JVM, on free ports of this machine. Whoever starts it closes it. */
final class TestBroker implements AutoCloseable {

  private final KafkaRaftServer server;
  private final String bootstrap;

  private TestBroker(KafkaRaftServer server, String bootstrap) {
    this.server = server;
    this.bootstrap = bootstrap;
  }

  static TestBroker start(Path folder) throws Exception {
    int broker = freePort();
    int controller = freePort();
    new Formatter()
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8))
        .setClusterId("YmVsbHdldGhlci10ZXN0LQ")
        .setNodeId(1)
        .addDirectory(folder.toString())
        .setMetadataLogDirectory(folder.toString())
        .setControllerListenerName("CONTROLLER")
        .setIgnoreFormatted(true)
        .run();
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + broker + ",CONTROLLER://127.0.0.1:" + controller);
    settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + broker);
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("log.dirs", folder.toString());
    settings.put("default.replication.factor", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("log.cleaner.dedupe.buffer.size", "2097152");
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    server.startup();
    return new TestBroker(server, "127.0.0.1:" + broker);
  }

  String bootstrap() {
    return bootstrap;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
