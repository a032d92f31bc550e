package io.bellwether.evaluation.slate;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.IndependentIps;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.PseudoInverse;
import io.bellwether.evaluation.offpolicy.SelfNormalizedIndependentIps;
import io.bellwether.evaluation.offpolicy.SelfNormalizedSlateIps;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.StandardSlateIps;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** From scores by Plackett and Luce's law to the estimates of the reference. */
class SlateEstimatesTest {
  private static final String CLICK = "click";
  private static final Map<String, Estimator> ESTIMATORS =
      Map.of(
          "sips", new StandardSlateIps(),
          "iips", new IndependentIps(),
          "rips", new Ips(),
          "snsips", new SelfNormalizedSlateIps(),
          "sniips", new SelfNormalizedIndependentIps(),
          "snrips", new Snips(),
          "pseudo_inverse", new PseudoInverse());

  private final JsonNode golden = Golden.json("slate_expected.json");

  @Test
  void fourSlates() {
    JsonNode tiny = golden.get("tiny");
    Slates slates =
        new Slates(
            Golden.matrix(tiny.get("scores_b")),
            Golden.matrix(tiny.get("scores_e")),
            Golden.matrix(tiny.get("slates")),
            Golden.matrix(tiny.get("rewards")));
    double[] weights = slates.slateWeights();
    for (int slate = 0; slate < weights.length; slate++) {
      double expected = tiny.get("pi_weights").get(slate).doubleValue();
      assertEquals(expected, weights[slate], closed(expected));
    }
    assertEstimates(tiny.get("estimators"), slates.log());
  }

  @Test
  void fourHundredSlates() {
    Golden.Table csv = Golden.csv("slate_synthetic.csv");
    Slates slates =
        new Slates(
            columns(csv, "score_b_", 0, 5),
            columns(csv, "score_e_", 0, 5),
            columns(csv, "item_", 1, 3),
            columns(csv, "click_", 1, 3));
    assertEstimates(golden.at("/synthetic/estimators"), slates.log());
  }

  @Test
  void positionsFilledIndependently() {
    JsonNode factored = golden.get("factored_pseudo_inverse");
    double[][] logging = Golden.matrix(factored.get("p_logged_per_slot"));
    double[][] target = Golden.matrix(factored.get("p_target_per_slot"));
    double[] reward = Golden.doubles(factored.get("slate_reward"));
    double value = 0;
    for (int slate = 0; slate < reward.length; slate++) {
      double weight = PseudoInverseWeight.factored(logging[slate], target[slate]);
      assertEquals(factored.get("weights").get(slate).doubleValue(), weight, 1e-12);
      value += weight * reward[slate] / reward.length;
    }
    assertEquals(factored.get("pseudo_inverse_factored").doubleValue(), value, 1e-12);
  }

  @Provide
  Arbitrary<double[]> shares() {
    return Arbitraries.doubles().between(0.1, 1).array(double[].class).ofSize(12);
  }

  @Provide
  Arbitrary<double[]> scores() {
    return Arbitraries.doubles().between(-2, 2).array(double[].class).ofSize(8);
  }

  @Property(tries = 50)
  void independentPositionsNeedNoInverse(@ForAll("shares") double[] numbers) {
    double[][] logging = {normal(numbers, 0), normal(numbers, 3)};
    double[][] target = {normal(numbers, 6), normal(numbers, 9)};
    PseudoInverseWeight weight =
        PseudoInverseWeight.of(product(logging), product(target)).orElseThrow();
    for (int first = 0; first < 3; first++) {
      for (int second = 0; second < 3; second++) {
        double expected =
            PseudoInverseWeight.factored(
                new double[] {logging[0][first], logging[1][second]},
                new double[] {target[0][first], target[1][second]});
        assertEquals(expected, weight.of(new int[] {first, second}), 1e-8 * (1 + expected));
      }
    }
  }

  @Property(tries = 50)
  void onePositionIsTheBanditCase(@ForAll("scores") double[] scores) {
    PlackettLuce logging = new PlackettLuce(Arrays.copyOfRange(scores, 0, 4), 1);
    PlackettLuce target = new PlackettLuce(Arrays.copyOfRange(scores, 4, 8), 1);
    PseudoInverseWeight weight =
        PseudoInverseWeight.of(SlateMoments.of(logging), SlateMoments.of(target)).orElseThrow();
    for (int item = 0; item < 4; item++) {
      int[] slate = {item};
      double ratio = Math.exp(target.logJoint(slate) - logging.logJoint(slate));
      assertEquals(ratio, weight.of(slate), 1e-9 * (1 + ratio));
    }
  }

  @Property(tries = 30)
  void theSamePolicyHasWeightOne(@ForAll("scores") double[] scores) {
    SlateMoments moments = SlateMoments.of(new PlackettLuce(scores, 2));
    PseudoInverseWeight weight = PseudoInverseWeight.of(moments, moments).orElseThrow();
    new PlackettLuce(scores, 2)
        .forEach((slate, probability) -> assertEquals(1, weight.of(slate), 1e-9));
  }

