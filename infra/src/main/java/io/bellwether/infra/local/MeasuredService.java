package io.bellwether.infra.local;

import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.infra.platform.PlatformMain;
import io.bellwether.infra.process.ChildFailed;
import io.bellwether.infra.process.ProcessGroup;
import io.bellwether.infra.process.Program;
import io.bellwether.infra.process.Readiness;
import io.bellwether.loadtest.serving.ServingResult;
import io.bellwether.loadtest.serving.ServingUnderTest;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.version.PolicyStore;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Kafka, Redis and a service with the options of production, and nothing beside them: what is to be
 * measured does not share its cores with jobs. Immutable.
 *
 * @param folder of its data; nothing else is in it
 * @param surfaces folder of the surface declarations
 * @param options further ones of the service's JVM
 */
public record MeasuredService(
    Installation installation,
    Path folder,
    Path surfaces,
    List<String> options,
    Clock clock,
    Consumer<String> progress)
    implements ServingUnderTest.Source {

  private static final String SERVING = "serving";
  private static final Duration READY = Duration.ofMinutes(2);
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);
  private static final JvmLimits PLATFORM_LIMITS = new JvmLimits(512, 128, false);

  /** Room for a million decisions that nobody reads is not needed: Kafka keeps them on disk. */
  private static final List<String> PRODUCTION =
      List.of(
          "-Xms512m",
          "-Xmx512m",
          "-XX:MaxDirectMemorySize=256m",
          "-XX:+UseSerialGC",
          "-XX:+AlwaysPreTouch",
          "-XX:+ExitOnOutOfMemoryError",
          "-Xss512k",
          "-Dfile.encoding=UTF-8",
          "-Djava.awt.headless=true",
          // Avro refuses generated classes of packages that are not named here.
          "-Dorg.apache.avro.SERIALIZABLE_PACKAGES=io.bellwether.ingestion.event");

  public MeasuredService {
    options = List.copyOf(options);
  }

  @Override
  public ServingResult with(ServingUnderTest.Use use) throws Exception {
    Path logs = folder.resolve("logs");
    try (ProcessGroup group = new ProcessGroup(logs, this::died)) {
      progress.accept("Starting Kafka, Redis and serving, logs in " + logs);
      group.start(
          installation.javaProgram(
              LocalSystem.PLATFORM,
              PLATFORM_LIMITS,
              PlatformMain.class.getName(),
              List.of(folder.toString())),
          Readiness.file(Platform.addressFile(folder)),
          READY);
      PlatformAddress address = PlatformAddress.read(Platform.addressFile(folder));
      URI base = URI.create("http://127.0.0.1:" + freePort());
      int grpcPort = freePort();
      Path pauses = folder.resolve("pauses.log");
      group.start(
          program(address, base, grpcPort, pauses),
          Readiness.url(base.resolve("/q/health/ready")),
          READY);
      try (RedisAliasIndex aliases = new RedisAliasIndex(address.redis(), REDIS_TIMEOUT)) {
        return use.apply(
            new ServingUnderTest(
                base,
                grpcPort,
                group.child(SERVING).pid(),
                group.child(SERVING).log(),
                new PolicyStore(folder.resolve("store"), clock, move -> aliases.record(move)),
                surfaces,
                address.redis(),
                pauses,
                installation.java().resolveSibling("jcmd")));
      }
    }
  }

  private void died(ChildFailed death) {
    progress.accept(String.valueOf(death.getMessage()));
  }

  private Program program(PlatformAddress address, URI base, int grpcPort, Path pauses) {
    List<String> command = new ArrayList<>();
    command.add(installation.java().toString());
    command.addAll(PRODUCTION);
    command.add("-Xlog:safepoint:file=" + pauses + "::filecount=0");
    command.addAll(options);
    settings(address, base, grpcPort)
        .forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-jar", installation.servingJar().toString()));
    return new Program(SERVING, command, Map.of("MALLOC_ARENA_MAX", "2"), installation.home());
  }

  private Map<String, String> settings(PlatformAddress address, URI base, int grpcPort) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("bellwether.kafka", address.kafka());
    keys.put("bellwether.redis", address.redis());
    keys.put("bellwether.store", folder.resolve("store").toString());
    keys.put("bellwether.surfaces", surfaces.toString());
    keys.put("bellwether.spool", folder.resolve("spool").toString());
    keys.put("bellwether.auth", "none");
    keys.put("bellwether.noop", "true");
    keys.put("bellwether.grpc-port", Integer.toString(grpcPort));
    keys.put("quarkus.http.host", base.getHost());
    keys.put("quarkus.http.port", Integer.toString(base.getPort()));
    return keys;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
