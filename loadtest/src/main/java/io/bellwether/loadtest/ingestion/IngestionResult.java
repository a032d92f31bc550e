package io.bellwether.loadtest.ingestion;

import static io.bellwether.loadtest.result.Page.words;

import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Everything that one run of {@link IngestionBenchmark} saw. Immutable.
 *
 * @param rounds of the job beside the empty pipeline
 * @param restarted the job that was cut off again and again
 * @param open decisions that were held while the state was measured
 * @param openBytes bytes of the state with them
 */
public record IngestionResult(
    IngestionExtent extent,
    long seed,
    List<Round> rounds,
    Restarted restarted,
    long open,
    long openBytes,
    LargeEvents.Seen large,
    HistoryMemory.Used histories,
    double seconds)
    implements Measurement {

  private static final double SHARE = 0.5;
  private static final double LARGE_PER_SECOND = 2_000;
  private static final double GIB = 0.5;

  public IngestionResult {
    rounds = List.copyOf(rounds);
  }

  /**
   * One run of each over the same records.
   *
   * @param empty source, shuffle by key, and nothing
   * @param join the whole job
   * @param transitions that came out, restated ones each time
   * @param wrong decisions whose last transition is not the right one
   */
  record Round(long records, Cost empty, Cost join, long decisions, long transitions, long wrong) {

    /** Records per second of processor time, over the same of the empty pipeline. */
    double overEmpty() {
      return empty.cpuSeconds() / join.cpuSeconds();
    }
  }

  /**
   * @param seconds on the wall
   * @param cpuSeconds of the whole process
   */
  record Cost(double seconds, double cpuSeconds) {}

  /**
   * @param restarts from a checkpoint
   * @param wrong decisions whose last transition is not the right one
   */
  record Restarted(int restarts, long decisions, long wrong) {}

  /** The round in the middle by what it compares. */
  double joinOverEmpty() {
    return middle(Round::overEmpty);
  }

  double middle(ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  long rowsWrong() {
    return rounds.stream().mapToLong(Round::wrong).sum() + restarted.wrong();
  }

  long rowsChecked() {
    return rounds.stream().mapToLong(Round::decisions).sum() + restarted.decisions();
  }

  double stateBytesPerOpenDecision() {
    return (double) openBytes / open;
  }

  @Override
  public List<Requirement> requirements() {
    return List.of(
        new Requirement(
            "transitions other than a slow join's, in any order and after restarts",
            words("%,d of %,d", rowsWrong(), rowsChecked()),
            "none",
            Status.of(rowsWrong() == 0)),
        new Requirement(
            "throughput per core over an empty keyed pipeline",
            words("%.2f", joinOverEmpty()),
            "at least 0.50",
            Status.of(joinOverEmpty() >= SHARE)),
        new Requirement(
            "decisions of 10 KB a second, through Kafka, with joins",
            words("%,.0f", large.perSecond()),
            "above 2,000",
            Status.of(large.perSecond() > LARGE_PER_SECOND)),
        new Requirement(
            "Redis per million subjects with 50 recent signals each",
            words("%.2f GiB", histories.gibPerMillion()),
            "at most 0.5 GiB",
            Status.of(histories.gibPerMillion() <= GIB)));
  }
}
