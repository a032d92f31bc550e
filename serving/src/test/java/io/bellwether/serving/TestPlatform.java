package io.bellwether.serving;

import io.bellwether.ingestion.event.Topics;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.serving.surface.DeclaredSurface;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import redis.embedded.RedisServer;

/**
 * A real Kafka broker and a real Redis on free ports of this machine, a policy store and a folder
 * of surfaces, all in a temporary folder that goes away with them.
 */
@SuppressWarnings("NullAway.Init") // start() fills the fields
public final class TestPlatform implements QuarkusTestResourceLifecycleManager {

  private static final String CLUSTER_ID = "YmVsbHdldGhlci10ZXN0LQ";
  private static final int PARTITIONS = 2;

  private Path root;
  private KafkaRaftServer kafka;
  private RedisServer redis;
  private int kafkaPort;
  private int redisPort;
  private int grpcPort;

  /** What a test needs of the platform. */
  public interface Uses {
    void platform(TestPlatform platform);
  }

  @Override
  public Map<String, String> start() {
    try {
      root = Files.createTempDirectory("bellwether-serving");
      Files.createDirectories(root.resolve("surfaces"));
      Files.writeString(root.resolve("surfaces/feed.yaml"), Fixtures.FEED);
      Files.writeString(
          root.resolve("surfaces/shop.yaml"),
          Fixtures.FEED.replace("surface: feed", "surface: shop"));
      startKafka();
      redisPort = freePort();
      startRedis();
      grpcPort = freePort();
    } catch (Exception e) {
      throw new IllegalStateException("the test platform cannot start", e);
    }
    Map<String, String> settings = new HashMap<>();
    settings.put("bellwether.kafka", kafka());
    settings.put("bellwether.redis", redis());
    settings.put("bellwether.store", store().toString());
    settings.put("bellwether.surfaces", root.resolve("surfaces").toString());
    settings.put("bellwether.spool", root.resolve("spool").toString());
    settings.put("bellwether.spool-bytes", "64K");
    settings.put("bellwether.api-keys", "secret,other");
    settings.put("bellwether.admin-keys", "admin");
    settings.put("bellwether.grpc-port", Integer.toString(grpcPort));
    settings.put("bellwether.policy-poll", "300ms");
    settings.put("bellwether.experiments-refresh", "100ms");
    settings.put("bellwether.experiments-lease", "1s");
    settings.put("bellwether.redis-timeout", "1s");
    settings.put("bellwether.log-timeout", "5s");
    return settings;
  }

  @Override
  public void inject(Object test) {
    if (test instanceof Uses uses) {
      uses.platform(this);
    }
  }

  @Override
  public void stop() {
    stopRedis();
    stopKafka();
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String kafka() {
    return "127.0.0.1:" + kafkaPort;
  }

  public String redis() {
    return "127.0.0.1:" + redisPort;
  }

  /** Where the service answers gRPC. */
  public String grpc() {
    return "127.0.0.1:" + grpcPort;
  }

  public Path store() {
    return root.resolve("policies");
  }

  public void startRedis() {
    try {
      redis =
          RedisServer.newRedisServer()
              .bind("127.0.0.1")
              .port(redisPort)
              .setting("save \"\"")
              .build();
      redis.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void stopRedis() {
    try {
      redis.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Redis keeps its connections and answers nobody, for so long at most. */
  public void pauseRedis(Duration atMost) {
    tellRedis("CLIENT PAUSE " + atMost.toMillis() + " ALL");
  }

  /** Redis answers again after {@link #pauseRedis}. */
  public void resumeRedis() {
    tellRedis("CLIENT UNPAUSE");
  }

  private void tellRedis(String command) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redisPort);
        Scanner answer = new Scanner(socket.getInputStream(), StandardCharsets.UTF_8)) {
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
      if (!answer.next().equals("+OK")) {
        throw new IllegalStateException("Redis does not take " + command);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void stopKafka() {
    kafka.shutdown();
    kafka.awaitShutdown();
  }

  private void startKafka() throws Exception {
    kafkaPort = freePort();
    int controller = freePort();
    Path folder = Files.createDirectories(root.resolve("kafka"));
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
    kafka = new KafkaRaftServer(new KafkaConfig(settings(folder, controller)), Time.SYSTEM);
    kafka.startup();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka()))) {
      admin
          .createTopics(
              Stream.concat(
                      Stream.of(
                              Topics.DECISIONS,
                              Topics.OUTCOMES,
                              Topics.ITEMS,
                              Topics.EXPOSURES,
                              Topics.DEAD_LETTERS)
                          .map(name -> new NewTopic(name, PARTITIONS, (short) 1)),
                      Stream.of(Topics.EXPERIMENT_METRICS, Topics.ERASURES)
                          .map(name -> new NewTopic(name, 1, (short) 1)))
                  .toList())
          .all()
          .get();
    }
  }

  private Map<String, String> settings(Path folder, int controller) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:" + kafkaPort + ",CONTROLLER://127.0.0.1:" + controller);
    settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + kafkaPort);
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("log.dirs", folder.toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("default.replication.factor", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("num.network.threads", "1");
    settings.put("num.io.threads", "2");
    settings.put("log.cleaner.dedupe.buffer.size", "2097152");
    return settings;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The schema of policies for the feed, without predicted values. */
  public static FeatureSchema schema() {
    var layout = DeclaredSurface.of(Fixtures.feed()).layout();
    return new FeatureSchema(
        layout.digest(),
        layout.contextWidth(),
        layout.historyLength(),
        layout.historyWidth(),
        layout.itemWidth(),
        List.of());
  }

  /** Runs the platform alone until its input ends, for trying the service by hand. */
  public static void main(String... arguments) throws IOException {
    TestPlatform platform = new TestPlatform();
    platform.start().forEach((key, value) -> System.out.println("-D" + key + "=" + value));
    System.out.flush();
    while (System.in.read() >= 0) {}
    platform.stop();
  }
}
