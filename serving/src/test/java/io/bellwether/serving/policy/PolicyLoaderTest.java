package io.bellwether.serving.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.object.FolderDepot;
import io.bellwether.policy.scoring.Device;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.TestPlatform;
import io.bellwether.serving.experiment.ExperimentsFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyLoaderTest {

  /** The swap storm of the benchmark makes 1000 of them, under the load of a real service. */
  private static final int SWAPS = Integer.getInteger("swaps", 50);

  private static final int VERSIONS = 20;
  private static final int CALLERS = 2;

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DeclaredSurface feed = surfaces.require("feed");
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir private Path folder;
  private PolicyStore store;

  @BeforeEach
  void openTheStore() {
    store = new PolicyStore(folder, Clock.systemUTC());
  }

  /** A service that was just started. */
  private final class Service {
    private final PolicyStore store;
    private final Versions versions = new Versions(surfaces);
    private final PolicyMeters meters = new PolicyMeters(surfaces, versions, registry);
    private final PolicyLoader loader;

    Service() {
      this(new SignatureCheck(TrustedKeys.none(), false));
    }

    Service(SignatureCheck signatures) {
      store = PolicyLoaderTest.this.store.guardedBy(signatures.guard());
      ServingConfig config = Fixtures.config(Map.of("bellwether.store", folder.toString()));
      loader =
          new PolicyLoader(
              surfaces,
              store,
              new AliasFeed(config, Clock.systemUTC(), signatures),
              versions,
              ExperimentsFixture.open(folder, surfaces, store, Clock.systemUTC()).experiments(),
              new VersionOpener(
                  store,
                  signatures,
                  new GraphDevice(Device.CPU),
                  new RecentRequests(surfaces),
                  new WarmUp(() -> 0)),
              meters,
              config);
    }

    Optional<String> look() {
      loader.lookAtAll();
      return versions.champion(feed);
    }
  }

  @Test
  void aCorruptVersionIsRefusedAndTheLastGoodOneStays() throws Exception {
    Service service = new Service();
    String good = crown(1);
    assertEquals(Optional.of(good), service.look());
    String corrupt = crown(2);
    damage(corrupt);
    assertEquals(Optional.of(good), service.look());
    assertTrue(service.loader.refusal(feed).orElseThrow().startsWith(corrupt));
    assertEquals(
        1,
        registry.get("bellwether.policy.load.failures").tag("surface", "feed").counter().count());
    assertEquals(1, scored(service.versions, good));
    String mended = crown(3);
    assertEquals(Optional.of(mended), service.look());
    assertEquals(Optional.empty(), service.loader.refusal(feed));
  }

  @Test
  void aVersionThatCannotBeClosedDoesNotStopTheLoader() {
    Service service = new Service();
    crown(1);
    service.look();
    try (Versions.Held held = service.versions.acquire(feed).orElseThrow()) {
      held.scorer().close();
    }
    String second = crown(2);
    assertEquals(Optional.of(second), service.look());
    String third = crown(3);
    assertEquals(Optional.of(third), service.look());
    assertEquals(Set.of(third), service.versions.loaded(feed));
  }

  @Test
  void theLastGoodOneIsFoundAgainAfterARestart() throws Exception {
    crown(1);
    String good = crown(2);
    damage(crown(3));
    damage(crown(4));
    Service restarted = new Service();
    assertEquals(Optional.of(good), restarted.look());
    assertTrue(restarted.loader.refusal(feed).isPresent());
    assertEquals(Optional.of(good), restarted.look());
    assertEquals(Set.of(good), restarted.versions.loaded(feed));
  }

  @Test
  void metersTellWhichVersionIsOpenAndWhereItsNodesRan() {
    Service service = new Service();
    String first = crown(1);
    service.look();
    String second = crown(2);
    service.look();
    assertEquals(
        1,
        registry
            .get("bellwether.policy.nodes")
            .tags("version", second, "form", "full", "provider", "CPUExecutionProvider")
            .gauge()
            .value());
    assertEquals(
        0, registry.get("bellwether.policy.strayed").tag("version", second).gauge().value());
    assertEquals(null, registry.find("bellwether.policy.nodes").tag("version", first).gauge());
    assertEquals("full", service.loader.open(feed).orElseThrow().form());
  }

  @Test
  void aPinnedVersionAnswersWhateverTheChampionIs() {
    Service service = new Service();
    String first = crown(1);
    store.releases().pin("feed", new VersionId(first), "ann", "holidays");
    crown(2);
    assertEquals(Optional.of(first), service.look());
    store.releases().unpin("feed", "ann", "back");
    assertEquals(store.alias("feed", Alias.CHAMPION).map(VersionId::value), service.look());
  }

  @Test
  void aMoveThatWasTamperedWithIsRefusedAndAlarmed() throws Exception {
    SigningKey key = SigningKey.generate();
    store = new PolicyStore(new FolderDepot(folder), Clock.systemUTC(), move -> {}, key);
    SignatureCheck required = new SignatureCheck(TrustedKeys.of(key), true);
    Service service = new Service(required);
    String good = crown(1);
    assertEquals(Optional.of(good), service.look());
    assertEquals(0, tampered());
    crown(2);
    Path move = folder.resolve("log/00000002.json");
    byte[] whole = Files.readAllBytes(move);
    byte[] altered = whole.clone();
    altered[whole.length / 2] ^= 1;
    Files.write(move, altered);
    assertEquals(Optional.of(good), service.look());
    assertTrue(service.loader.tampering(feed).orElseThrow().contains("entry 2"));
    assertEquals(1, tampered());
    assertEquals(Optional.of(good), new Service(required).look());

    Files.write(move, whole);
    assertEquals(store.alias("feed", Alias.CHAMPION).map(VersionId::value), service.look());
    assertEquals(Optional.empty(), service.loader.tampering(feed));
    assertEquals(0, tampered());
  }

  @Test
  void aKeyThatIsRevokedWhileItsVersionAnswersIsAlarmedAndTheVersionGoesOn() {
    SigningKey old = SigningKey.generate();
    SigningKey fresh = SigningKey.generate();
    store = new PolicyStore(new FolderDepot(folder), Clock.systemUTC(), move -> {}, old);
    TrustedKeys both = TrustedKeys.of(old, fresh);
    AtomicReference<TrustedKeys> keys = new AtomicReference<>(both);
    Service service = new Service(new SignatureCheck(keys::get, true, null));
    String good = crown(1);
    assertEquals(Optional.of(good), service.look());
    keys.set(both.revoking(old.id()));
    assertEquals(Optional.of(good), service.look());
    assertTrue(service.loader.tampering(feed).orElseThrow().contains("revoked"));
    store.releases().adopt(fresh, "ann", "looked at all of it");
    assertEquals(Optional.of(good), service.look());
    assertTrue(service.loader.tampering(feed).orElseThrow().startsWith(good));
    store.sign(new VersionId(good), fresh, "ann");
    assertEquals(Optional.of(good), service.look());
    assertEquals(Optional.empty(), service.loader.tampering(feed));
  }

  private double tampered() {
    return registry.get("bellwether.policy.tampered").tag("surface", "feed").gauge().value();
  }

  /** Callers note which swap was acknowledged before they asked: they never get an older one. */
  @Test
  void noVersionAnswersAfterItsRetirementWasAcknowledgedHoweverOftenItIsSwapped() throws Exception {
    List<VersionId> rotated = new ArrayList<>();
    for (int version = 0; version < VERSIONS; version++) {
      rotated.add(publish(version));
    }
    Service service = new Service();
    LinearPolicy.crown(store, "feed", rotated.get(0));
    service.look();
    AtomicInteger acknowledged = new AtomicInteger();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      all.add(callers.submit(() -> askUntil(stop, service.versions, acknowledged)));
    }
    for (int swap = 1; swap <= SWAPS; swap++) {
      VersionId next = rotated.get(swap % VERSIONS);
      LinearPolicy.crown(store, "feed", next);
      assertEquals(Optional.of(next.value()), service.look());
      acknowledged.set(swap);
    }
    stop.set(true);
    for (Future<Integer> each : all) {
      assertTrue(each.get() > 0);
    }
    callers.shutdown();
    assertEquals(1, service.versions.loaded(feed).size());
  }

  private int askUntil(AtomicBoolean stop, Versions versions, AtomicInteger acknowledged) {
    ScoringBatch batch = new ScoringBatch(TestPlatform.schema());
    int asked = 0;
    for (; !stop.get(); asked++) {
      int least = acknowledged.get() % VERSIONS;
      try (Versions.Held held = versions.acquire(feed).orElseThrow()) {
        int version = Math.round(score(held, batch));
        // It is as many swaps ahead as passed since we looked, and never one behind.
        int ahead = Math.floorMod(version - least, VERSIONS);
        assertTrue(ahead < VERSIONS / 2, () -> version + " answers after " + least);
      }
    }
    return asked;
  }

  private float scored(Versions versions, String version) {
    try (Versions.Held held = versions.acquire(feed, version).orElseThrow()) {
      return score(held, new ScoringBatch(TestPlatform.schema()));
    }
  }

  /** The first weight. */
  private static float score(Versions.Held held, ScoringBatch batch) {
    float[] items = new float[TestPlatform.schema().itemWidth()];
    items[0] = 1;
    batch.clear();
    batch.add(
        new float[TestPlatform.schema().contextWidth()],
        new float[TestPlatform.schema().historySize()],
        items);
    return held.scorer().score(batch).logits()[0];
  }

  private String crown(float weight) {
    VersionId version = publish(weight);
    LinearPolicy.crown(store, "feed", version);
    return version.value();
  }

  private VersionId publish(float weight) {
    float[] weights = new float[TestPlatform.schema().itemWidth()];
    weights[0] = weight;
    return LinearPolicy.publish(store, "feed", TestPlatform.schema(), weights);
  }

  private void damage(String version) throws Exception {
    PolicyManifest manifest = store.manifest(new VersionId(version));
    PolicyFile graph = manifest.files().get(0);
    Path file = folder.resolve("objects").resolve(graph.sha256().substring(0, 2));
    byte[] bytes = Files.readAllBytes(file.resolve(graph.sha256()));
    bytes[bytes.length / 2] ^= 1;
    Files.write(file.resolve(graph.sha256()), bytes);
  }
}
