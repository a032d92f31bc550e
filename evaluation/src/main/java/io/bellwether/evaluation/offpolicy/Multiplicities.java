package io.bellwether.evaluation.offpolicy;

/** How often each bootstrap replicate draws each unit. Thread-safe. */
sealed interface Multiplicities permits MultinomialMultiplicities, PoissonMultiplicities {
  /** From so many units on, whether their number varies is lost in the noise of the replicates. */
  int MANY_UNITS = 1000;

  /** Of replicates that draw as many units as there are, or nearly so where there are many. */
  static Multiplicities of(long seed, int units, int replicates) {
    return units < MANY_UNITS
        ? MultinomialMultiplicities.of(seed, units, replicates)
        : new PoissonMultiplicities(seed);
  }

  /**
   * Sets the first {@code count} numbers of an array to a unit's multiplicities in as many
   * replicates, and up to three more to anything.
   *
   * @param first replicate, a multiple of four
   */
  void draw(int unit, int first, int count, double[] multiplicities);
}
