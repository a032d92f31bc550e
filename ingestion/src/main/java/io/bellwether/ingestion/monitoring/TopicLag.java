package io.bellwether.ingestion.monitoring;

/**
 * How far a reader of committed records is behind in one topic.
 *
 * @param records that it can read and has not; between two commits of its position up to a few
 *     markers of transactions count as records
 * @param blocked records behind the beginning of an open transaction, which nobody can read before
 *     that ends
 */
public record TopicLag(String topic, long records, long blocked) {

  /** For a person. */
  public String words() {
    String behind = records == 0 ? "caught up" : records + " records behind";
    return blocked == 0
        ? topic + ": " + behind
        : topic + ": " + behind + ", " + blocked + " records blocked by open transaction";
  }
}
