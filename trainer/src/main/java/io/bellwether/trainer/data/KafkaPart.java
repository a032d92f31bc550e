package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A range of one partition.
 *
 * @param topicId of the topic, which another cluster's or one that was made anew does not share
 * @param from first offset
 * @param to one past the last offset
 */
record KafkaPart(String bootstrapServers, String topicId, int partition, long from, long to)
    implements TransitionPart {

  private static final long serialVersionUID = 1;

  @Override
  public String words() {
    return "topic %s, partition %d from %d to %d".formatted(topicId, partition, from, to);
  }

  @Override
  public long transitions() {
    return to - from;
  }

  @Override
  public void forEach(Consumer<Transition> consumer) throws IOException {
    new KafkaSourceRange(bootstrapServers, Map.of(partition, from), Map.of(partition, to))
        .forEach(consumer);
  }
}
