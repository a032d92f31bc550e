package io.bellwether.policy.scoring;

import io.bellwether.policy.schema.FeatureSchema;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One decision's share of scoring and sampling: a slate of six from one request's candidates. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ScoringBenchmark {

  private static final FeatureSchema SCHEMA =
      new FeatureSchema("f00d", 64, 20, 16, 48, List.of("watch_seconds", "like", "hide"));

  private static final Exploration EXPLORATION = new Exploration(1, 0.02, 4e-5);

  @Param({"20", "100", "500"})
  private int candidates;

  private final SlateSampler sampler = new SlateSampler();
  private final MixedWeights weights = new MixedWeights();
  private final int[] slate = new int[6];
  private final double[] propensities = new double[6];
  private final float[] context = PolicyGraphs.random(1, 1, SCHEMA.contextWidth());
  private final float[] history = PolicyGraphs.random(1, 2, SCHEMA.historySize());
  private final ScoringBatch batch = new ScoringBatch(SCHEMA);
  private float[] items = new float[0];
  private float[] logits = new float[0];
  private final Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 1, 128), SCHEMA);
  private long seed;

  @Setup
  public void encode() {
    items = PolicyGraphs.random(1, 3, candidates * SCHEMA.itemWidth());
    logits = PolicyGraphs.random(1, 4, candidates);
  }

  @TearDown
  public void close() {
    scorer.close();
  }

  @Benchmark
  public int sample() {
    weights.set(logits, 0, candidates, EXPLORATION);
    return sampler.sample(weights, seed++, slate, propensities);
  }

  @Benchmark
  public ScoredBatch score() {
    batch.clear();
    batch.add(context, history, items);
    return scorer.score(batch);
  }

  @Benchmark
  public int scoreAndSample() {
    ScoredBatch scored = score();
    weights.set(scored.logits(), scored.from(0), scored.to(0), EXPLORATION);
    return sampler.sample(weights, seed++, slate, propensities);
  }
}
