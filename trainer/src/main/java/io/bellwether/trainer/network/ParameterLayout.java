package io.bellwether.trainer.network;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.trainer.graph.Shape;
import io.bellwether.trainer.graph.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where each weight of a network lies in one flat vector, and what it starts from.
 *
 * <p>One vector per network keeps the optimiser at a dozen operators whatever the number of layers,
 * and a checkpoint at one array. Immutable.
 */
public final class ParameterLayout {
  /** Purpose tag of the counter generator for first weights. */
  private static final long TAG = 901;

  private final List<Entry> entries;
  private final int size;

  /**
   * A weight drawn uniformly from {@code ±bound} at first; a bound of 0 starts at {@code offset}.
   */
  private record Entry(String name, Shape shape, int from, double bound, double offset) {}

  private ParameterLayout(List<Entry> entries, int size) {
    this.entries = List.copyOf(entries);
    this.size = size;
  }

  /** Number of floats of the whole network. */
  public int size() {
    return size;
  }

  /** First weights: a function of the seed, the network and the position, and of nothing else. */
  public Parameters initial(long seed, int network) {
    float[] values = new float[size];
    for (Entry entry : entries) {
      for (int i = 0; i < entry.shape.size(); i++) {
        double uniform = CounterRandom.uniform(seed, TAG, network, entry.from + i, 0);
        values[entry.from + i] = (float) (entry.offset + entry.bound * (2 * uniform - 1));
      }
    }
    return new Parameters(this, values);
  }

  Map<String, Tensor> split(Tensor flat, boolean asVariables) {
    Map<String, Tensor> result = new LinkedHashMap<>();
    for (Entry entry : entries) {
      Tensor weight = flat.graph().part(flat, entry.from, entry.shape);
      result.put(entry.name, asVariables ? weight.variable() : weight);
    }
    return result;
  }

  /** A vector that is one weight, and starts at 0. */
  public static ParameterLayout single(String name, int size) {
    Builder builder = new Builder();
    builder.constant(name, Shape.of(size), 0);
    return builder.build();
  }

  /** The weights' names in the order of the vector. */
  public List<String> names() {
    return entries.stream().map(Entry::name).toList();
  }

  /** The shape of one weight. */
  public Shape shape(String name) {
    return entry(name).shape;
  }

  /** The same weights in the same order, of which these have another shape. */
  ParameterLayout resized(Map<String, Shape> shapes) {
    Builder builder = new Builder();
    for (Entry entry : entries) {
      builder.add(
          entry.name, shapes.getOrDefault(entry.name, entry.shape), entry.bound, entry.offset);
    }
    return builder.build();
  }

  int from(String name) {
    return entry(name).from;
  }

  private Entry entry(String name) {
    return entries.stream()
        .filter(entry -> entry.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no weight is called " + name));
  }

  /** Collects weights in the order in which layers declare them. Confined to one thread. */
  static final class Builder {
    private final List<Entry> entries = new ArrayList<>();
    private int size;

    /** A weight that starts uniform in {@code ±bound}. */
    void uniform(String name, Shape shape, double bound) {
      add(name, shape, bound, 0);
    }

    /** A weight that starts uniform in {@code offset ± bound}. */
    void uniform(String name, Shape shape, double offset, double bound) {
      add(name, shape, bound, offset);
    }

    /** A weight that starts at one value. */
    void constant(String name, Shape shape, double value) {
      add(name, shape, 0, value);
    }

    private void add(String name, Shape shape, double bound, double offset) {
      entries.add(new Entry(name, shape, size, bound, offset));
      size = Math.addExact(size, Math.toIntExact(shape.size()));
    }

    ParameterLayout build() {
      return new ParameterLayout(entries, size);
    }
  }
}
