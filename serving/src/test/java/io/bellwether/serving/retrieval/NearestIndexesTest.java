package io.bellwether.serving.retrieval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.ExperimentsFixture;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.policy.VersionsFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NearestIndexesTest {

  private static final int ITEMS = 100;

  private final DeclaredSurface shop = Shop.surface();
  private final Catalogue catalogue = Shop.catalogue(ITEMS);
  private final Versions versions = VersionsFixture.none(Shop.SURFACES);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Hands clock = new Hands();

  @TempDir Path folder;
  private PolicyStore store;
  private ExperimentsFixture.Opened opened;
  private NearestIndexes indexes;

  /** A clock that is moved by hand. */
  private static final class Hands extends Clock {
    private Instant now = Instant.EPOCH;

    void forward(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeEach
  void open() {
    store = new PolicyStore(folder, clock);
    opened = ExperimentsFixture.open(folder, Shop.SURFACES, store, clock);
    indexes =
        new NearestIndexes(
            Shop.SURFACES,
            catalogue,
            CatalogueFixture.feed(catalogue),
            versions,
            opened.experiments(),
            store,
            clock,
            registry);
  }

  @Test
  void theChampionsTowersGetAnIndexThatIsMeasured() {
    String champion = crown(1, true);
    assertTrue(indexes.hold(shop, champion).isEmpty());
    indexes.look(shop);
    assertEquals(champion, held(champion));
    assertNotNull(indexes.built(shop).get(0).recall());
    assertEquals(1, registry.get("bellwether.retrieval.recall").gauge().value(), 0.05);
  }

  @Test
  void aVersionWithoutTowersHasNoIndex() {
    String champion = crown(1, false);
    indexes.look(shop);
    assertTrue(indexes.hold(shop, champion).isEmpty());
  }

  @Test
  void theOldChampionsIndexServesUntilTheNewOnesIsThere() {
    String old = crown(1, true);
    indexes.look(shop);
    String champion = crown(2, true);
    assertEquals(old, held(champion));
    indexes.look(shop);
    assertEquals(champion, held(champion));
    assertEquals(1, indexes.built(shop).size());
  }

  @Test
  void itIsBuiltAnewWhenItemsHaveChangedButNotAtOnce() {
    String champion = crown(1, true);
    indexes.look(shop);
    NearestItems first = indexes.built(shop).get(0);
    CatalogueFixture.put(catalogue, "shop/new", "{'features':{'place':[1,0]}}");
    indexes.look(shop);
    assertEquals(first, indexes.built(shop).get(0));
    clock.forward(Duration.ofHours(1));
    indexes.look(shop);
    assertEquals(ITEMS + 1, indexes.built(shop).get(0).table().size());
    assertFalse(first.hold(), "closed");
    assertEquals(champion, held(champion));
  }

  @Test
  void recallIsMeasuredAgainOnceRequestsHaveCome() {
    crown(1, true);
    indexes.look(shop);
    for (int i = 0; i < RecentQueries.KEPT; i++) {
      float[] context = {(float) Math.cos(i), (float) Math.sin(i)};
      indexes.asked(shop, context, new float[TestTowers.schema(shop).historySize()]);
    }
    indexes.look(shop);
    NearestItems.Recall recall = indexes.built(shop).get(0).recall();
    assertTrue(recall != null && recall.ofRequests() && recall.queries() == RecentQueries.KEPT);
  }

  @Test
  void anIndexGoesWithTheLastVersionThatWantedIt() {
    String champion = crown(1, true);
    indexes.look(shop);
    crown(2, false);
    indexes.look(shop);
    assertTrue(indexes.hold(shop, champion).isEmpty());
    assertEquals(List.of(), indexes.built(shop));
  }

  @Test
  void noTowersAreRunOfAVersionThatIsNotLoaded() {
    String champion = crown(1, true);
    pass(champion);
    LinearPolicy.crown(store, shop.name(), new VersionId(champion));
    String challenger = publish(2, true);
    pin(challenger);
    indexes.look(shop);
    assertEquals(1, indexes.built(shop).size());
    assertEquals(champion, held(challenger), "the champion's stands in");
    VersionsFixture.add(
        versions, shop, challenger, LinearPolicy.open(TestTowers.schema(shop), weights(2)));
    indexes.look(shop);
    assertEquals(challenger, held(challenger));
  }

  /** Starts an experiment with a version, which is now to be loaded. */
  private void pin(String version) {
    pass(version);
    store.move(
        new MoveRequest(
            shop.name(), Alias.CHALLENGER, null, new VersionId(version), "test", "a test", null));
    String declaration =
        "{'name':'exp-1','surface':'shop','variants':[{'name':'control'},"
            + "{'name':'treatment','policy':'challenger'}]}";
    Experiments experiments = opened.experiments();
    By by = By.of("anna", "a test");
    experiments.create(bytes(declaration), by).toCompletableFuture().join();
    experiments.start("exp-1", by).toCompletableFuture().join();
    opened.refresh().run();
  }

  private void pass(String version) {
    store.attach(
        new VersionId(version), EvidenceKind.VERDICT, bytes("{'verdict':'pass'}"), "a test");
  }

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(UTF_8);
  }

  private String held(String version) {
    Optional<NearestItems> index = indexes.hold(shop, version);
    index.ifPresent(NearestItems::release);
    return index.map(NearestItems::version).orElse("none");
  }

  /** Publishes a version, loads it and makes it the champion. */
  private String crown(float weight, boolean withTowers) {
    String version = publish(weight, withTowers);
    VersionsFixture.add(
        versions, shop, version, LinearPolicy.open(TestTowers.schema(shop), weights(weight)));
    VersionsFixture.crown(versions, shop, version);
    return version;
  }

  private float[] weights(float weight) {
    float[] weights = new float[TestTowers.schema(shop).itemWidth()];
    weights[0] = weight;
    return weights;
  }

  private String publish(float weight, boolean withTowers) {
    FeatureSchema schema = TestTowers.schema(shop);
    byte[] graph = LinearPolicy.graph(schema, weights(weight));
    Map<String, byte[]> files = new TreeMap<>(Map.of(PolicyManifest.GRAPH, graph));
    if (withTowers) {
      files.put(RetrievalTowers.FILE, TestTowers.graph(shop, 7, 2));
    }
    TrainingData data = new TrainingData("none", Instant.EPOCH, Instant.EPOCH, 0, "da7a");
    return store
        .publish(
            new PolicyManifest(
                shop.name(),
                PolicyManifest.ONNX,
                "test",
                Instant.EPOCH,
                "5eed",
                schema,
                "linear",
                1,
                data,
                "0",
                null,
                null,
                Map.of(),
                List.of()),
            files)
        .id()
        .value();
  }
}
