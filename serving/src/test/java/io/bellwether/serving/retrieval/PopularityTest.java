package io.bellwether.serving.retrieval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class PopularityTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();

  private final Popularity popularity =
      new Popularity(Shop.SURFACES, Clock.fixed(Instant.ofEpochMilli(100 * HOUR), ZoneOffset.UTC));

  @Test
  void anOutcomeCountsHalfAfterEachHalfLife() {
    popularity.observe("look", "x", 1, 98 * HOUR);
    assertEquals(0.25, popularity.scores(Shop.surface()).of("x"), 1e-12);
  }

  @Test
  void theOrderOfArrivalDoesNotMatter() {
    popularity.observe("look", "x", 1, 99 * HOUR);
    popularity.observe("look", "x", 1, 97 * HOUR);
    popularity.observe("look", "y", 1, 97 * HOUR);
    popularity.observe("look", "y", 1, 99 * HOUR);
    Popularity.Scores scores = popularity.scores(Shop.surface());
    assertEquals(0.625, scores.of("x"), 1e-12);
    assertEquals(0.625, scores.of("y"), 1e-12);
  }

  @Test
  void otherSignalsAndUnknownItemsCountNothing() {
    popularity.observe("buy", "x", 1, 100 * HOUR);
    assertEquals(0, popularity.scores(Shop.surface()).of("x"));
    assertFalse(popularity.scores(Shop.surface()).any());
  }

  @Test
  void ranksTheMostPopularFirstAndNoneBelowZero() {
    popularity.observe("look", "old", 3, 90 * HOUR);
    popularity.observe("look", "new", 1, 100 * HOUR);
    popularity.observe("look", "zero", 0, 100 * HOUR);
    popularity.observe("look", "hated", -1, 100 * HOUR);
    popularity.rank();
    assertEquals(List.of("new", "old"), popularity.ranked(Shop.surface()));
    assertTrue(popularity.scores(Shop.surface()).any());
  }

  @Test
  void outcomesMatterForTenHalfLives() {
    assertEquals(Duration.ofHours(10), popularity.memory());
  }
}
