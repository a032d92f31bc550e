package io.bellwether.serving.retrieval;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.surface.DeclaredSurface;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NearestItemsTest {

  private static final int ITEMS = 3300;
  private static final float[] EAST = {1, 0};
  private static final float[] NO_HISTORY =
      new float[TestTowers.schema(Shop.surface()).historySize()];

  private final DeclaredSurface shop = Shop.surface();
  private final Catalogue catalogue = Shop.catalogue(ITEMS);
  private final NearestItems index = index(catalogue.items(shop));

  @AfterAll
  void release() {
    index.release();
  }

  @Test
  void findsWhatAnExactSearchFinds() {
    index.measure(List.of(), 100);
    NearestItems.Recall recall = requireNonNull(index.recall());
    assertFalse(recall.ofRequests());
    assertTrue(recall.share() > 0.95, () -> "recall " + recall);
    index.measure(List.of(new RecentQueries.Asked(EAST, NO_HISTORY)), 100);
    assertTrue(requireNonNull(index.recall()).ofRequests());
  }

  @Test
  void theNearestComeFirst() {
    ItemTable table = catalogue.items(shop);
    int[] rows = picked(ItemFilter.NONE, catalogue, 10);
    double[] east = Arrays.stream(rows).mapToDouble(row -> Math.cos(number(table, row))).toArray();
    double[] sorted = east.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < east.length; i++) {
      assertEquals(sorted[sorted.length - 1 - i], east[i], 1e-6);
    }
    assertTrue(sorted[0] > 0.9999, () -> "the farthest of them: " + sorted[0]);
  }

  @Test
  void onlyMatchesAreFoundHoweverFewTheyAre() {
    for (int width : new int[] {3100, 500, 30, 3}) {
      ItemFilter filter =
          new ItemFilter(List.of(new ItemFilter.Condition.Between(0, 100, 99 + width)), Set.of());
      ItemTable table = catalogue.items(shop);
      int[] rows = picked(filter, catalogue, 10);
      assertEquals(Math.min(10, width), rows.length);
      double[] exact = IntStream.range(100, 100 + width).mapToDouble(Math::cos).sorted().toArray();
      for (int row : rows) {
        double number = number(table, row);
        assertTrue(number >= 100 && number <= 99 + width);
        assertTrue(Math.cos(number) > exact[Math.max(0, exact.length - 20)] - 1e-6);
      }
    }
  }

  @Test
  void anItemThatIsGoneIsNotFoundAndOneThatMovedIsFoundWhereItIs() {
    Catalogue changing = Shop.catalogue(ITEMS);
    int first = picked(ItemFilter.NONE, changing, 1)[0];
    String nearest = changing.items(shop).id(first);
    String last = changing.items(shop).id(ITEMS - 1);
    CatalogueFixture.remove(changing, "shop/" + nearest);
    ItemTable now = changing.items(shop);
    assertEquals(first, now.row(last));
    int[] rows = picked(ItemFilter.NONE, changing, 10);
    assertEquals(10, rows.length);
    assertTrue(Arrays.stream(rows).noneMatch(row -> now.id(row).equals(nearest)));
    assertTrue(Arrays.stream(rows).allMatch(row -> Math.cos(number(now, row)) > 0.999));
  }

  @Test
  void retrievalNamesTheVersionThatProposed() {
    Retrieval retrieval =
        new Retrieval(
            Shop.SURFACES,
            catalogue,
            new RetrievalFixture.One(index),
            new Popularity(Shop.SURFACES, Clock.systemUTC()),
            Clock.systemUTC());
    ItemTable table = catalogue.items(shop);
    Proposed proposed =
        retrieval.propose(shop, table, ItemFilter.NONE, EAST, NO_HISTORY, "v1", 50, 1);
    assertEquals("nearest:v1", proposed.source());
    assertEquals(20, proposed.rows().length);
    assertArrayEquals(picked(ItemFilter.NONE, catalogue, 14), Arrays.copyOf(proposed.rows(), 14));
    assertEquals(
        "random",
        retrieval.propose(shop, table, ItemFilter.NONE, EAST, NO_HISTORY, null, 50, 1).source());
  }

  @Test
  void closesAfterItsLastUse() {
    NearestItems other = index(Shop.catalogue(50).items(shop));
    assertTrue(other.hold());
    other.release();
    assertTrue(other.hold());
    other.release();
    other.release();
    assertFalse(other.hold());
  }

  @Test
  void aBuildThatIsToStopGivesNothing() {
    try (RetrievalTowers towers = TestTowers.of(shop, 7, 2)) {
      assertNull(NearestItems.of("v1", catalogue.items(shop), towers, Instant.EPOCH, () -> true));
    }
  }

  @Test
  void lengthsOfVectorsCount() {
    float[] vectors = new float[300 * 3];
    for (int i = 0; i < 300; i++) {
      vectors[3 * i] = (float) (10 * CounterRandom.normal(1, 1, i, 0, 0));
      vectors[3 * i + 1] = (float) CounterRandom.normal(1, 2, i, 0, 0);
    }
    float[] plain = vectors.clone();
    Embeddings embeddings = Embeddings.of(vectors, 3);
    float[] query = {0.3f, -2};
    float[] wide = embeddings.query(query);
    Integer[] byProduct = order(i -> query[0] * plain[3 * i] + query[1] * plain[3 * i + 1]);
    Integer[] byIndex = order(i -> embeddings.product(wide, i));
    assertArrayEquals(byProduct, byIndex);
    assertEquals(1, embeddings.product(17, 17), 1e-6);
  }

  private interface Score {
    float of(int row);
  }

  private static Integer[] order(Score score) {
    Integer[] order = IntStream.range(0, 300).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (a, b) -> Float.compare(score.of(b), score.of(a)));
    return order;
  }

  private NearestItems index(ItemTable table) {
    NearestItems built =
        NearestItems.of("v1", table, TestTowers.of(shop, 7, 2), Instant.EPOCH, () -> false);
    return requireNonNull(built);
  }

  private int[] picked(ItemFilter filter, Catalogue from, int count) {
    Matches matches = Matches.of(from.items(shop), filter.conditions(), null);
    Picks picks = new Picks(count, new int[0]);
    index.pick(EAST, NO_HISTORY, matches, count, 0, picks);
    return picks.rows();
  }

  private static double number(ItemTable table, int row) {
    return table.number(0, row);
  }
}
