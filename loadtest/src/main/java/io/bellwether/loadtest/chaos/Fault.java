package io.bellwether.loadtest.chaos;

import java.time.Duration;

/** Something that goes wrong, for a while. */
public enum Fault {
  SERVING_KILLED("serving is killed", 1, true),
  SERVING_STOPPED("serving stands still", 2, true),
  STREAMS_KILLED("the streams are killed", 2, false),
  STREAMS_STOPPED("the streams stand still", 4, false),
  PLATFORM_KILLED("Kafka and Redis are killed", 1, false),
  KAFKA_STOPPED("Kafka stands still", 3, false),
  KAFKA_STUTTERS("Kafka stands still ten times for 0.2 s", 4, false),
  REDIS_STOPPED("Redis stands still", 3, false),
  REDIS_SLOW("each packet to and from Redis takes 0.15 s", 3, false),
  REDIS_CUT("connections to Redis break and none is taken", 3, false),
  CLIENTS_SLOW("each packet to and from serving takes 0.1 s", 3, true),
  CLIENTS_CUT("connections to serving break and none is taken", 2, true),
  DISK_FULL("Kafka stands still for so long that the spool is full", 12, false),
  CLOCK_AHEAD("the product's clock is 20 s ahead", 3, false),
  CLOCK_BEHIND("the product's clock is 20 s behind", 3, false),
  POLICY_CORRUPT("the champion is moved to a version whose graph is damaged", 4, false);

  private final String words;
  private final Duration lasts;
  private final boolean stopsAnswers;

  Fault(String words, int seconds, boolean stopsAnswers) {
    this.words = words;
    this.lasts = Duration.ofSeconds(seconds);
    this.stopsAnswers = stopsAnswers;
  }

  /** What happens. */
  public String words() {
    return words;
  }

  /** From its beginning to its end. */
  public Duration lasts() {
    return lasts;
  }

  /**
   * Whether nobody can be answered in time through no fault of serving's: it does not run, or the
   * way to it is long.
   */
  public boolean stopsAnswers() {
    return stopsAnswers;
  }
}
