package io.bellwether.loadtest.evaluation.speed;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A synthetic log of decisions with one action each, in plain files that any tool reads: one file
 * per column, little-endian, no header.
 *
 * <ul>
 *   <li>{@code action.i32}, {@code reward.f64}, {@code propensity.f64}: {@code [rounds]}
 *   <li>{@code target.f64}, {@code prediction.f64}: {@code [rounds][actions]}, the target policy's
 *       probabilities and a reward model's predictions of all actions
 * </ul>
 *
 * <p>Immutable.
 *
 * @param rounds from 1 to 250 million
 * @param actions from 2 on
 */
record Rounds(Path folder, int rounds, int actions) {
  static final String REWARD = "reward";

  private static final int CHUNK = 1 << 14;
  private static final int CONTEXT = 4;

  Rounds {
    if (rounds < 1 || actions < 2) {
      throw new IllegalArgumentException(
          "at least one round of two actions, found %d of %d".formatted(rounds, actions));
    }
  }

  /** Draws a log; the same arguments give the same bytes on any number of cores. */
  static Rounds draw(Path folder, int rounds, int actions, long seed) throws IOException {
    Files.createDirectories(folder);
    Rounds drawn = new Rounds(folder, rounds, actions);
    World world = World.of(actions, seed);
    try (FileChannel action = create(folder.resolve("action.i32"));
        FileChannel reward = create(folder.resolve("reward.f64"));
        FileChannel propensity = create(folder.resolve("propensity.f64"));
        FileChannel target = create(folder.resolve("target.f64"));
        FileChannel prediction = create(folder.resolve("prediction.f64"))) {
      IntStream.range(0, (rounds + CHUNK - 1) / CHUNK)
          .parallel()
          .forEach(
              number -> {
                int from = number * CHUNK;
                Chunk chunk = new Chunk(world, Math.min(CHUNK, rounds - from));
                chunk.draw(new SplittableRandom(seed * 1_000_003 + number));
                write(chunk.action, action, (long) from * Integer.BYTES);
                write(chunk.reward, reward, (long) from * Double.BYTES);
                write(chunk.propensity, propensity, (long) from * Double.BYTES);
                write(chunk.target, target, (long) from * actions * Double.BYTES);
                write(chunk.prediction, prediction, (long) from * actions * Double.BYTES);
              });
    }
    return drawn;
  }

  /** What the estimators read: the chosen action's columns, and the model's mean over actions. */
  LoggedDecisions logged() throws IOException {
    double[] chosen = new double[rounds];
    double[] predicted = new double[rounds];
    double[] direct = new double[rounds];
    ByteBuffer action = map("action.i32", (long) rounds * Integer.BYTES);
    try (FileChannel targets = open("target.f64");
        FileChannel predictions = open("prediction.f64")) {
      int chunks = (rounds + Vectors.ROUNDS - 1) / Vectors.ROUNDS;
      AtomicInteger next = new AtomicInteger();
      IntStream.range(0, Runtime.getRuntime().availableProcessors())
          .parallel()
          .forEach(
              worker -> {
                Vectors vectors = new Vectors(actions);
                for (int chunk = next.getAndIncrement();
                    chunk < chunks;
                    chunk = next.getAndIncrement()) {
                  int first = chunk * Vectors.ROUNDS;
                  int count = Math.min(Vectors.ROUNDS, rounds - first);
                  vectors.read(targets, predictions, first, count);
                  for (int at = 0; at < count; at++) {
                    int row = first + at;
                    int shown = at * actions + action.getInt(row * Integer.BYTES);
                    chosen[row] = vectors.target.get(shown);
                    predicted[row] = vectors.prediction.get(shown);
                    direct[row] = vectors.mean(at * actions);
                  }
                }
              });
    }
    return LoggedDecisions.builder()
        .decisions(
            IntStream.range(0, rounds).toArray(),
            new int[rounds],
            IntStream.range(0, rounds).asLongStream().toArray())
        .logging(map("propensity.f64", (long) rounds * Double.BYTES).asDoubleBuffer())
        .target(chosen)
        .signal(
            REWARD,
            LoggedDecisions.Signal.modelled(
                map("reward.f64", (long) rounds * Double.BYTES).asDoubleBuffer(),
                DoubleBuffer.wrap(predicted),
                DoubleBuffer.wrap(direct)))
        .build();
  }

  /**
   * Both vectors of neighbouring rounds, read into buffers that are used again: mapping the files
   * would keep as much of them in memory as there is. Confined to one thread.
   */
  private static final class Vectors {
    static final int ROUNDS = 1 << 12;

    private final int actions;
    private final ByteBuffer targetBytes;
    private final ByteBuffer predictionBytes;
    final DoubleBuffer target;
    final DoubleBuffer prediction;

    Vectors(int actions) {
      this.actions = actions;
      targetBytes = buffer();
      predictionBytes = buffer();
      target = targetBytes.asDoubleBuffer();
      prediction = predictionBytes.asDoubleBuffer();
    }

