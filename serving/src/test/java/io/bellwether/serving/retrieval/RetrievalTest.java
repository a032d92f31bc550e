package io.bellwether.serving.retrieval;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.surface.DeclaredSurface;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetrievalTest {

  private static final int ITEMS = 400;
  private static final ItemFilter BRAND_A =
      new ItemFilter(List.of(new ItemFilter.Condition.OneOf(1, List.of("a"))), Set.of());

  private final DeclaredSurface shop = Shop.surface();
  private final Catalogue catalogue = Shop.catalogue(ITEMS);
  private final ItemTable items = catalogue.items(shop);
  private Clock clock = at(Duration.ofDays(30));
  private final Popularity popularity = new Popularity(Shop.SURFACES, at(Duration.ofDays(30)));

  @Test
  void proposesEverythingWhereItFits() {
    assertEquals("random", propose(ItemFilter.NONE, 50, 1).source());
    ItemFilter cheap =
        new ItemFilter(
            List.of(
                new ItemFilter.Condition.OneOf(1, List.of("a")),
                new ItemFilter.Condition.Between(0, 0, 99)),
            Set.of("0", "10", "7"));
    Proposed proposed = propose(cheap, 50, 1);
    assertEquals("all", proposed.source());
    assertEquals(Set.of("20", "30", "40", "50", "60", "70", "80", "90"), ids(proposed));
  }

  @Test
  void proposesNothingWhereNothingIsLeft() {
    ItemFilter nothing =
        new ItemFilter(List.of(new ItemFilter.Condition.OneOf(1, List.of("c"))), Set.of());
    assertEquals(0, propose(nothing, 50, 1).rows().length);
  }

  @Test
  void popularItemsComeFirstAndOthersKeepTheirShare() {
    for (int i = 0; i < 100; i++) {
      popularity.observe("look", String.valueOf(i), 1 + i, Duration.ofDays(30).toMillis());
    }
    popularity.rank();
    Proposed proposed = propose(ItemFilter.NONE, 50, 1);
    assertEquals("popularity", proposed.source());
    assertEquals(20, proposed.rows().length);
    // Fresh and random items have 0.2 and 0.1 of twenty proposals.
    assertEquals(
        IntStream.range(0, 14).mapToObj(i -> String.valueOf(99 - i)).toList(),
        Arrays.stream(proposed.rows()).limit(14).mapToObj(items::id).toList());
    assertEquals(20, ids(proposed).size());
  }

  @Test
  void freshItemsGetTheirShareWhileTheyAreFresh() {
    clock = at(Duration.ofDays(1).plusSeconds(ITEMS - 10));
    for (int i = 0; i < 100; i++) {
      popularity.observe("look", String.valueOf(i), 1 + i, 0);
    }
    popularity.rank();
    Set<String> fresh =
        IntStream.range(ITEMS - 10, ITEMS).mapToObj(String::valueOf).collect(Collectors.toSet());
    Set<String> met = new HashSet<>();
    for (int seed = 0; seed < 40; seed++) {
      Set<String> found = ids(propose(ItemFilter.NONE, 50, seed));
      found.retainAll(fresh);
      assertTrue(found.size() >= 4, "at least their share");
      met.addAll(found);
    }
    assertEquals(fresh, met);
  }

  @Test
  void everyItemHasAChance() {
    Set<String> met = new HashSet<>();
    for (int seed = 0; seed < 400; seed++) {
      met.addAll(ids(propose(ItemFilter.NONE, 50, seed)));
    }
    assertEquals(ITEMS, met.size());
  }

  @Test
  void excludedItemsAreNeverProposedByAnySource() {
    for (int i = 0; i < ITEMS; i++) {
      popularity.observe("look", String.valueOf(i), 1 + i, 0);
    }
    popularity.rank();
    Set<String> excluded =
        IntStream.range(30, ITEMS).mapToObj(String::valueOf).collect(Collectors.toSet());
    for (int seed = 0; seed < 20; seed++) {
      Proposed proposed = propose(ItemFilter.NONE.without(excluded), 50, seed);
      assertEquals(20, proposed.rows().length);
      assertTrue(ids(proposed).stream().noneMatch(excluded::contains));
    }
  }

  @Test
  void theSameSeedProposesTheSame() {
    assertArrayEquals(
        propose(ItemFilter.NONE, 50, 3).rows(), propose(ItemFilter.NONE, 50, 3).rows());
  }

  @Test
  void neighboursAreNotAskedWhereFreshAndRandomItemsTakeAllPlaces() {
    DeclaredSurface halves =
        Shop.surfaces("candidates: 3", "share: 0.5", "random: 0.5").require("shop");
    Neighbours none =
        new Neighbours() {
          @Override
          public Optional<NearestItems> hold(DeclaredSurface surface, String version) {
            throw new AssertionError("asked for fewer than none");
          }

          @Override
          public void asked(DeclaredSurface surface, float[] context, float[] history) {}
        };
    Retrieval retrieval = new Retrieval(Shop.SURFACES, catalogue, none, popularity, clock);
    Proposed proposed =
        retrieval.propose(
            halves, items, ItemFilter.NONE, new float[2], new float[0], "version", 50, 1);
    assertEquals("random", proposed.source());
    assertEquals(3, proposed.rows().length);
  }

  private Proposed propose(ItemFilter filter, int count, long seed) {
    Retrieval retrieval =
        new Retrieval(Shop.SURFACES, catalogue, new RetrievalFixture.One(null), popularity, clock);
    retrieval.refresh();
    return retrieval.propose(shop, items, filter, new float[2], new float[0], null, count, seed);
  }

  private Set<String> ids(Proposed proposed) {
    return Arrays.stream(proposed.rows()).mapToObj(items::id).collect(Collectors.toSet());
  }

  private static Clock at(Duration sinceEpoch) {
    return Clock.fixed(Instant.EPOCH.plus(sinceEpoch), ZoneOffset.UTC);
  }
}
