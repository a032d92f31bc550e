package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.attribution.Received;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/** A plan's records as a Flink source with two readers that go through it side by side. */
final class RecordSource implements GeneratorFunction<Long, Received> {

  static final int READERS = 2;

  private static final long ENDLESS = Long.MAX_VALUE - 1;
  private static final long serialVersionUID = 1L;

  private final EventPlan plan;
  private final long numbers;
  private final String run;
  private transient PlannedEvents events;
  private transient boolean ended;

  @SuppressWarnings("NullAway.Init") // open() comes before the first element.
  private RecordSource(EventPlan plan, long numbers, String run) {
    this.plan = plan;
    this.numbers = numbers;
    this.run = run;
  }

  /** Ends with the plan. */
  static DataGeneratorSource<Received> bounded(EventPlan plan, RateLimiterStrategy<?> rate) {
    return new DataGeneratorSource<>(
        new RecordSource(plan, plan.records(), ""),
        plan.records(),
        rate,
        TypeInformation.of(Received.class));
  }

  /**
   * Goes on after the plan's end with copies of its first outcome, slowly, so that what the job
   * holds then can be looked at.
   *
   * @param run whose {@link Ledger} is told when a reader has come to the end
   */
  static DataGeneratorSource<Received> endless(EventPlan plan, String run) {
    return new DataGeneratorSource<>(
        new RecordSource(plan, ENDLESS, run),
        ENDLESS,
        RateLimiterStrategy.noOp(),
        TypeInformation.of(Received.class));
  }

  @Override
  public void open(SourceReaderContext context) {
    events = new PlannedEvents(plan);
  }

  @Override
  public Received map(Long number) throws InterruptedException {
    // The first reader's numbers are the lower half; its places are the odd ones.
    long half = numbers / READERS;
    long place = number < half ? number * READERS + 1 : (number - half) * READERS;
    if (place < plan.records()) {
      return events.at(place);
    }
    if (!ended) {
      ended = true;
      Ledger.of(run).readerEnded();
    }
    TimeUnit.MILLISECONDS.sleep(5);
    return events.at(plan.firstOutcome());
  }
}
