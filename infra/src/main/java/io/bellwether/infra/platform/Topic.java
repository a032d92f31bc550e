package io.bellwether.infra.platform;

import java.time.Duration;
import java.util.Map;

/**
 * One Kafka topic of ours as it must exist: immutable.
 *
 * @param name with its major version
 * @param partitions fixed for the life of the topic: keys are spread by it
 * @param settings topic settings that differ from the broker's defaults
 */
public record Topic(String name, int partitions, Map<String, String> settings) {

  public Topic {
    if (partitions < 1) {
      throw new IllegalArgumentException(name + " needs a partition");
    }
    settings = Map.copyOf(settings);
  }

  static Topic kept(String name, int partitions, Duration retention) {
    return new Topic(name, partitions, Map.of("retention.ms", Long.toString(retention.toMillis())));
  }

  static Topic compacted(String name, int partitions) {
    return new Topic(name, partitions, Map.of("cleanup.policy", "compact"));
  }
}
