package io.bellwether.serving.fallback;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface.Fallback;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.policy.Versions;
import io.bellwether.serving.retrieval.PopularityFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FallbackChainTest {

  private static final List<String> CANDIDATES = List.of("a", "b", "c");
  private static final Map<String, Double> LIKED = Map.of("b", 60.0);

  @Test
  void popularityDrawsAsTheSurfaceExplores() {
    StandIn found = find("champion, popularity, as-given", LIKED);
    assertEquals(Fallback.POPULARITY, found.fallback());
    assertEquals("popularity", found.policy());
    assertTrue(found.randomises());
    assertTrue(found.logits()[1] > found.logits()[0]);
    assertEquals(found.logits()[0], found.logits()[2]);
    assertEquals(Versions.declared(surface("popularity")), found.exploration());
  }

  @Test
  void popularityThatKnowsNoneOfTheCandidatesPassesOn() {
    assertEquals(Fallback.AS_GIVEN, find("popularity, as-given", Map.of()).fallback());
    assertEquals(Fallback.UNIFORM, find("popularity, uniform", Map.of("z", 1.0)).fallback());
  }

  @Test
  void theGivenOrderIsCertain() {
    StandIn found = find("as-given, popularity", LIKED);
    assertEquals(Fallback.AS_GIVEN, found.fallback());
    assertEquals("as-given", found.policy());
    assertFalse(found.randomises());
  }

  @Test
  void aChainThatEndsLeavesChance() {
    StandIn found = find("champion", LIKED);
    assertEquals(Fallback.UNIFORM, found.fallback());
    assertEquals("uniform", found.policy());
    assertTrue(found.randomises());
    assertArrayEquals(new float[3], found.logits());
  }

  @Test
  void theChampionIsAskedInItsTurn() {
    assertTrue(championFirst("champion, popularity", LIKED));
    assertFalse(championFirst("popularity, champion", LIKED));
    assertTrue(championFirst("popularity, champion", Map.of()));
    assertFalse(championFirst("as-given, champion", LIKED));
    assertFalse(championFirst("popularity", Map.of()));
  }

  private static StandIn find(String chain, Map<String, Double> popularity) {
    DeclaredSurface surface = surface(chain);
    return chain(surface, popularity).standIn(surface, CANDIDATES);
  }

  private static boolean championFirst(String chain, Map<String, Double> popularity) {
    DeclaredSurface surface = surface(chain);
    return chain(surface, popularity).championFirst(surface, CANDIDATES);
  }

  private static FallbackChain chain(DeclaredSurface surface, Map<String, Double> popularity) {
    return new FallbackChain(
        PopularityFixture.of(
            new Surfaces(List.of(surface.surface())),
            "watch_seconds",
            popularity,
            Clock.systemUTC()));
  }

  private static DeclaredSurface surface(String chain) {
    String text =
        Fixtures.FEED.lines().filter(line -> !line.startsWith("fallback")).toList().stream()
                .reduce("", (all, line) -> all + line + "\n")
            + "fallback: ["
            + chain
            + "]\n";
    try {
      return DeclaredSurface.of(
          new SurfaceReader().parse("feed.yaml", text.getBytes(StandardCharsets.UTF_8)));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
  }
}
