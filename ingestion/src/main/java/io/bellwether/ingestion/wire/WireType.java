package io.bellwether.ingestion.wire;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * A type of which only streams are made: its bytes are {@link WireFormat a format's}. Not for
 * state. Immutable.
 */
public final class WireType<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final WireFormat<T> format;

  public WireType(Class<T> type, WireFormat<T> format) {
    this.type = type;
    this.format = format;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new WireSerializer<>(format);
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof WireType;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WireType<?> that
        && type.equals(that.type)
        && format.getClass().equals(that.format.getClass());
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public String toString() {
    return "WireType<" + type.getSimpleName() + ">";
  }
}
