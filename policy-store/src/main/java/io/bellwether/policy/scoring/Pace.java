package io.bellwether.policy.scoring;

/**
 * How long a graph's runs take here: one part whatever is scored, and one for each candidate.
 * Immutable.
 */
record Pace(double fixedNanos, double candidateNanos) {

  private static final int MANY = 256;
  private static final int MOST_RUNS = 10;
  private static final long ENOUGH_NANOS = 20_000_000;

  /** Beyond it, what all share is a small part of the run, and to gather more saves little. */
  private static final double FIXED_PARTS = 8;

  /** Nobody waits longer than this for the sake of others. */
  private static final double MOST_NANOS = 500_000;

  private static final int MOST_CANDIDATES = 4096;

  /** Measures by the fastest of some runs with one candidate and with {@value #MANY}. */
  static Pace measured(Scorer scorer) {
    try (ScoringLane lane = new ScoringLane(scorer.schema())) {
      double one = fastest(scorer, lane, 1);
      double many = fastest(scorer, lane, MANY);
      double candidate = Math.max(1, (many - one) / (MANY - 1));
      return new Pace(Math.max(1, one - candidate), candidate);
    }
  }

  /** Candidates up to which it is worth scoring requests together. */
  int worthGathering() {
    double most = Math.min(FIXED_PARTS * fixedNanos, MOST_NANOS - fixedNanos) / candidateNanos;
    return (int) Math.max(1, Math.min(MOST_CANDIDATES, most));
  }

  private static double fastest(Scorer scorer, ScoringLane lane, int candidates) {
    lane.batch().clear();
    lane.batch()
        .add(
            new float[scorer.schema().contextWidth()],
            new float[scorer.schema().historySize()],
            new float[candidates * scorer.schema().itemWidth()]);
    long least = Long.MAX_VALUE;
    long spent = 0;
    for (int run = 0; run < MOST_RUNS && spent < ENOUGH_NANOS; run++) {
      long from = System.nanoTime();
      lane.score(scorer);
      long nanos = System.nanoTime() - from;
      spent += nanos;
      least = Math.min(least, nanos);
    }
    return least;
  }
}