  @Test
  void itemsThatAreNeverLoggedLeaveNoWeight() {
    PlackettLuce logging = new PlackettLuce(new double[] {0, 0, Double.NEGATIVE_INFINITY}, 2);
    PlackettLuce target = new PlackettLuce(new double[] {0, 0, 0}, 2);
    assertEquals(
        Optional.empty(),
        PseudoInverseWeight.of(SlateMoments.of(logging), SlateMoments.of(target)));
    assertTrue(
        PseudoInverseWeight.of(SlateMoments.of(target), SlateMoments.of(logging)).isPresent());
  }

  /** Slates with the scores by which both policies rank; one subject each. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Slates(
      double[][] loggingScores, double[][] targetScores, double[][] items, double[][] rewards) {

    LoggedDecisions log() {
      int positions = items[0].length;
      int rows = items.length * positions;
      int[] decision = new int[rows];
      int[] position = new int[rows];
      long[] unit = new long[rows];
      double[] logging = new double[rows];
      double[] target = new double[rows];
      double[] slot = new double[rows];
      double[] reward = new double[rows];
      double[] loggingPrefix = new double[positions];
      double[] targetPrefix = new double[positions];
      for (int slate = 0; slate < items.length; slate++) {
        PlackettLuce loggingLaw = new PlackettLuce(loggingScores[slate], positions);
        PlackettLuce targetLaw = new PlackettLuce(targetScores[slate], positions);
        loggingLaw.logPrefixes(slate(slate), loggingPrefix);
        targetLaw.logPrefixes(slate(slate), targetPrefix);
        SlotMarginals loggingMarginals = SlotMarginals.of(loggingLaw);
        SlotMarginals targetMarginals = SlotMarginals.of(targetLaw);
        for (int k = 0; k < positions; k++) {
          int row = slate * positions + k;
          int item = slate(slate)[k];
          decision[row] = slate;
          position[row] = k;
          unit[row] = slate;
          logging[row] = Math.exp(loggingPrefix[k] - (k == 0 ? 0 : loggingPrefix[k - 1]));
          target[row] = Math.exp(targetPrefix[k] - (k == 0 ? 0 : targetPrefix[k - 1]));
          slot[row] = targetMarginals.chance(k, item) / loggingMarginals.chance(k, item);
          reward[row] = rewards[slate][k];
        }
      }
      return LoggedDecisions.builder()
          .decisions(decision, position, unit)
          .logging(logging)
          .target(target)
          .slotWeight(slot)
          .slateWeight(slateWeights())
          .signal(CLICK, LoggedDecisions.Signal.withoutModel(reward))
          .build();
    }

    double[] slateWeights() {
      double[] weights = new double[items.length];
      for (int slate = 0; slate < weights.length; slate++) {
        PlackettLuce logging = new PlackettLuce(loggingScores[slate], items[slate].length);
        PlackettLuce target = new PlackettLuce(targetScores[slate], items[slate].length);
        weights[slate] =
            PseudoInverseWeight.of(SlateMoments.of(logging), SlateMoments.of(target))
                .orElseThrow()
                .of(slate(slate));
      }
      return weights;
    }

    private int[] slate(int slate) {
      return Arrays.stream(items[slate]).mapToInt(item -> (int) item).toArray();
    }
  }

  private static void assertEstimates(JsonNode expected, LoggedDecisions log) {
    ESTIMATORS.forEach(
        (name, estimator) -> {
          double value = expected.get(name).get("value").doubleValue();
          Estimate found =
              Influence.of(estimator, log.underTarget(CLICK, log.targetWeights()))
                  .orElseThrow()
                  .estimate(log.units());
          assertEquals(value, found.point().orElseThrow(), closed(value), name);
          if (expected.get(name).has("se")) {
            double error = expected.get(name).get("se").doubleValue();
            assertEquals(error, found.error().orElseThrow(), closed(error), name);
          }
        });
  }

  private static SlateMoments product(double[][] chances) {
    SlateMoments moments = new SlateMoments(3, 2);
    for (int first = 0; first < 3; first++) {
      for (int second = 0; second < 3; second++) {
        moments.add(new int[] {first, second}, chances[0][first] * chances[1][second]);
      }
    }
    return moments;
  }

  private static double[] normal(double[] numbers, int from) {
    double[] three = Arrays.copyOfRange(numbers, from, from + 3);
    double total = Arrays.stream(three).sum();
    return Arrays.stream(three).map(each -> each / total).toArray();
  }

  private static double[][] columns(Golden.Table csv, String prefix, int from, int width) {
    double[][] rows = new double[csv.column(prefix + from).length][width];
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < width; column++) {
        rows[row][column] = csv.column(prefix + (from + column))[row];
      }
    }
    return rows;
  }
}
