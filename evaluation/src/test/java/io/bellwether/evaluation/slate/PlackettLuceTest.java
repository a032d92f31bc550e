package io.bellwether.evaluation.slate;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Chances of slates, prefixes and places. */
class PlackettLuceTest {
  private static final double NEVER = Double.NEGATIVE_INFINITY;

  @Test
  void allSlatesOfTheReference() {
    JsonNode golden = Golden.json("slate_expected.json").get("plackett_luce_example");
    PlackettLuce law =
        new PlackettLuce(Golden.doubles(golden.get("scores")), golden.get("K").intValue());
    assertEquals(golden.get("slates").size(), law.slates());
    for (JsonNode each : golden.get("slates")) {
      int[] slate =
          Arrays.stream(Golden.doubles(each.get("slate"))).mapToInt(item -> (int) item).toArray();
      double probability = each.get("prob").doubleValue();
      assertEquals(probability, Math.exp(law.logJoint(slate)), closed(probability));
      double[] prefixes = new double[2];
      law.logPrefixes(slate, prefixes);
      for (int position = 0; position < 2; position++) {
        double expected = each.get("prefix").get(position).doubleValue();
        assertEquals(expected, Math.exp(prefixes[position]), closed(expected));
      }
    }
    double[][] marginals = Golden.matrix(golden.get("position_marginals"));
    SlotMarginals found = SlotMarginals.of(law, 1);
    assertTrue(found.isExact());
    for (int position = 0; position < 2; position++) {
      for (int item = 0; item < 3; item++) {
        double expected = marginals[position][item];
        assertEquals(expected, found.chance(position, item), closed(expected));
        assertEquals(0, found.standardError(position, item), 0);
      }
    }
  }

  @Provide
  Arbitrary<double[]> scores() {
    return Arbitraries.doubles().between(-5, 5).array(double[].class).ofMinSize(1).ofMaxSize(6);
  }

  @Provide
  Arbitrary<double[]> fiveScores() {
    return Arbitraries.doubles().between(-5, 5).array(double[].class).ofSize(5);
  }

  @Property(tries = 100)
  void placesAreTheSumsOfTheSlatesThatFillThem(
      @ForAll("scores") double[] scores, @ForAll @IntRange(min = 1, max = 6) int wanted) {
    int positions = Math.min(wanted, scores.length);
    PlackettLuce law = new PlackettLuce(scores, positions);
    double[][] sums = new double[positions][scores.length];
    double[] total = {0};
    law.forEach(
        (slate, probability) -> {
          assertEquals(law.logJoint(slate), Math.log(probability), 1e-9);
          total[0] += probability;
          for (int position = 0; position < positions; position++) {
            sums[position][slate[position]] += probability;
          }
        });
    assertEquals(1, total[0], 1e-12);
    SlotMarginals marginals = SlotMarginals.of(law, 1);
    for (int position = 0; position < positions; position++) {
      for (int item = 0; item < scores.length; item++) {
        assertEquals(sums[position][item], marginals.chance(position, item), 1e-12);
      }
    }
  }

  @Property(tries = 100)
  void otherNumbersForTheSameItemsGiveTheSameChances(@ForAll("fiveScores") double[] scores) {
    double[] reversed = new double[5];
    Arrays.setAll(reversed, item -> scores[4 - item] + 3);
    double there = new PlackettLuce(scores, 3).logJoint(new int[] {4, 0, 2});
    double back = new PlackettLuce(reversed, 3).logJoint(new int[] {0, 4, 2});
    assertEquals(there, back, 1e-12);
  }

  @Test
  void scoresOfAnySizeKeepTheirChances() {
    PlackettLuce law = new PlackettLuce(new double[] {2000, 0, -1, -2000}, 3);
    double second = Math.log(1 / (1 + Math.exp(-1)));
    assertEquals(second, law.logJoint(new int[] {0, 1, 2}), 1e-12);
    SlotMarginals marginals = SlotMarginals.of(law, 1);
    assertEquals(Math.exp(second), marginals.chance(1, 1), 1e-12);
    assertEquals(1, marginals.chance(2, 1) + marginals.chance(2, 2), 1e-12);
  }

  @Test
  void anItemThatIsNeverShownHasNoChanceAnywhere() {
    PlackettLuce law = new PlackettLuce(new double[] {0, NEVER, 0}, 2);
    assertEquals(NEVER, law.logJoint(new int[] {0, 1}), 0);
    assertEquals(Math.log(0.5), law.logJoint(new int[] {0, 2}), 1e-12);
    assertEquals(0, SlotMarginals.of(law, 1).chance(1, 1), 0);
    assertEquals(
        law.logJoint(new int[] {0, 2}),
        PlackettLuce.ofWeights(new double[] {3, 0, 3}, 2).logJoint(new int[] {0, 2}),
        1e-12);
  }

  @Test
  void aSlateThatRepeatsAnItemIsNeverShown() {
    assertEquals(NEVER, new PlackettLuce(new double[] {0, 1, 2}, 2).logJoint(new int[] {1, 1}), 0);
  }

  @Test
  void tooFewItemsForThePositionsAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new PlackettLuce(new double[] {0, NEVER}, 2));
    assertThrows(
        IllegalArgumentException.class, () -> new PlackettLuce(new double[] {0, Double.NaN}, 1));
  }

  @Test
  void drawnPlacesAgreeWithCountedOnesWithinTheirError() {
    PlackettLuce law = new PlackettLuce(new double[] {2, 1, 0, -1, 0.5, 1.5}, 4);
    SlotMarginals counted = SlotMarginals.counted(law);
    SlotMarginals drawn = SlotMarginals.drawn(law, 20_000, 7);
    assertFalse(drawn.isExact());
    for (int position = 0; position < 4; position++) {
      for (int item = 0; item < 6; item++) {
        double error = drawn.standardError(position, item);
        assertEquals(
            counted.chance(position, item), drawn.chance(position, item), 4 * error + 1e-12);
        assertTrue(error < 5e-3);
      }
    }
  }

  @Test
  void oneSeedGivesOneAnswer() {
    PlackettLuce law = new PlackettLuce(new double[] {2, 1, 0, -1}, 3);
    SlotMarginals once = SlotMarginals.drawn(law, 500, 3);
    SlotMarginals again = SlotMarginals.drawn(law, 500, 3);
    SlotMarginals other = SlotMarginals.drawn(law, 500, 4);
    assertEquals(once.chance(2, 1), again.chance(2, 1), 0);
    assertFalse(once.chance(2, 1) == other.chance(2, 1));
  }

  @Test
  void hundredsOfItemsForThreePlacesAreStillCounted() {
    double[] scores = new double[200];
    Arrays.setAll(scores, item -> Math.sin(item));
    SlotMarginals marginals = SlotMarginals.of(new PlackettLuce(scores, 3), 1);
    assertTrue(marginals.isExact());
    for (int position = 0; position < 3; position++) {
      double total = 0;
      for (int item = 0; item < scores.length; item++) {
        total += marginals.chance(position, item);
      }
      assertEquals(1, total, 1e-10);
    }
  }
}
