package io.bellwether.loadtest.evaluation.coverage;

/** How often a 95 % interval should contain the truth, and why. */
public enum Expectation {
  /** As often as it says: between 93 and 97 %. */
  EXACT("93–97 %"),
  /**
   * A bound that holds for every log size, or for every look, is wider than it would have to be.
   */
  AT_LEAST("at least 95 %"),
  /** What it is centred on is not the truth, by construction. */
  MISSES("misses"),
  /** Too few effective decisions for a normal distribution; shown for comparison. */
  TOO_FEW("too few decisions");

  private final String words;

  Expectation(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }
}
