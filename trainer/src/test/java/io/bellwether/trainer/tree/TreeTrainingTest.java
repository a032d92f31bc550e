package io.bellwether.trainer.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** People whose liking of an item is the product of two vectors, among a thousand items. */
class TreeTrainingTest {

  private static final int WIDTH = 5;
  private static final int ITEMS = 1000;
  private static final int ROWS = 4000;

  /** How sharply the policy that wrote the log prefers what is liked. */
  private static final double SHARPNESS = 3;

  private final NetworkSchema schema = schema();
  private final float[] vectors = normal(1, 0, ITEMS * WIDTH);
  private final ItemTree tree = PrincipalSplit.build(vectors, WIDTH, 10, 3);

  @Test
  void aCloneOfAFlatSoftmaxIsWorthAboutAsMuch() {
    TrainedTree trained = train(log(), TreePlan.DEFAULT.withSteps(350).withOwnEmbeddings(111));
    double flat = 0;
    double found = 0;
    double nearest = 0;
    int states = 200;
    try (TreeScorer scorer = TreeScorer.open(trained, schema)) {
      for (int state = 0; state < states; state++) {
        float[] context = normal(2, ROWS + state, WIDTH);
        double[] chances =
            new TreePolicy(tree).chances(scorer.in(context, new float[0]), OpenItems.all(tree));
        double[] likings = likings(context);
        double[] softmax = softmax(likings);
        assertEquals(1, Arrays.stream(chances).sum(), 1e-9);
        for (int item = 0; item < ITEMS; item++) {
          flat += softmax[item] * worth(likings[item]) / states;
          found += chances[item] * worth(likings[item]) / states;
        }
        TreePolicy.Found beam =
            new TreePolicy(tree)
                .search(scorer.in(context, new float[0]), OpenItems.all(tree), 7, 70);
        double best = Arrays.stream(likings).max().orElseThrow();
        double met = Arrays.stream(beam.items()).mapToDouble(i -> likings[i]).max().orElseThrow();
        nearest += worth(met) / worth(best) / states;
        assertEquals(10 + 70 + 70, beam.evaluations());
      }
    }
    double atLeast = 0.97 * flat;
    double value = found;
    assertTrue(value >= atLeast, () -> value + " of " + atLeast);
    double ofBest = nearest;
    assertTrue(ofBest > 0.97, () -> "the best that is found has " + ofBest + " of the best");
  }

  @Test
  void rowsOfLargerWeightAreFollowedAndTheSameSeedGivesTheSameTree() {
    TreeLog log = log();
    int liked = log.items()[0];
    float[] weights = new float[log.rows()];
    for (int row = 0; row < log.rows(); row++) {
      weights[row] = log.items()[row] == liked ? 5 : 0;
    }
    TreeLog weighted = new TreeLog(log.context(), log.history(), log.items(), weights);
    // Rows of weight 0 are drawn as well, so that few of a batch count.
    TrainedTree trained = train(weighted, TreePlan.DEFAULT.withSteps(25));
    assertArrayEquals(
        trained.embeddings(), train(weighted, TreePlan.DEFAULT.withSteps(25)).embeddings());
    try (TreeScorer scorer = TreeScorer.open(trained, schema)) {
      NodeScores scores = scorer.in(normal(2, 0, WIDTH), new float[0]);
      TreePolicy policy = new TreePolicy(tree);
      assertTrue(Math.exp(policy.logChance(liked, scores, OpenItems.all(tree))) > 10.0 / ITEMS);
    }
  }

  @Test
  void whereUnevenChancesCostMuchAllAreEven() {
    TreePlan plan = TreePlan.DEFAULT.withSteps(40).withEvenness(1000);
    try (TreeScorer scorer = TreeScorer.open(train(log(), plan), schema)) {
      double[] chances =
          new TreePolicy(tree)
              .chances(scorer.in(normal(2, 0, WIDTH), new float[0]), OpenItems.all(tree));
      assertTrue(Arrays.stream(chances).max().orElseThrow() < 2.0 / ITEMS);
    }
  }

  @Test
  void rowsThatCannotBeUsedAreRefused() {
    TreeLog log = new TreeLog(new float[WIDTH], new float[0], new int[] {ITEMS}, new float[] {1});
    assertThrows(IllegalArgumentException.class, () -> train(log, TreePlan.DEFAULT));
    TreeLog none = new TreeLog(new float[0], new float[0], new int[0], new float[0]);
    assertThrows(IllegalArgumentException.class, () -> train(none, TreePlan.DEFAULT));
  }

  private static double worth(double liking) {
    return 1 / (1 + Math.exp(-liking));
  }

  private double[] likings(float[] context) {
    double[] likings = new double[ITEMS];
    for (int item = 0; item < ITEMS; item++) {
      for (int k = 0; k < WIDTH; k++) {
        likings[item] += context[k] * vectors[item * WIDTH + k] / Math.sqrt(WIDTH);
      }
    }
    return likings;
  }

  private static double[] softmax(double[] likings) {
    double[] weights = Arrays.stream(likings).map(u -> Math.exp(SHARPNESS * u)).toArray();
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / sum).toArray();
  }

  private TreeLog log() {
    float[] contexts = new float[ROWS * WIDTH];
    int[] items = new int[ROWS];
    float[] weights = new float[ROWS];
    for (int row = 0; row < ROWS; row++) {
      float[] context = normal(2, row, WIDTH);
      System.arraycopy(context, 0, contexts, row * WIDTH, WIDTH);
      double[] chances = softmax(likings(context));
      double left = CounterRandom.uniform(7, 3, row, 0, 0);
      while (items[row] < ITEMS - 1 && left >= chances[items[row]]) {
        left -= chances[items[row]++];
      }
      weights[row] = 1;
    }
    return new TreeLog(contexts, new float[0], items, weights);
  }

  private TrainedTree train(TreeLog log, TreePlan plan) {
    Normalisation normalisation =
        new Normalisation(
            ColumnScaling.measure(schema.context(), log.context(), row -> true),
            new ColumnScaling(new float[0], new float[0]),
            new ColumnScaling(new float[WIDTH], new float[WIDTH]));
    return TreeTraining.train(
        schema, normalisation, tree, vectors, WIDTH, log, plan, 11, new TreeMap<>());
  }

  private static NetworkSchema schema() {
    List<Column> context = new ArrayList<>();
    List<Column> item = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      context.add(new Column.Number("c" + i));
      item.add(new Column.Number("i" + i));
    }
    return new NetworkSchema(context, List.of(), 0, item, List.of("liking"));
  }

  private static float[] normal(long what, int row, int size) {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) CounterRandom.normal(7, what, row, i, 0);
    }
    return values;
  }
}
