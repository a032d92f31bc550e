package io.bellwether.trainer.export;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.DecisionDifference;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A program that prints how long a graph of 64 context and 32 item columns, two hidden layers and
 * one logit takes for 100 candidates in full and in 8 bits, in turns, and how differently the two
 * decide with random weights. Arguments: widths of the hidden layers, 256 by default.
 */
public final class Int8FormBenchmark {

  private static final int CANDIDATES = 100;
  private static final int ROUNDS = 15;
  private static final int RUNS = 200;
  private static final int REQUESTS = 1000;
  private static final int SLATE = 6;

  private Int8FormBenchmark() {}

  public static void main(String[] arguments) {
    for (String width : arguments.length == 0 ? new String[] {"256"} : arguments) {
      measure(Integer.parseInt(width));
    }
  }

  private static void measure(int hidden) {
    NetworkSchema columns =
        new NetworkSchema(numbers("c", 64), List.of(), 0, numbers("i", 32), List.of("click"));
    FeatureSchema schema = new FeatureSchema("bench", 64, 0, 0, 32, List.of("click"));
    byte[] graph = graph(columns, hidden);
    byte[] small = new Int8Form().of(graph);
    try (Scorer full = Scorer.open(graph, schema);
        Scorer int8 = Scorer.open(small, schema)) {
      double[] fullMicros = new double[ROUNDS];
      double[] int8Micros = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        fullMicros[round] = micros(full);
        int8Micros[round] = micros(int8);
      }
      DecisionDifference difference =
          new DecisionDifference(full, int8, new Exploration(1, 0.02, 1e-4), SLATE);
      for (int request = 0; request < REQUESTS; request++) {
        difference.add(random(request, 1, 64), new float[0], random(request, 2, CANDIDATES * 32));
      }
      System.out.printf(
          "width %d: full %.1f us, int8 %.1f us (medians of %d), ratio %.2f; bytes %d, %d; %s%n",
          hidden,
          median(fullMicros),
          median(int8Micros),
          ROUNDS,
          median(int8Micros) / median(fullMicros),
          graph.length,
          small.length,
          difference.measured());
    }
  }

  private static double micros(Scorer scorer) {
    ScoringBatch batch = new ScoringBatch(scorer.schema());
    batch.add(random(1, 1, 64), new float[0], random(1, 2, CANDIDATES * 32));
    double least = Double.MAX_VALUE;
    for (int run = 0; run < RUNS; run++) {
      long from = System.nanoTime();
      scorer.score(batch);
      least = Math.min(least, (System.nanoTime() - from) / 1e3);
    }
    return least;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static List<Column> numbers(String prefix, int count) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(new Column.Number(prefix + i));
    }
    return columns;
  }

  private static byte[] graph(NetworkSchema schema, int hidden) {
    PolicyGraph graph = new PolicyGraph(schema);
    Tensor state = graph.states().context().matMul(constant(graph, "c", 64, hidden));
    Tensor first =
        state
            .gatherRows(graph.request())
            .add(graph.items().matMul(constant(graph, "i", 32, hidden)))
            .relu();
    Tensor second = first.matMul(constant(graph, "h", hidden, hidden)).relu();
    Tensor logits =
        second
            .matMul(constant(graph, "o", hidden, 1))
            .reshape(Shape.of(graph.items().shape().dimension(0)));
    return graph.toModel(logits, graph.noValues(), new TreeMap<>());
  }

  private static Tensor constant(PolicyGraph graph, String name, int rows, int columns) {
    float[] values = random(7, name.hashCode(), rows * columns);
    for (int i = 0; i < values.length; i++) {
      values[i] /= (float) Math.sqrt(rows);
    }
    return graph.graph().constant(name, values, Shape.of(rows, columns));
  }

  private static float[] random(long seed, long tag, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) CounterRandom.normal(seed, tag, i, 0, 0);
    }
    return values;
  }
}
