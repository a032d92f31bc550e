package io.bellwether.infra.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.loadtest.chaos.ChaosResult;
import io.bellwether.loadtest.chaos.ChaosSurface;
import io.bellwether.loadtest.chaos.Fault;
import io.bellwether.loadtest.chaos.FaultySystem;
import io.bellwether.loadtest.chaos.SlowNetwork;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.Baseline;
import io.bellwether.trainer.job.CodeVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A local system of its own with a small spool, whose clients and whose Redis are reached by way of
 * a network that can fail, and whose processes are stopped and killed by signals. Used by one
 * thread.
 */
public final class FaultyLocalSystem implements FaultySystem {

  private static final String WHO = "bench";
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration REDIS_DELAY = Duration.ofMillis(150);
  private static final Duration CLIENT_DELAY = Duration.ofMillis(100);

  /** Outlasts the stop of Kafka by itself, and not the one that is to fill it. */
  private static final String SPOOL_BYTES = "768K";

  private static final int STUTTERS = 10;
  private static final long STUTTER_MILLIS = 200;

  private final LocalSystem system;
  private final SlowNetwork clients;
  private final SlowNetwork redis;
  private final PolicyStore store;
  private final VersionId champion;
  private @Nullable VersionId damaged;
  private @Nullable Thread stutter;

  private FaultyLocalSystem(
      LocalSystem system,
      SlowNetwork clients,
      SlowNetwork redis,
      PolicyStore store,
      VersionId champion) {
    this.system = system;
    this.clients = clients;
    this.redis = redis;
    this.store = store;
    this.champion = champion;
  }

  /**
   * Starts such systems.
   *
   * @param folder of the data; nothing else is in it
   */
  public record Source(
      Installation installation, Path folder, Clock clock, Consumer<String> progress)
      implements FaultySystem.Source {

    @Override
    public ChaosResult with(FaultySystem.Use use) throws Exception {
      Path surfaces = Files.createDirectories(folder.resolve("surfaces"));
      Files.write(
          surfaces.resolve(ChaosSurface.NAME + ".yaml"), ChaosSurface.file().getBytes(UTF_8));
      Path data = folder.resolve("data");
      try (SlowNetwork redis = SlowNetwork.to(() -> redisPort(data))) {
        LocalSettings settings =
            new LocalSettings(
                data,
                surfaces,
                OptionalInt.empty(),
                "",
                Map.of(
                    "bellwether.redis",
                    "redis://127.0.0.1:" + redis.port(),
                    "bellwether.spool-bytes",
                    SPOOL_BYTES));
        try (LocalSystem system = LocalSystem.start(installation, settings, progress);
            SlowNetwork clients = SlowNetwork.to(() -> system.url().getPort());
            RedisAliasIndex aliases =
                new RedisAliasIndex(system.platform().redis(), REDIS_TIMEOUT)) {
          PolicyStore store = LocalStore.open(data, clock, move -> aliases.record(move));
          VersionId champion = publish(ChaosSurface.surface(), store, clock).id();
          FaultyLocalSystem faulty = new FaultyLocalSystem(system, clients, redis, store, champion);
          faulty.move(null, champion);
          return use.apply(faulty);
        }
      }
    }

    private static int redisPort(Path data) throws IOException {
      return URI.create(PlatformAddress.read(Platform.addressFile(data)).redis()).getPort();
    }
  }

  private static PolicyVersion publish(Surface surface, PolicyStore store, Clock clock) {
    return new Baseline(clock, CodeVersion.current()).publish(surface, store);
  }

  private void move(@Nullable VersionId from, VersionId to) {
    store.move(
        new MoveRequest(
            ChaosSurface.NAME,
            Alias.CHAMPION,
            from,
            to,
            WHO,
            "to see what faults do",
            "nobody is shown anything"));
  }

  @Override
  public URI url() {
    return URI.create("http://127.0.0.1:" + clients.port());
  }

  @Override
  public String kafka() {
    try {
      return system.platform().kafka();
    } catch (IOException e) {
      throw new IllegalStateException("the platform does not run", e);
    }
  }

