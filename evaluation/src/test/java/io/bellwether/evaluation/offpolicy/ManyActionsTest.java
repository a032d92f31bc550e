package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Weights of clusters and embeddings against the reference. */
class ManyActionsTest {
  private final JsonNode golden = Golden.json("ope_tiny.json");
  private final JsonNode mips = golden.get("mips");
  private final BanditLog log = BanditLog.tiny();

  @Test
  void clustersOfItems() {
    double[] weights = clusterWeights();
    for (int row = 0; row < weights.length; row++) {
      assertClose(mips.at("/weights_deterministic_cluster/" + row), weights[row]);
    }
    LoggedDecisions columns = log.columns().clusterWeight(weights).build();
    assertClose(mips.at("/mips_deterministic_cluster/value"), value(new Mips(), columns));
    assertClose(
        mips.at("/snmips_deterministic_cluster/value"), value(new SelfNormalizedMips(), columns));
  }

  @Test
  void embeddingsDrawnAnewForEachItem() {
    double[] weights =
        weights(
            EmbeddingRatio.ofChances(
                Golden.matrix(golden.at("/embeddings/stochastic/p_e_given_a"))),
            golden.at("/embeddings/stochastic/observed"));
    for (int row = 0; row < weights.length; row++) {
      assertClose(mips.at("/weights_stochastic/" + row), weights[row]);
    }
    LoggedDecisions columns = log.columns().clusterWeight(weights).build();
    assertClose(mips.at("/mips_stochastic/value"), value(new Mips(), columns));
    assertClose(mips.at("/snmips_stochastic/value"), value(new SelfNormalizedMips(), columns));
  }

  @Test
  void clustersForWhatDiffersBetweenThemAndTheModelForTheRest() {
    LoggedDecisions columns = log.columns().clusterWeight(clusterWeights()).build();
    Estimate found = influence(new OffCem(), columns).estimate(columns.units());
    assertClose(mips.at("/offcem/value"), found.point().orElseThrow());
    assertClose(mips.at("/offcem/se"), found.error().orElseThrow());
  }

  @Test
  void clustersOfOneItemGiveDoublyRobustAndOneClusterOfAllWeightOne() {
    double[] ofItems = weights(EmbeddingRatio.ofClusters(new int[] {0, 1, 2}), log.action());
    double[] ofAll = weights(EmbeddingRatio.ofClusters(new int[3]), new int[8]);
    LoggedDecisions items = log.columns().clusterWeight(ofItems).build();
    assertEquals(value(new DoublyRobust(), items), value(new OffCem(), items), 1e-12);
    assertEquals(value(new Ips(), items), value(new Mips(), items), 1e-12);
    for (double weight : ofAll) {
      assertEquals(1, weight, 1e-12);
    }
  }

  @Test
  void dimensionsMultiply() {
    EmbeddingRatio clusters = EmbeddingRatio.ofClusters(new int[] {0, 0, 1});
    EmbeddingRatio levels =
        EmbeddingRatio.ofChances(new double[][] {{0.9, 0.1}, {0.6, 0.4}, {0.2, 0.8}});
    double[] target = {0.2, 0.3, 0.5};
    double[] logging = {0.5, 0.3, 0.2};
    assertEquals(
        clusters.of(target, logging, 1).orElseThrow() * levels.of(target, logging, 0).orElseThrow(),
        clusters.and(levels).of(target, logging, 1, 0).orElseThrow(),
        1e-15);
  }

  @Test
  void aLevelThatOnlyTheTargetPolicyShowsHasNoRatio() {
    EmbeddingRatio clusters = EmbeddingRatio.ofClusters(new int[] {0, 0, 1});
    double[] logging = {0.5, 0.5, 0};
    assertEquals(OptionalDouble.empty(), clusters.of(new double[] {0.5, 0, 0.5}, logging, 1));
    assertEquals(OptionalDouble.of(0), clusters.of(new double[] {1, 0, 0}, logging, 1));
  }

  @Test
  void aClassifierThatKnowsTheItemsGivesTheSameRatio() {
    double[][] chances = {{0.9, 0.1}, {0.6, 0.4}, {0.2, 0.8}};
    double[] target = {0.1, 0.3, 0.6};
    double[] logging = {0.5, 0.3, 0.2};
    double[] posterior = new double[3];
    double total = 0.9 * 0.5 + 0.6 * 0.3 + 0.2 * 0.2;
    for (int item = 0; item < 3; item++) {
      posterior[item] = chances[item][0] * logging[item] / total;
    }
    assertEquals(
        EmbeddingRatio.ofChances(chances).of(target, logging, 0).orElseThrow(),
        EmbeddingRatio.ofPosterior(target, logging, posterior).orElseThrow(),
        1e-12);
    assertTrue(EmbeddingRatio.ofPosterior(target, new double[] {0.7, 0.3, 0}, posterior).isEmpty());
  }

  private double[] clusterWeights() {
    JsonNode clusters = golden.at("/embeddings/deterministic_cluster");
    return weights(
        EmbeddingRatio.ofClusters(ints(clusters.get("cluster_of_action"))),
        clusters.get("observed"));
  }

  private double[] weights(EmbeddingRatio ratio, JsonNode observed) {
    return weights(ratio, ints(observed));
  }

  private double[] weights(EmbeddingRatio ratio, int[] observed) {
    return log.column(
        row -> ratio.of(log.target()[row], log.logging()[row], observed[row]).orElseThrow());
  }

  private static int[] ints(JsonNode array) {
    double[] values = Golden.doubles(array);
    int[] ints = new int[values.length];
    for (int at = 0; at < ints.length; at++) {
      ints[at] = (int) values[at];
    }
    return ints;
  }

  private static double value(Estimator estimator, LoggedDecisions columns) {
    return influence(estimator, columns).value();
  }

  private static Influence influence(Estimator estimator, LoggedDecisions columns) {
    return Influence.of(estimator, columns.underTarget(BanditLog.REWARD, columns.targetWeights()))
        .orElseThrow();
  }

  private static void assertClose(JsonNode expected, double found) {
    assertEquals(expected.doubleValue(), found, closed(expected.doubleValue()));
  }
}
