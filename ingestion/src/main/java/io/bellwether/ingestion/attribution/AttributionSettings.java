package io.bellwether.ingestion.attribution;

import io.bellwether.ingestion.erasure.ErasureTopic;
import io.bellwether.ingestion.metrics.MetricsSettings;
import io.bellwether.ingestion.session.Retention;
import java.io.Serializable;
import java.time.Duration;

/**
 * How the join waits and forgets.
 *
 * @param eventTime how event time moves
 * @param retention how long a decision is kept to be restated
 * @param patience how long an outcome waits for its decision after its window is over
 * @param historyTtl after which a subject that was not seen has no history
 * @param metrics what the numbers of experiments remember
 * @param erasures who is to be forgotten
 */
public record AttributionSettings(
    EventTimeSettings eventTime,
    Retention retention,
    Duration patience,
    Duration historyTtl,
    MetricsSettings metrics,
    ErasureTopic erasures)
    implements Serializable {

  /** With nobody to be forgotten. */
  public AttributionSettings(
      EventTimeSettings eventTime,
      Retention retention,
      Duration patience,
      Duration historyTtl,
      MetricsSettings metrics) {
    this(eventTime, retention, patience, historyTtl, metrics, ErasureTopic.NONE);
  }

  /** The same, honouring erasures. */
  public AttributionSettings honouring(ErasureTopic topic) {
    return new AttributionSettings(eventTime, retention, patience, historyTtl, metrics, topic);
  }

  /** For one machine. */
  public static AttributionSettings defaults() {
    return new AttributionSettings(
        EventTimeSettings.defaults(),
        new Retention(Duration.ofSeconds(60)),
        Duration.ofSeconds(30),
        Duration.ofDays(30),
        MetricsSettings.defaults());
  }
}