  @Override
  public String champion() {
    return champion.toString();
  }

  @Override
  public void begin(Fault fault) throws Exception {
    switch (fault) {
      case SERVING_KILLED -> system.kill(LocalSystem.SERVING);
      case STREAMS_KILLED -> system.kill(LocalSystem.STREAMS);
      case PLATFORM_KILLED -> system.kill(LocalSystem.PLATFORM);
      case SERVING_STOPPED -> signal("STOP", system.pid(LocalSystem.SERVING));
      case STREAMS_STOPPED -> signal("STOP", system.pid(LocalSystem.STREAMS));
      case KAFKA_STOPPED, DISK_FULL -> signal("STOP", system.pid(LocalSystem.PLATFORM));
      case REDIS_STOPPED -> signal("STOP", system.platform().redisPid());
      case KAFKA_STUTTERS -> stutter();
      case REDIS_SLOW -> redis.slow(REDIS_DELAY);
      case REDIS_CUT -> redis.cut();
      case CLIENTS_SLOW -> clients.slow(CLIENT_DELAY);
      case CLIENTS_CUT -> clients.cut();
      case POLICY_CORRUPT -> promoteADamagedVersion();
      case CLOCK_AHEAD, CLOCK_BEHIND -> {}
    }
  }

  @Override
  public void end(Fault fault) throws Exception {
    switch (fault) {
      case SERVING_KILLED -> system.restart(LocalSystem.SERVING);
      case STREAMS_KILLED -> system.restart(LocalSystem.STREAMS);
      case PLATFORM_KILLED -> system.restart(LocalSystem.PLATFORM);
      case SERVING_STOPPED -> signal("CONT", system.pid(LocalSystem.SERVING));
      case STREAMS_STOPPED -> signal("CONT", system.pid(LocalSystem.STREAMS));
      case KAFKA_STOPPED, DISK_FULL -> signal("CONT", system.pid(LocalSystem.PLATFORM));
      case REDIS_STOPPED -> signal("CONT", system.platform().redisPid());
      case KAFKA_STUTTERS -> awaitStutter();
      case REDIS_SLOW, REDIS_CUT -> redis.heal();
      case CLIENTS_SLOW, CLIENTS_CUT -> clients.heal();
      case POLICY_CORRUPT -> demoteTheDamagedVersion();
      case CLOCK_AHEAD, CLOCK_BEHIND -> {}
    }
  }

  private void stutter() {
    long pid = system.pid(LocalSystem.PLATFORM);
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < STUTTERS; i++) {
                  signal("STOP", pid);
                  TimeUnit.MILLISECONDS.sleep(STUTTER_MILLIS);
                  signal("CONT", pid);
                  TimeUnit.MILLISECONDS.sleep(STUTTER_MILLIS);
                }
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            "kafka-stutters");
    thread.start();
    stutter = thread;
  }

  private void awaitStutter() throws InterruptedException {
    Thread running = stutter;
    if (running != null) {
      running.join();
      stutter = null;
    }
  }

  /** A version that was good when it was published, and whose graph rotted on the disk. */
  private void promoteADamagedVersion() throws IOException {
    VersionId version = damaged;
    if (version == null) {
      PolicyVersion published = publish(ChaosSurface.variation(), store, Clock.systemUTC());
      damage(published.id());
      version = published.id();
      damaged = version;
    }
    move(champion, version);
  }

  private void demoteTheDamagedVersion() {
    VersionId version = damaged;
    if (version != null) {
      move(version, champion);
    }
  }

  private void damage(VersionId version) throws IOException {
    String graph =
        store.manifest(version).files().stream()
            .filter(file -> file.path().equals(PolicyManifest.GRAPH))
            .map(PolicyFile::sha256)
            .findFirst()
            .orElseThrow();
    Path objects = system.settings().store().resolve("objects");
    Path file = objects.resolve(graph.substring(0, 2)).resolve(graph);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.delete(file);
    Files.write(file, bytes);
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    if (kill.waitFor() != 0) {
      throw new IOException("process " + pid + " took no SIG" + name);
    }
  }
}
