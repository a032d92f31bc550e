package io.bellwether.policy.scoring;

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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What rules cost beside drawing without them: {@code counting} is one grouping with a most and a
 * least, {@code searching} adds authors that must stand apart and a pin.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RuledSamplingBenchmark {

  private static final int POSITIONS = 6;

  @Param({"none", "counting", "searching"})
  private String kind = "none";

  @Param({"100", "500"})
  private int candidates;

  private final SlateSampler sampler = new SlateSampler();
  private final RuleFit fit = new RuleFit();
  private final int[] slate = new int[POSITIONS];
  private final double[] propensities = new double[POSITIONS];
  private MixedWeights weights = new MixedWeights();
  private SlateRules rules = SlateRules.NONE;
  private long seed;

  @Setup
  public void declare() {
    weights =
        MixedWeights.of(PolicyGraphs.random(1, 4, candidates), new Exploration(1, 0.02, 4e-5));
    int[] topics = new int[candidates];
    int[] authors = new int[candidates];
    for (int i = 0; i < candidates; i++) {
      topics[i] = i % 8;
      authors[i] = i % 40;
    }
    SlateRules.Grouping topic = new SlateRules.Grouping("topic", topics, 2, 0, new int[] {0, 1});
    SlateRules.Grouping author = new SlateRules.Grouping("author", authors, 2, 2, new int[] {});
    rules =
        switch (kind) {
          case "counting" -> new SlateRules(List.of(), List.of(topic));
          case "searching" ->
              new SlateRules(List.of(new SlateRules.Pin(3, 7)), List.of(topic, author));
          default -> SlateRules.NONE;
        };
  }

  @Benchmark
  public int sample() {
    return sampler.sample(weights, rules, seed++, slate, propensities);
  }

  @Benchmark
  public boolean fit() {
    return fit.fit(rules, candidates, POSITIONS).relaxed().isEmpty();
  }
}
