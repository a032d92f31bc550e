package io.bellwether.loadtest.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** A message as it is written by hand, field by field, also as no library would. */
final class Protobuf {

  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  Protobuf number(int field, long value) {
    varint((long) field << 3 | VARINT);
    varint(value);
    return this;
  }

  Protobuf decimal(int field, double value) {
    varint((long) field << 3 | FIXED_64);
    long bits = Double.doubleToRawLongBits(value);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes.write((int) (bits >>> shift));
    }
    return this;
  }

  Protobuf text(int field, String value) {
    return bytes(field, value.getBytes(UTF_8));
  }

  Protobuf message(int field, Protobuf value) {
    return bytes(field, value.toBytes());
  }

  Protobuf bytes(int field, byte[] value) {
    return bytes(field, value.length, value);
  }

  /** Of another length than it says. */
  Protobuf bytes(int field, long length, byte[] value) {
    varint((long) field << 3 | LENGTH);
    varint(length);
    bytes.writeBytes(value);
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }
}
