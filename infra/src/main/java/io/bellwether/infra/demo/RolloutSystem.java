package io.bellwether.infra.demo;

import io.bellwether.infra.local.Installation;
import io.bellwether.infra.local.LocalSettings;
import io.bellwether.infra.local.LocalStore;
import io.bellwether.infra.local.LocalSystem;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.experiment.LiveResult;
import io.bellwether.loadtest.experiment.SystemUnderTest;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.Baseline;
import io.bellwether.trainer.job.CodeVersion;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Systems on which planted policies are rolled out: each with a data folder of its own and the
 * product's own ranking as its champion. Immutable.
 *
 * @param folder for data folders
 */
public record RolloutSystem(
    Installation installation, Path folder, Clock clock, Consumer<String> progress) {
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);
  private static final String WHO = "bench";

  /** Starts one, uses it, and stops it. */
  public LiveResult with(int round, SystemUnderTest.Use use) throws Exception {
    Path surfaces = installation.home().resolve(Path.of("examples", "surfaces"));
    Surface surface = new SurfaceReader().read(surfaces.resolve("short-video.yaml"));
    LocalSettings settings =
        new LocalSettings(folder.resolve("round-" + round), surfaces, OptionalInt.empty(), "");
    try (LocalSystem system = LocalSystem.start(installation, settings, progress);
        RedisAliasIndex aliases = new RedisAliasIndex(system.platform().redis(), REDIS_TIMEOUT)) {
      PolicyStore store = LocalStore.open(settings.data(), clock, move -> aliases.record(move));
      VersionId ranking = new Baseline(clock, CodeVersion.current()).publish(surface, store).id();
      store.move(
          new MoveRequest(
              surface.name(),
              Alias.CHAMPION,
              null,
              ranking,
              WHO,
              "the product's own ranking",
              "it is what the product did before Bellwether"));
      return use.apply(new SystemUnderTest(system.url(), surface, store));
    }
  }
}
