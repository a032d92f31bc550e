package io.bellwether.infra.local;

import io.bellwether.infra.platform.KeptPorts;
import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.infra.platform.PlatformMain;
import io.bellwether.infra.process.ChildFailed;
import io.bellwether.infra.process.FolderLock;
import io.bellwether.infra.process.ProcessGroup;
import io.bellwether.infra.process.Program;
import io.bellwether.infra.process.Readiness;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Platform, streams and serving on one data folder, as our children, stopped in the reverse order.
 * Ctrl-C, SIGTERM and even SIGKILL of this process stop all of them. Thread-safe.
 *
 * <p>The whole fits into 4 GiB: what each part may take stands in the constants below.
 */
public final class LocalSystem implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalSystem.class);

  /** Names of the parts, as for {@link #kill} and {@link #restart}, and of their logs. */
  public static final String PLATFORM = "platform";

  public static final String STREAMS = "streams";
  public static final String SERVING = "serving";

  private static final JvmLimits PLATFORM_LIMITS = new JvmLimits(320, 128, true);
  private static final JvmLimits STREAMS_LIMITS = new JvmLimits(768, 192, false);

  /**
   * On a machine's two cores, shared with the jobs, a service that starts with 3.5 instead of 5.7 s
   * of work is worth more than its last microseconds. A production service has options of its own.
   */
  private static final JvmLimits SERVING_LIMITS = new JvmLimits(256, 192, true);

  private static final String STREAMS_MAIN = "io.bellwether.ingestion.StreamsMain";

  /** A broker that recovers after a crash, on busy cores. */
  private static final Duration PLATFORM_READY = Duration.ofMinutes(2);

  private static final Duration STREAMS_READY = Duration.ofSeconds(60);
  private static final Duration SERVING_READY = Duration.ofSeconds(60);

  /** Someone who restarts quickly after a kill waits for what is still stopping. */
  private static final Duration PREDECESSOR_ENDS = Duration.ofSeconds(2);

  /** Held by the process that runs a system on a data folder. */
  public static final String LOCK = "bellwether";

  private static final int PREFERRED_PORT = 8080;

  private static final String GRPC = "grpc";
  private static final int PREFERRED_GRPC_PORT = 8081;

  private static final String METRICS = "streams-metrics";
  private static final int PREFERRED_METRICS_PORT = 9249;

  /** Clients on this machine try again at once; an hour of decisions would fill its Redis. */
  private static final String RETRIES_COME_WITHIN = "3m";

  private final Installation installation;
  private final LocalSettings settings;
  private final FolderLock lock;
  private final BlockingQueue<ChildFailed> accidents = new LinkedBlockingQueue<>();
  private final ProcessGroup group;
  private final Thread stopAtExit = new Thread(this::stop, "stop local system");
  private final URI url;
  private final int grpcPort;
  private final int metricsPort;

  private LocalSystem(
      Installation installation, LocalSettings settings, FolderLock lock, Ports ports) {
    this.installation = installation;
    this.settings = settings;
    this.lock = lock;
    this.group = new ProcessGroup(settings.logs(), accidents::add);
    this.url = URI.create("http://127.0.0.1:" + ports.http());
    this.grpcPort = ports.grpc();
    this.metricsPort = ports.metrics();
  }

  private record Ports(int http, int grpc, int metrics) {}

  /**
   * Starts all parts and returns when decisions can be asked for.
   *
   * @param progress told in a line what happens
   */
  public static LocalSystem start(
      Installation installation, LocalSettings settings, Consumer<String> progress)
      throws LocalSystemFailed, InterruptedException {
    if (!Files.exists(installation.servingJar())) {
      throw new LocalSystemFailed(
          "Serving is not built: " + installation.servingJar() + " is missing.",
          "Run ./bellwether from the repository; it builds what is missing.",
          null);
    }
    LocalSystem system = claim(installation, settings);
    try {
      system.startParts(progress);
      return system;
    } catch (IOException | ChildFailed | IllegalStateException e) {
      // Ctrl-C in the middle of a start closes the group: what fails then fails because of that.
      boolean stopped = system.group.closed();
      system.close();
      throw new LocalSystemFailed(
          stopped ? "Stopped while it was starting." : "The system cannot start: " + reason(e),
          "Run `./bellwether doctor` to see what is missing on this machine.",
          e);
    } catch (InterruptedException e) {
      system.close();
      throw e;
    }
  }

  /** Base address of serving. */
  public URI url() {
    return url;
  }

  /** Port of serving's gRPC interface, on the same address. */
  public int grpcPort() {
    return grpcPort;
  }

  /** Where Kafka and Redis are reached. */
  public PlatformAddress platform() throws IOException {
    return PlatformAddress.read(Platform.addressFile(settings.data()));
  }

  public LocalSettings settings() {
    return settings;
  }

  /** Memory of all parts, in bytes, without our own; empty where it cannot be told. */
  public OptionalLong residentBytes() {
    return group.residentBytes();
  }

  /** Process id of one part, which may have ended. */
  public long pid(String part) {
    return group.child(part).pid();
  }

  /** The log of one part. */
  public Path log(String part) {
    return settings.logs().resolve(part + ".log");
  }

  /** Ends one part by SIGKILL, as a crash would. */
  public void kill(String part) {
    group.kill(part);
  }

  /** Stops one part in order, if it runs, and starts it again; returns when it is ready. */
  public void restart(String part) throws LocalSystemFailed, InterruptedException {
    try {
      group.restart(part, readiness(part), timeout(part));
    } catch (IOException | ChildFailed e) {
      throw new LocalSystemFailed(part + " cannot start again: " + e.getMessage(), "See above.", e);
    }
  }

  /** Waits until a part ends unasked, and gives what happened; the other parts go on. */
  public LocalSystemFailed awaitAccident() throws InterruptedException {
    ChildFailed death = accidents.take();
    return new LocalSystemFailed(
        reason(death), "Start again; what was accepted is kept in Kafka.", death);
  }

  /** Stops all parts, last started first, and gives the data folder free. */
  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(stopAtExit);
    } catch (IllegalStateException exiting) {
      LOG.debug("The hook runs already");
    }
  }

  private void startParts(Consumer<String> progress)
      throws IOException, ChildFailed, InterruptedException {
    Files.deleteIfExists(Platform.addressFile(settings.data()));
    progress.accept("Starting Kafka and Redis, data in " + settings.data());
    start(platformProgram());
    PlatformAddress address = platform();
    progress.accept("Kafka answers on " + address.kafka() + ", Redis on " + address.redis());
    progress.accept("Starting the stream jobs and serving, logs in " + settings.logs());
    LocalStore.prepare(settings.data(), Clock.systemUTC());
    start(streamsProgram(address));
    start(servingProgram(address));
    new RunningSystem(
            ProcessHandle.current().pid(),
            url.toString(),
            address.kafka(),
            address.redis(),
            settings.surfaces().toString())
        .write(settings.data());
    progress.accept("Serving answers on " + url + ", gRPC on port " + grpcPort);
  }

  private void start(Program program) throws IOException, ChildFailed, InterruptedException {
    group.start(program, readiness(program.name()), timeout(program.name()));
  }

  private Program platformProgram() {
    return installation.javaProgram(
        PLATFORM,
        PLATFORM_LIMITS,
        PlatformMain.class.getName(),
        List.of(settings.data().toString()));
  }

  private Program streamsProgram(PlatformAddress address) {
    return installation.javaProgram(
        STREAMS,
        STREAMS_LIMITS,
        STREAMS_MAIN,
        List.of(
            "--kafka", address.kafka(),
            "--redis", address.redis(),
            "--surfaces", settings.surfaces().toString(),
            "--data", settings.data().toString(),
            "--metrics-port", Integer.toString(metricsPort)));
  }

  private Program servingProgram(PlatformAddress address) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("bellwether.kafka", address.kafka());
    keys.put("bellwether.redis", address.redis());
    keys.put("bellwether.store", settings.store().toString());
    keys.put("bellwether.surfaces", settings.surfaces().toString());
    keys.put("bellwether.policy-keys", LocalStore.trustedKeys(settings.data()).toString());
    keys.put("bellwether.policy-signing-key", LocalStore.keyFile(settings.data()).toString());
    keys.put("bellwether.spool", settings.spool().toString());
    keys.put("bellwether.auth", settings.authentication());
    keys.put("bellwether.idempotency-ttl", RETRIES_COME_WITHIN);
    keys.put("quarkus.http.host", url.getHost());
    keys.put("quarkus.http.port", Integer.toString(url.getPort()));
    keys.put("bellwether.grpc-port", Integer.toString(grpcPort));
    keys.putAll(settings.serving());
    // Keys as a variable and not as an argument: any user of the machine may list arguments.
    Map<String, String> secrets =
        settings.apiKeys().isBlank() ? Map.of() : Map.of("BELLWETHER_API_KEYS", settings.apiKeys());
    return installation.servingProgram(SERVING_LIMITS, keys, secrets);
  }

  private Readiness readiness(String part) {
    return switch (part) {
      case PLATFORM -> Readiness.file(Platform.addressFile(settings.data()));
      case SERVING -> Readiness.url(url.resolve("/q/health/ready"));
      // Nobody waits for the jobs: Kafka keeps what arrives before they run.
      default -> () -> true;
    };
  }

  private static Duration timeout(String part) {
    return switch (part) {
      case PLATFORM -> PLATFORM_READY;
      case SERVING -> SERVING_READY;
      default -> STREAMS_READY;
    };
  }

  private void stop() {
    group.close();
    try {
      RunningSystem.remove(settings.data());
      lock.close();
    } catch (IOException e) {
      LOG.warn("The data folder could not be given free", e);
    }
  }

  /** Takes the data folder and chooses a port; nothing runs yet, but all that will is stopped. */
  private static LocalSystem claim(Installation installation, LocalSettings settings)
      throws LocalSystemFailed, InterruptedException {
    try {
      FolderLock lock =
          FolderLock.take(settings.data(), LOCK, PREDECESSOR_ENDS)
              .orElseThrow(() -> taken(settings));
      try {
        LocalSystem system = new LocalSystem(installation, settings, lock, ports(settings));
        Runtime.getRuntime().addShutdownHook(system.stopAtExit);
        return system;
      } catch (IOException | LocalSystemFailed e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new LocalSystemFailed(
          "The data folder " + settings.data() + " cannot be used: " + e,
          "Make it writable, or use another folder with --data.",
          e);
    }
  }

  private static LocalSystemFailed taken(LocalSettings settings) {
    return new LocalSystemFailed(
        "A Bellwether is running on " + settings.data() + " already.",
        "Stop it with `./bellwether down`, or use another folder with --data.",
        null);
  }

  private static Ports ports(LocalSettings settings) throws IOException, LocalSystemFailed {
    KeptPorts kept = KeptPorts.in(settings.data().resolve("serving-port.properties"));
    int metrics = kept.take(METRICS, PREFERRED_METRICS_PORT);
    if (settings.port().isEmpty()) {
      return new Ports(
          kept.take(SERVING, PREFERRED_PORT), kept.take(GRPC, PREFERRED_GRPC_PORT), metrics);
    }
    int port = settings.port().getAsInt();
    if (!KeptPorts.free(port)) {
      throw new LocalSystemFailed(
          "Port " + port + " is in use.", "Give another one with --port, or none.", null);
    }
    int grpc = kept.take(GRPC, PREFERRED_GRPC_PORT);
    return new Ports(port, grpc == port ? kept.replace(GRPC) : grpc, metrics);
  }

  private static String reason(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
