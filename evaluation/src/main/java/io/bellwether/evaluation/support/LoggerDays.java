package io.bellwether.evaluation.support;

import io.bellwether.evaluation.CompensatedSums;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Weights and action counts by logging version and day, in an open-addressed table. Days beyond
 * {@value #MAX_DAYS} are not told apart, only counted. Confined to one thread.
 */
final class LoggerDays {
  /** Ten versions over a year; 200 actions then take 20 MB. */
  static final int MAX_DAYS = 4096;

  private static final int CAPACITY = 4 * MAX_DAYS;

  private static final class Cell {
    final int logger;
    final int day;
    final long[] actions;

    /** Σ propensity by action. */
    final CompensatedSums expected;

    long decisions;

    /** Σw, Σw². */
    final CompensatedSums weights = new CompensatedSums(2);

    Cell(int logger, int day, int actions) {
      this.logger = logger;
      this.day = day;
      this.actions = new long[actions];
      expected = new CompensatedSums(actions);
    }
  }

  private final int actions;

  /** Cell number + 1 by hash of logger and day, 0 where free. */
  private final int[] table = new int[CAPACITY];

  private Cell[] cells = new Cell[16];
  private int size;
  private long beyond;

  LoggerDays(int actions) {
    this.actions = actions;
  }

  void add(int logger, int day, int action, double weight, ActionChances chances) {
    int number = numberOf(logger, day);
    if (number == MAX_DAYS) {
      beyond++;
      return;
    }
    Cell cell = cells[number];
    cell.decisions++;
    cell.actions[action]++;
    cell.weights.add(0, weight);
    cell.weights.add(1, weight * weight);
    for (int at = 0; at < chances.count; at++) {
      cell.expected.add(chances.actions[at], chances.chance[chances.actions[at]]);
    }
  }

  void merge(LoggerDays other) {
    beyond += other.beyond;
    for (int theirs = 0; theirs < other.size; theirs++) {
      Cell from = other.cells[theirs];
      int number = numberOf(from.logger, from.day);
      if (number == MAX_DAYS) {
        beyond += from.decisions;
      } else {
        Cell cell = cells[number];
        cell.decisions += from.decisions;
        cell.weights.merge(from.weights);
        cell.expected.merge(from.expected);
        for (int action = 0; action < actions; action++) {
          cell.actions[action] += from.actions[action];
        }
      }
    }
  }

  /** Decisions on days that are not told apart. */
  long beyond() {
    return beyond;
  }

  /** By version, then by day. */
  List<LoggerDay> result(List<String> loggers) {
    return IntStream.range(0, loggers.size())
        .boxed()
        .flatMap(logger -> ofLogger(logger, loggers.get(logger)).stream())
        .toList();
  }

  private List<LoggerDay> ofLogger(int logger, String name) {
    List<Cell> days =
        Arrays.stream(cells, 0, size)
            .filter(cell -> cell.logger == logger)
            .sorted((left, right) -> Integer.compare(left.day, right.day))
            .toList();
    double[] all = new double[actions];
    double[] likely = new double[actions];
    for (Cell day : days) {
      Arrays.setAll(all, action -> all[action] + day.actions[action]);
      Arrays.setAll(likely, action -> likely[action] + day.expected.get(action));
    }
    int[] known =
        IntStream.range(0, actions)
            .filter(action -> all[action] > 0 || likely[action] > 0)
            .toArray();
    double[] reference = of(known, action -> all[action]);
    long decisions = days.stream().mapToLong(day -> day.decisions).sum();
    return days.stream().map(day -> ofDay(name, day, decisions, reference, known)).toList();
  }

  private static LoggerDay ofDay(
      String logger, Cell cell, long loggerDecisions, double[] all, int[] known) {
    long n = cell.decisions;
    double mean = cell.weights.get(0) / n;
    double squares = Math.max(0, cell.weights.get(1) - n * mean * mean);
    double[] shown = of(known, action -> cell.actions[action]);
    double[] expected = of(known, cell.expected::get);
    return new LoggerDay(
        logger,
        LocalDate.ofEpochDay(cell.day),
        n,
        mean,
        n < 2 ? 0 : Math.sqrt(squares / (n - 1.0) / n),
        loggerDecisions,
        known.length,
        ActionShares.totalVariation(ActionShares.of(all, 0), ActionShares.of(shown, 0)),
        stabilityIndex(all, shown),
        stabilityIndex(expected, shown));
  }

  private static double stabilityIndex(double[] reference, double[] current) {
    return ActionShares.stabilityIndex(
        ActionShares.of(reference, 0.5), ActionShares.of(current, 0.5));
  }

  private static double[] of(int[] actions, IntToDoubleFunction amount) {
    return Arrays.stream(actions).mapToDouble(amount).toArray();
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(beyond);
    out.writeInt(size);
    for (int number = 0; number < size; number++) {
      Cell cell = cells[number];
      out.writeInt(cell.logger);
      out.writeInt(cell.day);
      out.writeLong(cell.decisions);
      out.writeDouble(cell.weights.get(0));
      out.writeDouble(cell.weights.get(1));
      for (int action = 0; action < actions; action++) {
        out.writeLong(cell.actions[action]);
        out.writeDouble(cell.expected.get(action));
      }
    }
  }

  void read(DataInput in) throws IOException {
    beyond = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      Cell cell = cells[numberOf(in.readInt(), in.readInt())];
      cell.decisions = in.readLong();
      cell.weights.add(0, in.readDouble());
      cell.weights.add(1, in.readDouble());
      for (int action = 0; action < actions; action++) {
        cell.actions[action] = in.readLong();
        cell.expected.add(action, in.readDouble());
      }
    }
  }

  /** The cell's number, made if it is new; {@link #MAX_DAYS} if there is no room. */
  private int numberOf(int logger, int day) {
    int slot = slotOf(logger, day);
    if (table[slot] == 0) {
      if (size == MAX_DAYS) {
        return MAX_DAYS;
      }
      if (size == cells.length) {
        cells = Arrays.copyOf(cells, 2 * size);
      }
      cells[size++] = new Cell(logger, day, actions);
      table[slot] = size;
    }
    return table[slot] - 1;
  }

  private int slotOf(int logger, int day) {
    long key = ((long) logger << 32) ^ (day & 0xFFFFFFFFL);
    int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 33) & (CAPACITY - 1);
    while (table[slot] != 0 && !isOf(cells[table[slot] - 1], logger, day)) {
      slot = (slot + 1) & (CAPACITY - 1);
    }
    return slot;
  }

  private static boolean isOf(Cell cell, int logger, int day) {
    return cell.logger == logger && cell.day == day;
  }
}
