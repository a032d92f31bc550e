package io.bellwether.loadtest.learning.kuairand;

import io.bellwether.loadtest.learning.kuairand.KuaiRandLog.Row;
import io.bellwether.trainer.algorithm.LearnerData;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log of KuaiRand as rows to learn from and rows to be judged on, split in time. Every kept video
 * is a candidate of every row. What a row says of a person comes from before it, and what it says
 * of a video from before the split. Immutable; arrays are shared.
 *
 * @param users whom each row of {@code test} was for, numbered from 0
 */
@SuppressWarnings("ArrayRecordComponent") // shared, not compared
record KuaiRandData(NetworkSchema schema, LearnerData train, LearnerData test, long[] users) {
  private static final double KEEP = 0.9;
  private static final long SESSION_GAP = Duration.ofMinutes(30).toMillis();
  private static final long MILLIS_PER_HOUR = Duration.ofHours(1).toMillis();
  private static final int HOURS = 24;
  private static final int SIGNALS = KuaiRandLog.SIGNALS.size();
  private static final int CONTEXT = SIGNALS + 2;
  private static final int ITEM = SIGNALS + 3;

  /** Of the last rows before the split and the first behind it, at most {@code most} each. */
  static KuaiRandData of(KuaiRandLog log, int most) {
    float[] videos = videos(log);
    Map<String, Person> people = new HashMap<>();
    Block train = new Block(log, videos, Math.min(most, log.split()));
    Block test = new Block(log, videos, Math.min(most, log.rows().size() - log.split()));
    int from = log.split() - train.size;
    for (int i = 0; i < log.split() + test.size; i++) {
      Row row = log.rows().get(i);
      Person person = people.computeIfAbsent(row.user(), user -> new Person(people.size()));
      if (i >= from) {
        (i < log.split() ? train : test).add(i, row, person);
      }
      person.saw(row);
    }
    return new KuaiRandData(schema(log), train.data(), test.data(), test.users);
  }

  static NetworkSchema schema(KuaiRandLog log) {
    List<Column> context = new ArrayList<>();
    KuaiRandLog.SIGNALS.forEach(signal -> context.add(new Column.Number("recent_" + signal)));
    context.add(new Column.Number("seen"));
    context.add(new Column.Number("hour"));
    List<Column> item = new ArrayList<>();
    item.add(new Column.Category("video", log.videos().size() + 1));
    KuaiRandLog.SIGNALS.forEach(signal -> item.add(new Column.Number("mean_" + signal)));
    item.add(new Column.Number("views"));
    item.add(new Column.Number("duration"));
    return new NetworkSchema(context, List.of(), 0, item, KuaiRandLog.SIGNALS);
  }

  /** {@code [video * ITEM + column]}, from before the split alone. */
  private static float[] videos(KuaiRandLog log) {
    int count = log.videos().size();
    double[] sums = new double[count * SIGNALS];
    double[] seconds = new double[count];
    long[] views = new long[count];
    for (Row row : log.rows().subList(0, log.split())) {
      for (int signal = 0; signal < SIGNALS; signal++) {
        sums[row.video() * SIGNALS + signal] += row.rewards()[signal];
      }
      seconds[row.video()] += row.durationSeconds();
      views[row.video()]++;
    }
    float[] videos = new float[count * ITEM];
    for (int video = 0; video < count; video++) {
      int at = video * ITEM;
      videos[at] = video + 1;
      for (int signal = 0; signal < SIGNALS; signal++) {
        videos[at + 1 + signal] = (float) (sums[video * SIGNALS + signal] / views[video]);
      }
      videos[at + 1 + SIGNALS] = (float) Math.log((double) views[video]);
      videos[at + 2 + SIGNALS] = (float) Math.log1p(seconds[video] / views[video]);
    }
    return videos;
  }

  /** What is known of a person so far. */
  private static final class Person {
    private final int number;
    private final double[] recent = new double[SIGNALS];
    private int seen;
    private long lastMillis;

    Person(int number) {
      this.number = number;
    }

    void saw(Row row) {
      for (int signal = 0; signal < SIGNALS; signal++) {
        recent[signal] = KEEP * recent[signal] + (1 - KEEP) * row.rewards()[signal];
      }
      seen++;
      lastMillis = row.millis();
    }
  }

  /** Rows of one side of the split. */
  private static final class Block {
    private final int size;
    private final float[] videos;
    private final LearnerData data;
    private final long[] users;
    private final Map<Integer, Integer> lastRowOf = new HashMap<>();
    private int row;

    Block(KuaiRandLog log, float[] videos, int size) {
      this.size = size;
      this.videos = videos;
      int count = log.videos().size();
      int[] offsets = new int[size + 1];
      for (int i = 0; i <= size; i++) {
        offsets[i] = i * count;
      }
      int[] next = new int[size];
      Arrays.fill(next, -1);
      double[] propensity = new double[size];
      Arrays.fill(propensity, 1.0 / count);
      float[] weight = new float[size];
      Arrays.fill(weight, 1);
      this.data =
          new LearnerData(
              new float[size * CONTEXT],
              new float[0],
              offsets,
              new float[size * count * ITEM],
              new boolean[size * count],
              new int[size],
              propensity,
              new float[size * SIGNALS],
              new boolean[size],
              next,
              new long[size],
              weight);
      this.users = new long[size];
    }

    void add(int id, Row from, Person person) {
      int at = row * CONTEXT;
      for (double recent : person.recent) {
        data.context()[at++] = (float) recent;
      }
      data.context()[at++] = (float) Math.log1p(person.seen);
      data.context()[at] = (float) (from.millis() / MILLIS_PER_HOUR % HOURS);
      System.arraycopy(videos, 0, data.items(), row * videos.length, videos.length);
      data.action()[row] = from.video();
      System.arraycopy(from.rewards(), 0, data.rewards(), row * SIGNALS, SIGNALS);
      data.rowId()[row] = id;
      users[row] = person.number;
      Integer before = lastRowOf.put(person.number, row);
      if (before != null) {
        boolean left = from.millis() - person.lastMillis > SESSION_GAP;
        data.terminated()[before] = left;
        data.next()[before] = left ? -1 : row;
      }
      row++;
    }

    LearnerData data() {
      return data;
    }
  }
}
