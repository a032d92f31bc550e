package io.bellwether.trainer.pruning;

import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringBatch;
import io.bellwether.trainer.export.OnnxExporter;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.ColumnScaling;
import io.bellwether.trainer.network.KeptUnits;
import io.bellwether.trainer.network.NetworkConfig;
import io.bellwether.trainer.network.NetworkSchema;
import io.bellwether.trainer.network.Normalisation;
import io.bellwether.trainer.network.Parameters;
import io.bellwether.trainer.network.PolicyNetworks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A program that prints how long an actor of 64 context and 32 item columns takes for 100
 * candidates on one thread, whole and without nine tenths of its hidden units, in turns, and how
 * large the graphs are. Arguments: widths of the hidden layers, 64 by default.
 */
public final class PruningBenchmark {

  private static final int CANDIDATES = 100;
  private static final int ROUNDS = 15;
  private static final int RUNS = 200;
  private static final double SHARE = 0.9;

  private PruningBenchmark() {}

  public static void main(String[] arguments) {
    for (String width : arguments.length == 0 ? new String[] {"64"} : arguments) {
      measure(Integer.parseInt(width));
    }
  }

  private static void measure(int hidden) {
    NetworkSchema schema =
        new NetworkSchema(numbers("c", 64), List.of(), 0, numbers("i", 32), List.of("click"));
    FeatureSchema features = new FeatureSchema("bench", 64, 0, 0, 32, List.of("click"));
    Normalisation normalisation =
        new Normalisation(scaling(64), new ColumnScaling(new float[0], new float[0]), scaling(32));
    PolicyNetworks networks =
        new PolicyNetworks(schema, new NetworkConfig(hidden, 32, 32), normalisation);
    Parameters actor = networks.initialActor(1);
    KeptUnits kept = new UnitImportance().keep(networks.actor().hiddenLayers(), actor, SHARE);
    byte[] whole = new OnnxExporter().export(networks, actor, new TreeMap<>());
    byte[] pruned = new OnnxExporter().export(networks, kept.narrowed(actor), new TreeMap<>());
    try (Scorer first = Scorer.open(whole, features);
        Scorer second = Scorer.open(pruned, features)) {
      double[] wholeMicros = new double[ROUNDS];
      double[] prunedMicros = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        wholeMicros[round] = micros(first);
        prunedMicros[round] = micros(second);
      }
      System.out.printf(
          "width %d: whole %.1f us, pruned %.1f us (medians of %d), ratio %.2f; bytes %d, %d%n",
          hidden,
          median(wholeMicros),
          median(prunedMicros),
          ROUNDS,
          median(prunedMicros) / median(wholeMicros),
          whole.length,
          pruned.length);
    }
  }

  private static double micros(Scorer scorer) {
    ScoringBatch batch = new ScoringBatch(scorer.schema());
    batch.add(random(1, 64), new float[0], random(2, CANDIDATES * 32));
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

  private static float[] random(long tag, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) CounterRandom.normal(1, tag, i, 0, 0);
    }
    return values;
  }
}
