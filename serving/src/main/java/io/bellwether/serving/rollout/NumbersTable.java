package io.bellwether.serving.rollout;

import io.bellwether.ingestion.event.Buckets;
import io.bellwether.ingestion.event.ExposureKind;
import io.bellwether.ingestion.event.VariantNumbers;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The latest numbers of every variant of every experiment. One record stands for all that was
 * counted of its key, so that the newest replaces what was there; reading the topic again from its
 * beginning therefore changes nothing. Thread-safe.
 */
@Singleton
final class NumbersTable {

  private final Map<String, Counted> byExperiment = new HashMap<>();

  /** What one record counts. */
  private record Key(int phase, ExposureKind kind, String variant, String slice)
      implements Comparable<Key> {

    private static final Comparator<Key> ORDER =
        Comparator.comparingInt(Key::phase)
            .thenComparing(Key::kind)
            .thenComparing(Key::variant)
            .thenComparing(Key::slice);

    static Key of(VariantNumbers numbers) {
      return new Key(
          numbers.getPhase(), numbers.getKind(), numbers.getVariant(), numbers.getSlice());
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * The streams write all numbers at the same whole seconds. A transaction may end between two of
   * them; what was written longer ago than this is of a variant that nobody has met for minutes.
   */
  private static final long SILENT_MICROS = 5_000_000;

  private static final class Counted {
    private final Map<Key, VariantNumbers> latest = new TreeMap<>();
    private ExperimentNumbers whole = ExperimentNumbers.NONE;
    private long contents;

    /** Shows the numbers once all that are still written are of one moment. */
    void show() {
      long newest =
          latest.values().stream().mapToLong(VariantNumbers::getWrittenAtMicros).max().orElse(0);
      boolean ofOneMoment =
          latest.values().stream()
              .mapToLong(VariantNumbers::getWrittenAtMicros)
              .allMatch(written -> written == newest || written < newest - SILENT_MICROS);
      if (ofOneMoment) {
        showNow();
      }
    }

    void showNow() {
      whole = new ExperimentNumbers(whole.changes() + 1, contents, List.copyOf(latest.values()));
    }
  }

  /**
   * The numbers of one experiment at a moment. Its records must not be changed.
   *
   * @param changes tells one state of the numbers from another
   * @param content tells what they say from what they said: that they were counted again and are
   *     the same does not change it
   * @param records by phase, kind, variant and slice, in this order
   */
  record ExperimentNumbers(long changes, long content, List<VariantNumbers> records) {

    static final ExperimentNumbers NONE = new ExperimentNumbers(0, 0, List.of());

    ExperimentNumbers {
      records = List.copyOf(records);
    }

    /** The records of one phase and kind. */
    List<VariantNumbers> of(int phase, ExposureKind kind) {
      return records.stream().filter(r -> r.getPhase() == phase && r.getKind() == kind).toList();
    }

    /** The newest exposure or outcome that is in; empty while there is none. */
    Optional<Instant> newestAt() {
      return records.stream()
          .map(VariantNumbers::getNewestMicros)
          .max(Long::compare)
          .map(NumbersTable::instant);
    }

    /**
     * Until when everything of a phase was counted: every variant that was met has been written at
     * this time or later. Empty while nothing of the phase was counted.
     */
    Optional<Instant> countedUntil(int phase) {
      Map<String, Long> newest = new HashMap<>();
      for (VariantNumbers record : records) {
        if (record.getPhase() == phase) {
          newest.merge(
              record.getKind() + "/" + record.getVariant(), record.getWrittenAtMicros(), Math::max);
        }
      }
      return newest.values().stream().min(Long::compare).map(NumbersTable::instant);
    }
  }

  /**
   * Takes a record, unless a newer one of its key is there.
   *
   * @throws IllegalArgumentException where what it says does not fit together: nothing could be
   *     computed from it, and what was known grows old
   */
  synchronized void apply(VariantNumbers record) {
    requireShape(record);
    Counted counted = byExperiment.computeIfAbsent(record.getExperiment(), name -> new Counted());
    Key key = Key.of(record);
    VariantNumbers known = counted.latest.get(key);
    if (known == null || known.getWrittenAtMicros() <= record.getWrittenAtMicros()) {
      counted.latest.put(key, record);
      if (known == null || !sameContent(known, record)) {
        counted.contents++;
      }
      counted.show();
    }
  }

  /**
   * Shows what is there, of one moment or not: what fell silent at several is complete as it is.
   */
  synchronized void showAll() {
    byExperiment.values().forEach(Counted::showNow);
  }

  private static void requireShape(VariantNumbers record) {
    int columns = Set.copyOf(record.getColumns()).size();
    boolean fits =
        record.getUnits() >= 0
            && columns == record.getColumns().size()
            && columns == record.getSums().size()
            && columns * (columns + 1) / 2 == record.getProducts().size()
            && isShaped(record.getDecisionMicros())
            && record.getDistributions().stream().allMatch(NumbersTable::isShaped);
    if (!fits) {
      throw new IllegalArgumentException(
          "%d units, %d columns, %d sums, %d products, or uneven buckets"
              .formatted(
                  record.getUnits(),
                  record.getColumns().size(),
                  record.getSums().size(),
                  record.getProducts().size()));
    }
  }

  private static boolean isShaped(Buckets buckets) {
    int count = buckets.getBuckets().size();
    return count == buckets.getCounts().size()
        && count == buckets.getSums().size()
        && count == buckets.getSquares().size();
  }

  /** Whatever is counted moves one of these. */
  private static boolean sameContent(VariantNumbers first, VariantNumbers second) {
    return first.getUnits() == second.getUnits()
        && first.getExposures() == second.getExposures()
        && first.getDegraded() == second.getDegraded()
        && first.getForced() == second.getForced()
        && first.getCrossovers() == second.getCrossovers()
        && first.getNewestMicros() == second.getNewestMicros()
        && first.getSums().equals(second.getSums());
  }

  /** What is known of an experiment: all of it counted up to the same moment. */
  synchronized ExperimentNumbers of(String experiment) {
    Counted counted = byExperiment.get(experiment);
    return counted == null ? ExperimentNumbers.NONE : counted.whole;
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
