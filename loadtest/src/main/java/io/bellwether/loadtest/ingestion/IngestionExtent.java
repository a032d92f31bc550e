package io.bellwether.loadtest.ingestion;

/**
 * How much is measured.
 *
 * @param decisions that are joined in each round
 * @param rounds of the job beside the empty pipeline
 * @param restarts from a checkpoint at a chance moment
 * @param open decisions that are held while the state is measured
 * @param large decisions of ten kilobytes that go through Kafka, more than 12,000
 * @param subjects whose histories Redis holds
 */
public record IngestionExtent(
    long decisions, int rounds, int restarts, long open, int large, int subjects) {

  /** What a published result rests on. */
  public static IngestionExtent full() {
    return new IngestionExtent(10_000_000, 1, 50, 24_000, 200_000, 1_000_000);
  }

  /** The same figures in a few minutes. */
  public static IngestionExtent quick() {
    return new IngestionExtent(200_000, 3, 3, 24_000, 40_000, 50_000);
  }
}
