package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program that scores or reloads many times and prints by how many bytes its resident memory, and
 * by how many its threads grew after warming up. Run with a heap that is touched at the start, so
 * that growth is that of native memory.
 */
final class NativeMemoryProbe {

  static final Path STATUS = Path.of("/proc/self/status");

  private final ScoringBatch batch = new ScoringBatch(SCHEMA);
  private final ScoringLane lane = new ScoringLane(SCHEMA);
  private final float[] context = PolicyGraphs.random(1, 1, SCHEMA.contextWidth());
  private final float[] history = PolicyGraphs.random(1, 2, SCHEMA.historySize());
  private final float[] items = PolicyGraphs.random(1, 3, 200 * SCHEMA.itemWidth());

  public static void main(String[] arguments) throws IOException {
    NativeMemoryProbe probe = new NativeMemoryProbe();
    switch (arguments[0]) {
      case "score" -> probe.score();
      case "reload" -> probe.reload();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private void score() throws IOException {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 1), SCHEMA)) {
      scoreMany(scorer, 50_000);
      Footprint before = Footprint.now();
      scoreMany(scorer, 200_000);
      Footprint.now().printSince(before);
    }
  }

  private void reload() throws IOException {
    byte[] graph = PolicyGraphs.graph(SCHEMA, 1, 16_000);
    try (LivePolicy live = new LivePolicy()) {
      reloadMany(live, graph, 100);
      Footprint before = leastOver150Reloads(live, graph);
      leastOver150Reloads(live, graph).printSince(before);
    }
  }

  /**
   * The C library gives memory back when it likes, which moves single readings by 10 MiB and more
   * in either direction; what leaked stays in the least of several.
   */
  private Footprint leastOver150Reloads(LivePolicy live, byte[] graph) throws IOException {
    Footprint least = new Footprint(Long.MAX_VALUE, Long.MAX_VALUE);
    for (int i = 0; i < 10; i++) {
      reloadMany(live, graph, 15);
      least = least.least(Footprint.now());
    }
    return least;
  }

  private void reloadMany(LivePolicy live, byte[] graph, int times) {
    for (int i = 0; i < times; i++) {
      live.replace("v" + i, Scorer.open(graph, SCHEMA));
      try (LivePolicy.Use use = live.acquire().orElseThrow()) {
        scoreMany(use.scorer(), 2);
      }
    }
  }

  /**
   * Scores batches of 1 to 200 candidates, half of them in a lane; one call in a hundred is refused
   * midway.
   */
  private void scoreMany(Scorer scorer, int times) {
    for (int i = 0; i < times; i++) {
      boolean inLane = i % 2 == 0;
      ScoringBatch next = inLane ? lane.batch() : batch;
      next.clear();
      next.beginRequest(context, history);
      int candidates = 1 + (i * 37) % 200;
      for (int candidate = 0; candidate < candidates; candidate++) {
        next.addCandidate(items, candidate * SCHEMA.itemWidth());
      }
      if (i % 100 == 0) {
        beRefused();
      }
      if (inLane) {
        lane.score(scorer);
      } else {
        scorer.score(batch);
      }
    }
  }

  private void beRefused() {
    try {
      batch.add(context, history, new float[SCHEMA.itemWidth() + 1]);
    } catch (IllegalArgumentException e) {
      return;
    }
    throw new IllegalStateException("a request of half a candidate was taken");
  }

  private record Footprint(long residentBytes, long threads) {

    static Footprint now() throws IOException {
      System.gc();
      return new Footprint(1024 * status("VmRSS:"), status("Threads:"));
    }

    Footprint least(Footprint other) {
      return new Footprint(
          Math.min(residentBytes, other.residentBytes), Math.min(threads, other.threads));
    }

    void printSince(Footprint before) {
      System.out.println(residentBytes - before.residentBytes);
      System.out.println(threads - before.threads);
    }

    private static long status(String field) throws IOException {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(field)) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      throw new IllegalStateException("no " + field + " in " + STATUS);
    }
  }
}
