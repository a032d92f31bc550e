package io.bellwether.ingestion.erasure;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Lets through the transitions whose subject is not to be forgotten: a decision that was taken in
 * before its subject was erased is still held here until its windows are over, and restated after.
 * Confined to its task's thread.
 */
@SuppressWarnings("NullAway.Init") // open() comes before the first element.
public final class DropErased extends RichFilterFunction<Transition> {

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<ErasureFeed> erasures;
  private transient ErasureFeed feed;

  /**
   * @param erasures who is to be forgotten
   */
  public DropErased(SerializableSupplier<ErasureFeed> erasures) {
    this.erasures = erasures;
  }

  @Override
  public void open(OpenContext context) {
    feed = erasures.get();
  }

  @Override
  public boolean filter(Transition transition) {
    Decision decision = transition.getDecision();
    return !feed.subjects().covers(decision.getSubjectId(), decision.getDecidedAtMicros());
  }

  @Override
  public void close() {
    if (feed != null) {
      feed.close();
    }
  }
}
