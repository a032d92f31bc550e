package io.bellwether.evaluation.slate;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
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
    SlotMarginals found = SlotMarginals.of(law);
    for (int position = 0; position < 2; position++) {
      for (int item = 0; item < 3; item++) {
        double expected = marginals[position][item];
        assertEquals(expected, found.chance(position, item), closed(expected));
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
    SlotMarginals marginals = SlotMarginals.of(law);
    for (int position = 0; position < positions; position++) {
      for (int item = 0; item < scores.length; item++) {
        double expected = sums[position][item];
        assertEquals(expected, marginals.chance(position, item), 1e-12 * expected);
      }
    }
    int[] slate = IntStream.range(0, positions).map(at -> positions - 1 - at).toArray();
    double[] own = SlotMarginals.ofSlate(law, slate);
    for (int position = 0; position < positions; position++) {
      assertEquals(marginals.chance(position, slate[position]), own[position], 0);
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
    SlotMarginals marginals = SlotMarginals.of(law);
    assertEquals(Math.exp(second), marginals.chance(1, 1), 1e-12);
    assertEquals(1, marginals.chance(2, 1) + marginals.chance(2, 2), 1e-12);
  }

  @Test
  void scoresThatAreFarApartDecideTheOrder() {
    double[] scores = new double[40];
    Arrays.setAll(scores, item -> -100 * item);
    SlotMarginals marginals = SlotMarginals.of(new PlackettLuce(scores, 30));
    for (int position = 0; position < 30; position++) {
      for (int item = 0; item < 40; item++) {
        assertEquals(position == item ? 1 : 0, marginals.chance(position, item), 1e-12);
      }
    }
  }

  @Test
  void anItemThatIsNeverShownHasNoChanceAnywhere() {
    PlackettLuce law = new PlackettLuce(new double[] {0, NEVER, 0}, 2);
    assertEquals(NEVER, law.logJoint(new int[] {0, 1}), 0);
    assertEquals(Math.log(0.5), law.logJoint(new int[] {0, 2}), 1e-12);
    assertEquals(0, SlotMarginals.of(law).chance(1, 1), 0);
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

  /** Draws by arrival, as the server makes them. */
  @Test
  void drawnSlatesAgreeWithinTheirError() {
    double[] scores = {2, 1, 0, -1, 0.5, 1.5, 3, -2};
    int draws = 200_000;
    int[][] counts = new int[5][8];
    Random random = new Random(7);
    for (int draw = 0; draw < draws; draw++) {
      double[] arrival = new double[8];
      Integer[] order = {0, 1, 2, 3, 4, 5, 6, 7};
      for (int item = 0; item < 8; item++) {
        arrival[item] = -Math.log(1 - random.nextDouble()) / Math.exp(scores[item]);
      }
      Arrays.sort(order, Comparator.comparingDouble(item -> arrival[item]));
      for (int position = 0; position < 5; position++) {
        counts[position][order[position]]++;
      }
    }
    SlotMarginals marginals = SlotMarginals.of(new PlackettLuce(scores, 5));
    for (int position = 0; position < 5; position++) {
      for (int item = 0; item < 8; item++) {
        double chance = marginals.chance(position, item);
        double error = Math.sqrt(chance * (1 - chance) / draws);
        assertEquals(chance, counts[position][item] / (double) draws, 4.5 * error);
      }
    }
  }

  @Property(tries = 30)
  void everyPlaceIsFilledAndNoItemStandsTwice(
      @ForAll @IntRange(min = 1, max = 12) int positions,
      @ForAll @IntRange(min = 12, max = 300) int items,
      @ForAll @DoubleRange(min = 0, max = 30) double spread) {
    double[] scores = new double[items];
    Arrays.setAll(scores, item -> spread * Math.sin(item));
    SlotMarginals marginals = SlotMarginals.of(new PlackettLuce(scores, positions));
    double[] ofItem = new double[items];
    for (int position = 0; position < positions; position++) {
      double total = 0;
      for (int item = 0; item < items; item++) {
        total += marginals.chance(position, item);
        ofItem[item] += marginals.chance(position, item);
      }
      assertEquals(1, total, 1e-11);
    }
    for (double shown : ofItem) {
      assertTrue(shown <= 1 + 1e-11);
    }
  }

  @Test
  void smallChancesKeepTheirDigits() {
    double[] scores = new double[500];
    scores[0] = -20;
    SlotMarginals marginals = SlotMarginals.of(new PlackettLuce(scores, 3));
    double tiny = Math.exp(-20);
    double first = tiny / (tiny + 499);
    double second = (1 - first) * tiny / (tiny + 498);
    assertEquals(first, marginals.chance(0, 0), first * 1e-11);
    assertEquals(second, marginals.chance(1, 0), second * 1e-11);
  }
}
