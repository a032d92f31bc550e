package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TeamDraftTest {

  @Test
  void publishedDraftsAgree() {
    for (JsonNode row : Golden.json("misc_expected.json").get("team_draft")) {
      int[] coins =
          StreamSupport.stream(row.get("coins").spliterator(), false)
              .mapToInt(JsonNode::intValue)
              .toArray();
      long bits = 0;
      for (int coin = 0; coin < coins.length; coin++) {
        bits |= (long) coins[coin] << coin;
      }
      TeamDraft draft =
          new TeamDraft(items(row.get("A")), items(row.get("B")), row.get("length").intValue());
      TeamDraft.Draft found = draft.draft(bits);
      assertArrayEquals(items(row.get("list")), found.items());
      assertArrayEquals(items(row.get("team")), found.teams());
      assertEquals(coins.length, found.coins());
    }
  }

  @Property(tries = 400)
  void propensitiesAreWhatAllCoinsTogetherSay(
      @ForAll("rankings") List<Integer> first,
      @ForAll("rankings") List<Integer> second,
      @ForAll @IntRange(min = 0, max = 8) int length) {
    TeamDraft draft = new TeamDraft(array(first), array(second), length);
    int coins = (length + 1) / 2;
    Map<List<Integer>, Integer> ways = new HashMap<>();
    for (long bits = 0; bits < 1L << coins; bits++) {
      List<Integer> slate = Arrays.stream(draft.draft(bits).items()).boxed().toList();
      for (int end = 0; end <= slate.size(); end++) {
        ways.merge(slate.subList(0, end), 1, Integer::sum);
      }
    }
    double all = 1L << coins;
    for (long bits = 0; bits < 1L << coins; bits++) {
      TeamDraft.Draft found = draft.draft(bits);
      List<Integer> slate = Arrays.stream(found.items()).boxed().toList();
      double product = 1;
      for (int slot = 0; slot < slate.size(); slot++) {
        product *= found.propensities()[slot];
        assertEquals(ways.getOrDefault(slate.subList(0, slot + 1), 0) / all, product, 1e-12);
      }
      assertTrue(found.coins() <= coins);
    }
  }

  @Property
  void aSlateHasNoItemTwiceAndTeamsOfEqualSize(
      @ForAll("rankings") List<Integer> first, @ForAll long coins) {
    int[] turned = array(first);
    for (int place = 0; place < turned.length; place++) {
      turned[place] = first.get(first.size() - 1 - place);
    }
    TeamDraft.Draft found = new TeamDraft(array(first), turned, first.size()).draft(coins);
    assertEquals(first.size(), Arrays.stream(found.items()).distinct().count());
    int ofSecond = Arrays.stream(found.teams()).sum();
    assertTrue(Math.abs(first.size() - 2 * ofSecond) <= 1);
  }

  @Test
  void equalRankingsLeaveNothingToChance() {
    TeamDraft draft = new TeamDraft(new int[] {2, 0, 1}, new int[] {2, 0, 1}, 3);
    for (long coins = 0; coins < 4; coins++) {
      assertArrayEquals(new int[] {2, 0, 1}, draft.draft(coins).items());
      assertArrayEquals(new double[] {1, 1, 1}, draft.draft(coins).propensities());
    }
  }

  @Test
  void whatNoCoinsShowHasNoPropensity() {
    TeamDraft draft = new TeamDraft(new int[] {0, 1, 2}, new int[] {1, 0, 2}, 3);
    assertArrayEquals(new double[] {0.5, 1, 1}, draft.propensities(new int[] {1, 0, 2}));
    assertArrayEquals(new double[] {0.5, 0, 0}, draft.propensities(new int[] {0, 2, 1}));
  }

  @Test
  void theOtherTeamGoesOnWhereOneRankingEnds() {
    TeamDraft draft = new TeamDraft(new int[] {0}, new int[] {1, 2, 3}, 5);
    TeamDraft.Draft found = draft.draft(0);
    assertArrayEquals(new int[] {0, 1, 2, 3}, found.items());
    assertArrayEquals(new int[] {0, 1, 1, 1}, found.teams());
    assertEquals(0, new TeamDraft(new int[0], new int[0], 3).draft(7).items().length);
  }

  @Test
  void longSlatesKeepTheirPropensities() {
    int[] first = new int[TeamDraft.MAX_LENGTH];
    int[] second = new int[TeamDraft.MAX_LENGTH];
    Arrays.setAll(first, place -> place);
    Arrays.setAll(second, place -> first.length - 1 - place);
    TeamDraft.Draft found = new TeamDraft(first, second, first.length).draft(0x5deece66d5deece6L);
    assertEquals(64, found.coins());
    for (double propensity : found.propensities()) {
      assertTrue(propensity == 0.5 || propensity == 1, "found " + propensity);
    }
  }

  @Test
  void rankingsThatAreNoneAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new TeamDraft(new int[] {1, 1}, new int[] {0}, 2));
    assertThrows(
        IllegalArgumentException.class, () -> new TeamDraft(new int[] {-1}, new int[] {0}, 2));
    assertThrows(
        IllegalArgumentException.class, () -> new TeamDraft(new int[] {1}, new int[] {0}, 129));
  }

  @Provide
  Arbitrary<List<Integer>> rankings() {
    return Arbitraries.integers().between(0, 7).list().uniqueElements().ofMaxSize(8);
  }

  private static int[] array(List<Integer> ranking) {
    return ranking.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Letters from a, or A, as numbers from 0. */
  private static int[] items(JsonNode letters) {
    return StreamSupport.stream(letters.spliterator(), false)
        .mapToInt(letter -> Character.toLowerCase(letter.textValue().charAt(0)) - 'a')
        .toArray();
  }
}
