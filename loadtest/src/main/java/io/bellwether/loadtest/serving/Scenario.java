package io.bellwether.loadtest.serving;

/**
 * One kind of request against one surface, as a scenario file declares it; the files say what each
 * field means. Immutable.
 *
 * @param scenario the name, which figures, files and tables have
 * @param about what it is for, a sentence
 * @param graph what scores
 * @param features how candidates come
 * @param candidates of a request
 * @param items registered ones, among which candidates are drawn
 * @param subjects of whom a history is kept; 0: requests name nobody
 * @param arrivals how requests come
 * @param required over the floor; what is 0 is not required
 */
record Scenario(
    String scenario,
    String about,
    String surface,
    ServedGraph graph,
    Features features,
    int candidates,
    int items,
    int subjects,
    Pattern arrivals,
    Required required) {

  /** How candidates come. */
  enum Features {
    /** Named by the id of a registered item. */
    REGISTERED,
    /** Sent with their features. */
    INLINE,
    /** Proposed by the service: requests name none. */
    RETRIEVED
  }

  /**
   * How requests come.
   *
   * @param burst how many at the same moment, at least 1
   */
  record Pattern(int burst) {}

  /**
   * Bounds; 0 for none.
   *
   * @param p50 at most, over the floor's
   * @param p99 at most, over the floor's
   * @param p999 at most, over the floor's
   * @param throughput at least, over what the floors' CPU times allow
   * @param decisionsPerSecond at least
   */
  record Required(
      double p50, double p99, double p999, double throughput, double decisionsPerSecond) {

    boolean nothing() {
      return equals(new Required(0, 0, 0, 0, 0));
    }
  }

  Scenario {
    if (!scenario.matches("[a-z0-9-]{1,40}")) {
      throw new IllegalArgumentException(
          "scenario is '" + scenario + "', must be a-z, 0-9 and '-', at most 40");
    }
    if (candidates < 1 || items < candidates || subjects < 0 || arrivals.burst() < 1) {
      throw new IllegalArgumentException(
          ("%s: candidates and burst are at least 1, items at least as many as candidates, subjects"
                  + " not negative; found %d, %d, %d and %d")
              .formatted(scenario, candidates, arrivals.burst(), items, subjects));
    }
  }

  Arrivals arrivals(double perSecond, long seed) {
    return Arrivals.bursts(perSecond, arrivals.burst(), seed);
  }
}
