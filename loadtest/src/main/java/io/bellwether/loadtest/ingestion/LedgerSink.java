package io.bellwether.loadtest.ingestion;

import io.bellwether.ingestion.event.Transition;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Enters transitions into the {@link Ledger} of a run.
 *
 * @param run its name
 */
record LedgerSink(String run) implements Sink<Transition> {

  private static final long serialVersionUID = 1L;

  @Override
  public SinkWriter<Transition> createWriter(WriterInitContext context) {
    Ledger ledger = Ledger.of(run);
    return new SinkWriter<>() {
      @Override
      public void write(Transition transition, Context ignored) {
        ledger.add(transition);
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