    private ByteBuffer buffer() {
      return ByteBuffer.allocateDirect(ROUNDS * actions * Double.BYTES)
          .order(ByteOrder.LITTLE_ENDIAN);
    }

    void read(FileChannel targets, FileChannel predictions, int first, int count) {
      try {
        read(targets, targetBytes, first, count);
        read(predictions, predictionBytes, first, count);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void read(FileChannel file, ByteBuffer into, int first, int count) throws IOException {
      int width = actions * Double.BYTES;
      into.clear().limit(count * width);
      long place = (long) first * width;
      while (into.hasRemaining()) {
        int read = file.read(into, place);
        if (read < 0) {
          throw new EOFException("the file ends within round " + place / width);
        }
        place += read;
      }
    }

    double mean(int from) {
      double mean = 0;
      for (int each = from; each < from + actions; each++) {
        mean += target.get(each) * prediction.get(each);
      }
      return mean;
    }
  }

  private ByteBuffer map(String name, long bytes) throws IOException {
    try (FileChannel channel = open(name)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  private FileChannel open(String name) throws IOException {
    return FileChannel.open(folder.resolve(name), StandardOpenOption.READ);
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  private static void write(ByteBuffer bytes, FileChannel channel, long at) {
    try {
      bytes.rewind();
      long place = at;
      while (bytes.hasRemaining()) {
        place += channel.write(bytes, place);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Who likes what: an action's reward is a flag with chance sigmoid(w·x − 1), x standard normal.
   *
   * @param liking {@code [actions][CONTEXT]}
   * @param habit {@code [actions][CONTEXT]}: logits of the logging policy
   */
  @SuppressWarnings("ArrayRecordComponent") // drawn once, shared
  private record World(double[][] liking, double[][] habit) {
    static World of(int actions, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      return new World(matrix(actions, 0.8, random), matrix(actions, 0.6, random));
    }

    private static double[][] matrix(int rows, double scale, SplittableRandom random) {
      double[][] matrix = new double[rows][CONTEXT];
      for (double[] row : matrix) {
        for (int i = 0; i < CONTEXT; i++) {
          row[i] = scale * random.nextGaussian();
        }
      }
      return matrix;
    }
  }

  /** Consecutive rounds in memory; confined to one thread. */
  private static final class Chunk {
    private final World world;
    private final int rounds;
    private final int actions;
    private final ByteBuffer action;
    private final ByteBuffer reward;
    private final ByteBuffer propensity;
    private final ByteBuffer target;
    private final ByteBuffer prediction;

    Chunk(World world, int rounds) {
      this.world = world;
      this.rounds = rounds;
      actions = world.liking().length;
      action = buffer(Integer.BYTES);
      reward = buffer(Double.BYTES);
      propensity = buffer(Double.BYTES);
      target = buffer(actions * Double.BYTES);
      prediction = buffer(actions * Double.BYTES);
    }

    private ByteBuffer buffer(int width) {
      return ByteBuffer.allocate(rounds * width).order(ByteOrder.LITTLE_ENDIAN);
    }

    void draw(SplittableRandom random) {
      double[] context = new double[CONTEXT];
      double[] chance = new double[actions];
      double[] logging = new double[actions];
      double[] wanted = new double[actions];
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < CONTEXT; i++) {
          context[i] = random.nextGaussian();
        }
        for (int each = 0; each < actions; each++) {
          chance[each] = 1 / (1 + Math.exp(1 - dot(world.liking()[each], context)));
          logging[each] = dot(world.habit()[each], context);
          wanted[each] = 3 * chance[each];
        }
        softmax(logging);
        softmax(wanted);
        int shown = draw(logging, random.nextDouble());
        action.putInt(shown);
        propensity.putDouble(logging[shown]);
        reward.putDouble(random.nextDouble() < chance[shown] ? 1 : 0);
        for (int each = 0; each < actions; each++) {
          target.putDouble(wanted[each]);
          prediction.putDouble(chance[each] + 0.1 * (random.nextDouble() - 0.4));
        }
      }
    }

    private static double dot(double[] left, double[] right) {
      double sum = 0;
      for (int i = 0; i < left.length; i++) {
        sum += left[i] * right[i];
      }
      return sum;
    }

    private static void softmax(double[] logits) {
      double sum = 0;
      for (int i = 0; i < logits.length; i++) {
        logits[i] = Math.exp(logits[i]);
        sum += logits[i];
      }
      for (int i = 0; i < logits.length; i++) {
        logits[i] /= sum;
      }
    }

    private static int draw(double[] chances, double uniform) {
      double left = uniform;
      int last = chances.length - 1;
      for (int each = 0; each < last; each++) {
        left -= chances[each];
        if (left < 0) {
          return each;
        }
      }
      return last;
    }
  }
}
