package io.bellwether.ingestion.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** A {@link WireFormat} as Flink wants it. Values are immutable, so that nothing is copied. */
final class WireSerializer<T> extends TypeSerializer<T> {

  private static final long serialVersionUID = 1L;

  private final WireFormat<T> format;

  WireSerializer(WireFormat<T> format) {
    this.format = format;
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public TypeSerializer<T> duplicate() {
    return this;
  }

  @Override
  @SuppressWarnings("NullAway") // Flink asks for one to reuse, which immutable values have not.
  public T createInstance() {
    return null;
  }

  @Override
  public T copy(T from) {
    return from;
  }

  @Override
  public T copy(T from, T reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(T value, DataOutputView target) throws IOException {
    format.write(value, target);
  }

  @Override
  public T deserialize(DataInputView source) throws IOException {
    return format.read(source);
  }

  @Override
  public T deserialize(T reuse, DataInputView source) throws IOException {
    return format.read(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    format.write(format.read(source), target);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WireSerializer<?> that
        && format.getClass().equals(that.format.getClass());
  }

  @Override
  public int hashCode() {
    return format.getClass().hashCode();
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    throw new UnsupportedOperationException("a wire format is not for state");
  }
}
