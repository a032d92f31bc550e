package io.bellwether.trainer.algorithm;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that the rest of a stage depends on, as it is right after a report. Immutable; arrays are
 * shared.
 *
 * @param step steps that are done of this stage
 * @param values parameters, moments, slow copies and carried values, by name
 * @param memory what the engine's own parts remember, by name: prices, and what counts as usual
 * @param history reports of this stage so far
 */
@SuppressWarnings("ArrayRecordComponent")
public record Checkpoint(
    long step,
    SortedMap<String, float[]> values,
    SortedMap<String, double[]> memory,
    List<Progress> history) {

  public Checkpoint {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    memory = Collections.unmodifiableSortedMap(new TreeMap<>(memory));
    history = List.copyOf(history);
  }

  /** The first vector that holds something that is no finite number. */
  Optional<String> spoiled() {
    return values.entrySet().stream()
        .filter(vector -> !isFinite(vector.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static boolean isFinite(float[] vector) {
    for (float value : vector) {
      if (!Float.isFinite(value)) {
        return false;
      }
    }
    return true;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(step);
    out.writeInt(values.size());
    for (String name : values.keySet()) {
      out.writeUTF(name);
      out.writeInt(values.get(name).length);
      for (float value : values.get(name)) {
        out.writeInt(Float.floatToRawIntBits(value));
      }
    }
    out.writeInt(memory.size());
    for (String name : memory.keySet()) {
      out.writeUTF(name);
      out.writeInt(memory.get(name).length);
      for (double value : memory.get(name)) {
        out.writeDouble(value);
      }
    }
    out.writeInt(history.size());
    for (Progress progress : history) {
      out.writeLong(progress.step());
      out.writeInt(progress.gauges().size());
      for (String gauge : progress.gauges().keySet()) {
        out.writeUTF(gauge);
        out.writeDouble(progress.gauges().get(gauge));
      }
    }
  }

  static Checkpoint read(DataInputStream in) throws IOException {
    long step = in.readLong();
    SortedMap<String, float[]> values = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      float[] vector = new float[in.readInt()];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = Float.intBitsToFloat(in.readInt());
      }
      values.put(name, vector);
    }
    SortedMap<String, double[]> memory = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      double[] numbers = new double[in.readInt()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.readDouble();
      }
      memory.put(name, numbers);
    }
    List<Progress> history = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      long reported = in.readLong();
      SortedMap<String, Double> gauges = new TreeMap<>();
      for (int more = in.readInt(); more > 0; more--) {
        gauges.put(in.readUTF(), in.readDouble());
      }
      history.add(new Progress(reported, gauges));
    }
    return new Checkpoint(step, values, memory, history);
  }
}
