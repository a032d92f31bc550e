package io.bellwether.ingestion.wire;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The bytes of immutable values of one type between tasks of one release of one job. Thread-safe.
 */
public interface WireFormat<T> extends Serializable {

  void write(T value, DataOutputView out) throws IOException;

  T read(DataInputView in) throws IOException;
}
