package io.bellwether.ingestion;

import io.bellwether.ingestion.attribution.Received;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Records in a given order, up to one of them; then it waits as a topic does to which nothing more
 * is written. It keeps its place in checkpoints.
 */
final class GivenRecords
    implements Source<Received, NumberSequenceSplit, Collection<NumberSequenceSplit>>,
        ResultTypeQueryable<Received> {

  private static final long serialVersionUID = 1L;

  private final SerializableSupplier<List<Received>> records;
  private final int until;
  private final NumberSequenceSource numbers;

  /**
   * @param records always the same
   * @param until how many of them are there yet
   */
  GivenRecords(SerializableSupplier<List<Received>> records, int until) {
    this.records = records;
    this.until = until;
    this.numbers = new NumberSequenceSource(0, Integer.MAX_VALUE);
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return TypeInformation.of(Received.class);
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<Received, NumberSequenceSplit> createReader(SourceReaderContext context) {
    return new Reader(context, records.get(), until);
  }

  @Override
  public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> createEnumerator(
      SplitEnumeratorContext<NumberSequenceSplit> context) {
    return numbers.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<NumberSequenceSplit, Collection<NumberSequenceSplit>> restoreEnumerator(
      SplitEnumeratorContext<NumberSequenceSplit> context,
      Collection<NumberSequenceSplit> checkpoint) {
    return numbers.restoreEnumerator(context, checkpoint);
  }

  @Override
  public SimpleVersionedSerializer<NumberSequenceSplit> getSplitSerializer() {
    return numbers.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<Collection<NumberSequenceSplit>>
      getEnumeratorCheckpointSerializer() {
    return numbers.getEnumeratorCheckpointSerializer();
  }

  private static final class Reader implements SourceReader<Received, NumberSequenceSplit> {
    private final SourceReaderContext context;
    private final List<Received> records;
    private final int until;
    private final List<NumberSequenceSplit> splits = new ArrayList<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    private boolean complete;

    private Reader(SourceReaderContext context, List<Received> records, int until) {
      this.context = context;
      this.records = records;
      this.until = until;
    }

    @Override
    public void start() {
      if (splits.isEmpty()) {
        context.sendSplitRequest();
      }
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Received> output) {
      for (int i = 0; i < splits.size(); i++) {
        NumberSequenceSplit split = splits.get(i);
        if (split.from() < until) {
          output.collect(records.get((int) split.from()));
          splits.set(i, new NumberSequenceSplit(split.splitId(), split.from() + 1, split.to()));
          return InputStatus.MORE_AVAILABLE;
        }
      }
      if (complete && splits.isEmpty()) {
        return InputStatus.END_OF_INPUT; // A subtask without records holds nobody back.
      }
      available = new CompletableFuture<>();
      return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<NumberSequenceSplit> snapshotState(long checkpointId) {
      return List.copyOf(splits);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return available;
    }

    @Override
    public void addSplits(List<NumberSequenceSplit> added) {
      splits.addAll(added);
      available.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
      complete = true;
      available.complete(null);
    }

    @Override
    public void close() {}
  }
}
