package io.bellwether.trainer.imports;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * One line of an Open Bandit log: one item, shown once at one place of the banner.
 *
 * @param decidedAtMicros microseconds since the epoch
 * @param item the shown item's number
 * @param place 1 (left), 2 (centre) or 3 (right)
 * @param clicked the reward
 * @param propensity chance that the logging policy shows this item at this place; (0, 1]
 * @param userFeatures four hashed categories; empty text where one is missing
 * @param affinities past clicks of this user per item number; NaN where not given
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record OpenBanditRow(
    long decidedAtMicros,
    int item,
    int place,
    boolean clicked,
    double propensity,
    List<String> userFeatures,
    float[] affinities) {

  static final int USER_FEATURES = 4;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .appendOffset("+HH:MM", "+00:00")
          .toFormatter();

  /**
   * Where each column stands in a file.
   *
   * @param affinity column of each item number's affinity, or -1
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  record Columns(
      int count,
      int timestamp,
      int item,
      int place,
      int click,
      int propensity,
      int[] userFeature,
      int[] affinity) {

    /**
     * Reads a header line.
     *
     * @param items how many items the campaign has
     * @throws UnreadableLine when a column is missing
     */
    static Columns of(String header, int items) throws UnreadableLine {
      List<String> names = CsvLine.split(header);
      int[] userFeature = new int[USER_FEATURES];
      for (int i = 0; i < USER_FEATURES; i++) {
        userFeature[i] = required(names, "user_feature_" + i);
      }
      int[] affinity = new int[items];
      for (int i = 0; i < items; i++) {
        affinity[i] = names.indexOf("user-item_affinity_" + i);
      }
      int propensity = names.indexOf("propensity_score");
      if (propensity < 0) {
        propensity = names.indexOf("action_prob");
      }
      if (propensity < 0) {
        throw new UnreadableLine("has no column propensity_score or action_prob");
      }
      return new Columns(
          names.size(),
          required(names, "timestamp"),
          required(names, "item_id"),
          required(names, "position"),
          required(names, "click"),
          propensity,
          userFeature,
          affinity);
    }

    private static int required(List<String> names, String name) throws UnreadableLine {
      int at = names.indexOf(name);
      if (at < 0) {
        throw new UnreadableLine("has no column " + name + "; it has " + String.join(", ", names));
      }
      return at;
    }
  }

  /**
   * Reads one line.
   *
   * @throws UnreadableLine when any field is not what it must be
   */
  static OpenBanditRow parse(String line, Columns columns) throws UnreadableLine {
    List<String> fields = CsvLine.split(line);
    if (fields.size() != columns.count()) {
      throw new UnreadableLine(
          "has " + fields.size() + " fields, must have " + columns.count() + " like the header");
    }
    int items = columns.affinity().length;
    List<String> userFeatures = new ArrayList<>(USER_FEATURES);
    for (int column : columns.userFeature()) {
      userFeatures.add(fields.get(column));
    }
    float[] affinities = new float[items];
    for (int i = 0; i < items; i++) {
      affinities[i] = affinity(i, columns, fields);
    }
    return new OpenBanditRow(
        micros(fields.get(columns.timestamp())),
        CsvLine.integer("item_id", fields.get(columns.item()), 0, items - 1),
        CsvLine.integer("position", fields.get(columns.place()), 1, 3),
        CsvLine.integer("click", fields.get(columns.click()), 0, 1) == 1,
        propensity(fields.get(columns.propensity())),
        userFeatures,
        affinities);
  }

  private static float affinity(int item, Columns columns, List<String> fields)
      throws UnreadableLine {
    int column = columns.affinity()[item];
    String text = column < 0 ? "" : fields.get(column);
    if (text.isEmpty()) {
      return Float.NaN;
    }
    String name = "user-item_affinity_" + item;
    double value = CsvLine.number(name, text);
    if (value < 0 || value > Float.MAX_VALUE) {
      throw new UnreadableLine(name + " is '" + text + "', must be a count");
    }
    return (float) value;
  }

  private static double propensity(String text) throws UnreadableLine {
    double value = CsvLine.number("propensity", text);
    if (value <= 0 || value > 1) {
      throw new UnreadableLine("propensity is '" + text + "', must be above 0 and at most 1");
    }
    return value;
  }

  private static long micros(String text) throws UnreadableLine {
    try {
      return ChronoUnit.MICROS.between(
          java.time.Instant.EPOCH, TIME.parse(text, OffsetDateTime::from).toInstant());
    } catch (DateTimeException e) {
      throw new UnreadableLine(
          "timestamp is '" + text + "', must be like 2019-11-24 00:01:03.979311+00:00");
    }
  }
}
