package io.bellwether.trainer.gate;

import io.bellwether.evaluation.support.SupportAccumulator;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The one task that adds up the support of all parts, in the order of parts, so that not even the
 * last bit depends on which was ready first; until then they lie on disk. Emits nothing.
 */
final class CollectSupport extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;

  private final String folder;

  /** Where each part's sums begin in the file, and how long they are. */
  private transient Map<Integer, long[]> places = new TreeMap<>();

  private transient long size;

  CollectSupport(String folder) {
    this.folder = folder;
  }

  @Override
  public void open() throws Exception {
    super.open();
    places = new TreeMap<>();
    size = 0;
    Files.deleteIfExists(unordered());
  }

  private Path unordered() {
    return Path.of(folder).resolve("support.parts");
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) throws IOException {
    SupportReport report = SupportReport.of(element.getValue());
    Files.write(unordered(), report.sums(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    places.put(report.part(), new long[] {size, report.sums().length});
    size += report.sums().length;
  }

  @Override
  public void endInput() throws IOException {
    SupportAccumulator all = null;
    if (!places.isEmpty()) {
      try (FileChannel file = FileChannel.open(unordered(), StandardOpenOption.READ)) {
        for (long[] place : places.values()) {
          SupportAccumulator part = read(file, place);
          if (all == null) {
            all = part;
          } else {
            all.merge(part);
          }
        }
      }
    }
    Path file = new EvaluationFolder(Path.of(folder)).support();
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      if (all != null) {
        all.writeTo(out);
      }
    }
    Files.deleteIfExists(unordered());
  }

  private static SupportAccumulator read(FileChannel file, long[] place) throws IOException {
    ByteBuffer sums = ByteBuffer.allocate((int) place[1]);
    while (sums.hasRemaining() && file.read(sums, place[0] + sums.position()) >= 0) {
      // on to the end
    }
    return SupportAccumulator.readFrom(new DataInputStream(new ByteArrayInputStream(sums.array())));
  }
}
