package io.bellwether.ingestion.metrics;

import io.bellwether.ingestion.event.Buckets;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import java.util.ArrayList;
import java.util.List;

/**
 * All that is counted of one variant in one slice of a phase: state of {@link PoolNumbers}, public
 * and with public fields so that Flink serializes it. Confined to its task's thread.
 */
public final class Pool {

  public String experiment = "";
  public int phase;
  public String variant = "";
  public boolean shadow;
  public String slice = "";

  /** The columns of a unit's row; none for a shadow. */
  public List<String> columns = List.of();

  /** The surface's signals, of each of which {@link #distributions} has one. */
  public List<String> signals = List.of();

  public long units;

  /** {@code [columns]} and what these sums lost to rounding. */
  public double[] sums = {};

  public double[] sumsLost = {};

  /** The lower triangle of products of two columns, row by row, and what they lost. */
  public double[] products = {};

  public double[] productsLost = {};

  public Histogram[] distributions = {};

  public long exposures;
  public long degraded;
  public long forced;
  public long crossovers;
  public Histogram decisionMicros = new Histogram();
  public double agreement;
  public double distance;
  public long newestMicros;

  /** Milliseconds since the epoch by the wall clock; 0: never. */
  public long changedAtMillis;

  /** When it is looked at next; 0: never. */
  public long dueAtMillis;

  /** One that is empty; also for Flink. */
  public Pool() {}

  static Pool of(NumbersChange change, UnitColumns layout) {
    Pool pool = new Pool();
    pool.experiment = change.experiment();
    pool.phase = change.phase();
    pool.variant = change.variant();
    pool.shadow = change.shadow();
    pool.slice = change.slice();
    if (!change.shadow()) {
      pool.lay(layout);
    }
    return pool;
  }

  private void lay(UnitColumns layout) {
    columns = layout.names();
    signals = layout.signals();
    int size = columns.size();
    sums = new double[size];
    sumsLost = new double[size];
    products = new double[size * (size + 1) / 2];
    productsLost = new double[products.length];
    distributions = new Histogram[signals.size()];
    for (int signal = 0; signal < distributions.length; signal++) {
      distributions[signal] = new Histogram();
    }
  }

  /** When the surface has other signals now: what is counted of the others stays. */
  void relay(UnitColumns layout) {
    if (shadow || columns.equals(layout.names())) {
      return;
    }
    Pool older = new Pool();
    older.columns = columns;
    older.signals = signals;
    older.sums = sums;
    older.sumsLost = sumsLost;
    older.products = products;
    older.productsLost = productsLost;
    older.distributions = distributions;
    lay(layout);
    for (int row = 0; row < columns.size(); row++) {
      int from = older.columns.indexOf(columns.get(row));
      if (from < 0) {
        continue;
      }
      sums[row] = older.sums[from];
      sumsLost[row] = older.sumsLost[from];
      for (int column = 0; column <= row; column++) {
        int other = older.columns.indexOf(columns.get(column));
        if (other >= 0) {
          int place = product(Math.max(from, other), Math.min(from, other));
          products[product(row, column)] = older.products[place];
          productsLost[product(row, column)] = older.productsLost[place];
        }
      }
    }
    for (int signal = 0; signal < signals.size(); signal++) {
      int from = older.signals.indexOf(signals.get(signal));
      if (from >= 0) {
        distributions[signal] = older.distributions[from];
      } else if (units > 0) {
        distributions[signal].add(0, units);
      }
    }
  }

  void apply(NumbersChange change, UnitColumns layout) {
    double[] before = change.before();
    double[] after = change.after();
    units += (after.length > 0 ? 1 : 0) - (before.length > 0 ? 1 : 0);
    move(before, after);
    for (int signal = 0; signal < distributions.length; signal++) {
      int column = layout.total(signal);
      boolean moved = before.length == 0 || after.length == 0 || before[column] != after[column];
      if (moved && before.length > 0) {
        distributions[signal].add(before[column], -1);
      }
      if (moved && after.length > 0) {
        distributions[signal].add(after[column], 1);
      }
    }
    exposures += change.exposures();
    degraded += change.degraded();
    forced += change.forced();
    crossovers += change.crossovers();
    if (change.decisionMicros() > 0) {
      decisionMicros.add(change.decisionMicros(), 1);
    }
    agreement += change.agreement();
    distance += change.distance();
    newestMicros = Math.max(newestMicros, change.newestMicros());
  }

  /** Takes a row out of the moments and puts another in; what is equal in both stays. */
  private void move(double[] before, double[] after) {
    int size = Math.max(before.length, after.length);
    int place = 0;
    for (int row = 0; row < size; row++) {
      double oldRow = before.length > 0 ? before[row] : 0;
      double newRow = after.length > 0 ? after[row] : 0;
      if (oldRow != newRow) {
        exchange(sums, sumsLost, row, oldRow, newRow);
      }
      for (int column = 0; column <= row; column++, place++) {
        double oldColumn = before.length > 0 ? before[column] : 0;
        double newColumn = after.length > 0 ? after[column] : 0;
        if (oldRow != newRow || oldColumn != newColumn) {
          exchange(products, productsLost, place, oldRow * oldColumn, newRow * newColumn);
        }
      }
    }
  }

  private static void exchange(double[] sums, double[] lost, int place, double out, double in) {
    if (out != 0) {
      Neumaier.add(sums, lost, place, -out);
    }
    if (in != 0) {
      Neumaier.add(sums, lost, place, in);
    }
  }

  private static int product(int row, int column) {
    return row * (row + 1) / 2 + column;
  }

  VariantNumbers numbers(long writtenAtMicros) {
    List<Buckets> named = new ArrayList<>();
    for (int signal = 0; signal < distributions.length; signal++) {
      named.add(distributions[signal].named(distributed(signal)));
    }
    return VariantNumbers.newBuilder()
        .setExperiment(experiment)
        .setPhase(phase)
        .setVariant(variant)
        .setKind(shadow ? ExposureKind.SHADOW : ExposureKind.SHOWN)
        .setSlice(slice)
        .setColumns(columns)
        .setUnits(units)
        .setSums(boxed(sums, sumsLost))
        .setProducts(boxed(products, productsLost))
        .setDistributions(named)
        .setExposures(exposures)
        .setDegraded(degraded)
        .setForced(forced)
        .setCrossovers(crossovers)
        .setDecisionMicros(decisionMicros.named(""))
        .setAgreement(agreement)
        .setDistance(distance)
        .setNewestMicros(newestMicros)
        .setWrittenAtMicros(writtenAtMicros)
        .build();
  }

  /** The column that a signal's distribution is of: its total, or its credit. */
  private String distributed(int signal) {
    String total = signals.get(signal);
    return columns.contains(total) ? total : UnitColumns.credit(total);
  }

  private static List<Double> boxed(double[] sums, double[] lost) {
    List<Double> boxed = new ArrayList<>(sums.length);
    for (int i = 0; i < sums.length; i++) {
      boxed.add(sums[i] + lost[i]);
    }
    return boxed;
  }
}
