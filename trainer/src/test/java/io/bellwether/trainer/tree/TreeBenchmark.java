package io.bellwether.trainer.tree;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A program that prints how long it takes to build a tree of a million items and of a thousand,
 * with vectors of 16 numbers, and to find the 70 likeliest items with a search of width 7, in
 * turns.
 */
public final class TreeBenchmark {

  private static final int WIDTH = 16;
  private static final int CONTEXT = 64;
  private static final int WARM_UP = 2000;
  private static final int RUNS = 4000;
  private static final int SEARCH_WIDTH = 7;
  private static final int FOUND = 70;

  private TreeBenchmark() {}

  public static void main(String[] arguments) {
    NetworkSchema schema =
        new NetworkSchema(numbers("c", CONTEXT), List.of(), 0, numbers("i", 1), List.of("click"));
    TrainedTree small = tree(schema, 1000);
    TrainedTree large = tree(schema, 1_000_000);
    try (TreeScorer first = TreeScorer.open(small, schema);
        TreeScorer second = TreeScorer.open(large, schema)) {
      double[] smallMicros = new double[RUNS];
      double[] largeMicros = new double[RUNS];
      for (int run = -WARM_UP; run < RUNS; run++) {
        float[] context = normal(3, run, CONTEXT);
        double one = micros(small, first, context);
        double other = micros(large, second, context);
        if (run >= 0) {
          smallMicros[run] = one;
          largeMicros[run] = other;
        }
      }
      print("a thousand items", small, first, smallMicros);
      print("a million items", large, second, largeMicros);
    }
  }

  private static void print(String what, TrainedTree tree, TreeScorer scorer, double[] micros) {
    Arrays.sort(micros);
    System.out.printf(
        "%s: %d evaluations, median %.0f us, 99th percentile %.0f us%n",
        what,
        found(tree, scorer, normal(3, 0, CONTEXT)).evaluations(),
        micros[RUNS / 2],
        micros[RUNS * 99 / 100]);
  }

  private static double micros(TrainedTree tree, TreeScorer scorer, float[] context) {
    long from = System.nanoTime();
    int found = found(tree, scorer, context).items().length;
    double micros = (System.nanoTime() - from) / 1e3;
    if (found != FOUND) {
      throw new IllegalStateException("found " + found);
    }
    return micros;
  }

  private static TreePolicy.Found found(TrainedTree tree, TreeScorer scorer, float[] context) {
    return new TreePolicy(tree.tree())
        .search(scorer.in(context, new float[0]), OpenItems.all(tree.tree()), SEARCH_WIDTH, FOUND);
  }

  private static TrainedTree tree(NetworkSchema schema, int items) {
    float[] vectors = normal(1, items, items * WIDTH);
    long from = System.nanoTime();
    ItemTree tree = PrincipalSplit.build(vectors, WIDTH, 10, 5);
    System.out.printf("%d items: built in %.1f s%n", items, (System.nanoTime() - from) / 1e9);
    TreeLog log =
        new TreeLog(normal(2, 0, CONTEXT), new float[0], new int[] {items / 2}, new float[] {1});
    Normalisation normalisation = new Normalisation(scaling(CONTEXT), scaling(0), scaling(1));
    return TreeTraining.train(
        schema,
        normalisation,
        tree,
        vectors,
        WIDTH,
        log,
        TreePlan.DEFAULT.withSteps(1),
        5,
        new TreeMap<>());
  }

  private static ColumnScaling scaling(int columns) {
    float[] ones = new float[columns];
    Arrays.fill(ones, 1);
    return new ColumnScaling(new float[columns], ones);
  }

  private static List<Column> numbers(String prefix, int count) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(new Column.Number(prefix + i));
    }
    return columns;
  }

  private static float[] normal(long what, int row, int size) {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) CounterRandom.normal(7, what, row, i, 0);
    }
    return values;
  }
}
