package io.bellwether.ingestion.wire;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.apache.flink.types.StringValue;
import org.jspecify.annotations.Nullable;

/** The parts of which wire formats consist. */
public final class Wire {

  private static final int NONE = -1;

  private Wire() {}

  public static void writeText(String text, DataOutput out) throws IOException {
    StringValue.writeString(text, out);
  }

  public static String readText(DataInput in) throws IOException {
    return Objects.requireNonNull(StringValue.readString(in));
  }

  public static void writeBytes(byte[] bytes, DataOutput out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  public static byte[] readBytes(DataInput in) throws IOException {
    return Objects.requireNonNull(readBytesOrNull(in));
  }

  public static void writeBytesOrNull(byte @Nullable [] bytes, DataOutput out) throws IOException {
    if (bytes == null) {
      out.writeInt(NONE);
    } else {
      writeBytes(bytes, out);
    }
  }

  public static byte @Nullable [] readBytesOrNull(DataInput in) throws IOException {
    int length = in.readInt();
    if (length == NONE) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
