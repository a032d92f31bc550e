package io.bellwether.evaluation.distribution;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DoublyRobustCdfTest {
  private static final CdfModel NO_MODEL = CdfModel.ofFlags(decision -> 1, decision -> 1);

  /** P(reward ≤ 0) of a flag is 1 − its doubly robust mean, with the same error. */
  @Test
  void ofAFlagItIsTheDoublyRobustMean() {
    BanditLog log = BanditLog.synthetic();
    JsonNode golden = Golden.json("ope_synthetic_expected.json").get("estimators").get("dr");
    DoublyRobustCdf cdf =
        DoublyRobustCdf.of(
                WeightedValues.of(log.column(log::weight), log.reward()),
                CdfModel.ofFlags(log::prediction, log::direct),
                -1,
                0,
                1)
            .orElseThrow();
    CdfPoint zero = cdf.points().get(1);
    double value = golden.get("value").doubleValue();
    double error = golden.get("se").doubleValue();
    assertEquals(1 - value, zero.probability(), closed(value));
    assertEquals(error, zero.standardError(), closed(error));
    assertEquals(new CdfPoint(-1, 0, 0), cdf.points().get(0));
    assertEquals(new CdfPoint(1, 1, 0), cdf.points().get(2));
    assertEquals(value > 0.5 ? 1 : 0, cdf.quantile(0.5).orElseThrow().value());
  }

  /** With a model that says 0 it is the plain weighted share, cut at 1. */
  @Test
  void withoutAModelItIsTheWeightedShare() {
    JsonNode golden = Golden.json("episode_expected.json").get("distribution").get("scope_rl_cdf");
    double[] edges = Golden.doubles(golden.get("reward_grid_right_edges"));
    double[] expected = Golden.doubles(golden.get("cdf_tis"));
    CdfModel nothing =
        new CdfModel() {
          @Override
          public double shown(int decision, double value) {
            return 0;
          }

          @Override
          public double expected(int decision, double value) {
            return 0;
          }
        };
    List<CdfPoint> points =
        DoublyRobustCdf.of(EpisodeReturns.read(), nothing, edges).orElseThrow().points();
    for (int edge = 0; edge < edges.length; edge++) {
      assertEquals(expected[edge], points.get(edge).probability(), 1e-9);
    }
  }

  @Test
  void aWrongModelDoesNotBiasItAndARightOneSteadiesIt() {
    Random random = new Random(12);
    int n = 40_000;
    double[] weight = new double[n];
    double[] value = new double[n];
    boolean[] liked = new boolean[n];
    for (int row = 0; row < n; row++) {
      liked[row] = random.nextBoolean();
      weight[row] = liked[row] ? 1.8 : 0.2;
      value[row] = random.nextDouble() * (liked[row] ? 1 : 0.5);
    }
    // P(value ≤ 0.4) is 0.4 of what is liked and 0.8 of the rest
    double truth = 0.9 * 0.4 + 0.1 * 0.8;
    CdfModel right =
        new CdfModel() {
          @Override
          public double shown(int decision, double amount) {
            return liked[decision] ? amount : 2 * amount;
          }

          @Override
          public double expected(int decision, double amount) {
            return 0.9 * amount + 0.1 * 2 * amount;
          }
        };
    WeightedValues values = WeightedValues.of(weight, value);
    CdfPoint wrong = DoublyRobustCdf.of(values, NO_MODEL, 0.4).orElseThrow().points().get(0);
    CdfPoint robust = DoublyRobustCdf.of(values, right, 0.4).orElseThrow().points().get(0);
    assertEquals(truth, wrong.probability(), 4 * wrong.standardError());
    assertEquals(truth, robust.probability(), 4 * robust.standardError());
    assertTrue(robust.standardError() < wrong.standardError());
  }

  @Test
  void whatFallsIsPutInOrderAndWhatIsOutsideIsCut() {
    CdfModel odd =
        new CdfModel() {
          @Override
          public double shown(int decision, double amount) {
            return 0;
          }

          @Override
          public double expected(int decision, double amount) {
            return amount == 1 ? 0.7 : -0.2;
          }
        };
    WeightedValues none = WeightedValues.of(new double[3], new double[3]);
    List<CdfPoint> points = DoublyRobustCdf.of(none, odd, 1, 2, 3).orElseThrow().points();
    assertEquals(0, points.get(0).probability());
    assertEquals(0, points.get(1).probability());
    assertEquals(0.7, points.get(2).probability(), 1e-12);
  }

  @Test
  void belowTwoUnitsThereIsNone() {
    assertTrue(
        DoublyRobustCdf.of(WeightedValues.of(new double[1], new double[1]), NO_MODEL, 0).isEmpty());
    assertTrue(
        DoublyRobustCdf.of(WeightedValues.of(new double[0], new double[0]), NO_MODEL, 0).isEmpty());
  }
}
