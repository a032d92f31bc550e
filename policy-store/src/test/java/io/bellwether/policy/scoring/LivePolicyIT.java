package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LivePolicyIT {

  private static final int SWAPS = 250;
  private static final int MILLIS_BETWEEN_SWAPS = 20;
  private static final int THREADS = 8;

  @Test
  void swappingUnderLoadNeverFailsAndEachAnswerIsThatOfItsVersion() throws Exception {
    Map<String, byte[]> graphs =
        Map.of("one", PolicyGraphs.graph(SCHEMA, 1), "two", PolicyGraphs.graph(SCHEMA, 2));
    Map<String, double[]> offline = Map.of("one", offline(1), "two", offline(2));
    LivePolicy live = new LivePolicy();
    live.replace("one", Scorer.open(get(graphs, "one"), SCHEMA));
    AtomicBoolean done = new AtomicBoolean();
    List<Callable<Map<String, Integer>>> workers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      workers.add(() -> scoreUntil(done, live, offline));
    }
    ExecutorService scoring = Executors.newFixedThreadPool(THREADS);
    ScheduledExecutorService swapping = Executors.newSingleThreadScheduledExecutor();
    try {
      List<Future<Map<String, Integer>>> answers = new ArrayList<>();
      workers.forEach(worker -> answers.add(scoring.submit(worker)));
      AtomicInteger swaps = new AtomicInteger();
      ScheduledFuture<?> swapper =
          swapping.scheduleAtFixedRate(
              () -> {
                String next = swaps.incrementAndGet() % 2 == 0 ? "one" : "two";
                live.replace(next, Scorer.open(get(graphs, next), SCHEMA));
                if (swaps.get() == SWAPS) {
                  done.set(true);
                  swapping.shutdown();
                }
              },
              0,
              MILLIS_BETWEEN_SWAPS,
              TimeUnit.MILLISECONDS);
      Map<String, Integer> total = new HashMap<>();
      for (Future<Map<String, Integer>> answer : answers) {
        answer
            .get(60, TimeUnit.SECONDS)
            .forEach((version, n) -> total.merge(version, n, Integer::sum));
      }
      assertEquals(SWAPS, swaps.get());
      assertTrue(swapping.awaitTermination(10, TimeUnit.SECONDS));
      assertTrue(swapper.isDone());
      assertTrue(total.size() == 2, () -> "answers by version " + total);
    } finally {
      done.set(true);
      swapping.shutdownNow();
      scoring.shutdownNow();
      live.close();
    }
  }

  private static Map<String, Integer> scoreUntil(
      AtomicBoolean done, LivePolicy live, Map<String, double[]> offline) {
    Map<String, Integer> answers = new HashMap<>();
    ScoringBatch batch = new ScoringBatch(SCHEMA);
    while (!done.get()) {
      try (LivePolicy.Use use = live.acquire().orElseThrow()) {
        batch.clear();
        batch.add(ScorerTest.context(SCHEMA, 0), ScorerTest.history(SCHEMA, 0), items());
        float[] logits = use.scorer().score(batch).logits();
        double[] expected = get(offline, use.version());
        for (int i = 0; i < expected.length; i++) {
          assertEquals(expected[i], logits[i], 1e-5);
        }
        answers.merge(use.version(), 1, Integer::sum);
      }
    }
    return answers;
  }

  private static double[] offline(long seed) {
    PolicyGraphs.Weights weights = PolicyGraphs.weights(SCHEMA, seed);
    float[] items = items();
    int width = SCHEMA.itemWidth();
    double[] logits = new double[items.length / width];
    for (int i = 0; i < logits.length; i++) {
      float[] item = Arrays.copyOfRange(items, i * width, (i + 1) * width);
      logits[i] =
          weights.forward(ScorerTest.context(SCHEMA, 0), ScorerTest.history(SCHEMA, 0), item)[0];
    }
    return logits;
  }

  private static <T> T get(Map<String, T> byVersion, String version) {
    return Objects.requireNonNull(byVersion.get(version));
  }

  private static float[] items() {
    return ScorerTest.items(SCHEMA, 0, 20);
  }
}
