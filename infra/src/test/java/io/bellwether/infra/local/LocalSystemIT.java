package io.bellwether.infra.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bellwether.infra.platform.Platform;
import io.bellwether.infra.platform.PlatformAddress;
import io.bellwether.infra.process.FolderLock;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.fuzz.HostileTraffic;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole system as real processes; skipped where serving is not built yet. */
class LocalSystemIT {
  private static final long SEED = 6;
  private static final long HOSTILE = 2000;

  @TempDir Path data;

  @Test
  void itServesSurvivesAKilledPartAndLeavesNothingBehind() throws Exception {
    Path home = Path.of("..").toRealPath();
    Installation installation =
        new Installation(
            home,
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    assumeTrue(
        Files.exists(installation.servingJar()), "Serving is not built: run mvn package first.");
    LocalSettings settings =
        new LocalSettings(data, home.resolve("examples/surfaces"), OptionalInt.empty(), "");
    List<String> progress = Collections.synchronizedList(new ArrayList<>());

    try (LocalSystem system = LocalSystem.start(installation, settings, progress::add)) {
      assertEquals(200, status(system.url().resolve("/v1/surfaces")));
      assertEquals(system.url().toString(), RunningSystem.on(data).orElseThrow().url());
      assertTrue(system.residentBytes().orElse(0) < 4L << 30);
      assertThrows(
          LocalSystemFailed.class, () -> LocalSystem.start(installation, settings, progress::add));

      new OneSubject(
              system.url(),
              PlatformAddress.read(Platform.addressFile(data)),
              new SurfaceReader().read(home.resolve("examples/surfaces/short-video.yaml")))
          .findsItsLikeInTheNextDecision();

      HostileTraffic.Result hostile = HostileTraffic.run(target(system), SEED, HOSTILE, () -> 0);
      assertEquals(List.of(), hostile.faults(), hostile.toString());
      assertTrue(hostile.answers().containsKey("gRPC 0"), hostile.toString());
      assertEquals(0, HostileTraffic.leaks(system.log(LocalSystem.SERVING), ""));

      system.kill(LocalSystem.SERVING);
      system.restart(LocalSystem.SERVING);
      assertEquals(200, status(system.url().resolve("/v1/surfaces")));
    }

    assertEquals(Optional.empty(), RunningSystem.on(data));
    try (FolderLock free = FolderLock.take(data, LocalSystem.LOCK, Duration.ZERO).orElseThrow()) {
      assertEquals("Serving answers on", progress.get(progress.size() - 1).substring(0, 18));
    }
  }

  private static HostileTraffic.Target target(LocalSystem system) {
    return new HostileTraffic.Target(
        system.url().getHost(), system.url().getPort(), system.grpcPort(), "open-bandit", "");
  }

  private static int status(URI address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
        .statusCode();
  }
}
