package io.bellwether.ingestion.attribution;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts dead letters by reason, and says each in one line. Confined to its task's thread. */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
final class CountDeadLetters extends RichMapFunction<DeadLetter, DeadLetter> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(CountDeadLetters.class);

  private transient Map<String, Counter> counters;

  @Override
  public void open(OpenContext context) {
    counters = new HashMap<>();
  }

  @Override
  public DeadLetter map(DeadLetter letter) {
    counters.computeIfAbsent(letter.reason(), this::counter).inc();
    Received origin = letter.record();
    LOG.warn(
        "Dead letter {}: {} ({} partition {} offset {})",
        letter.reason(),
        letter.detail(),
        origin.topic(),
        origin.partition(),
        origin.offset());
    return letter;
  }

  private Counter counter(String reason) {
    return getRuntimeContext().getMetricGroup().addGroup("reason", reason).counter("deadLetters");
  }
}
