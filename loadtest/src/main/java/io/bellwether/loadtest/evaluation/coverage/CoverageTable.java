package io.bellwether.loadtest.evaluation.coverage;

import io.bellwether.loadtest.evaluation.synthetic.FirstVideos;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** All studies' intervals with how often they held the truth. Immutable. */
public record CoverageTable(int logs, List<CoverageCell> cells) {
  private static final int REPLICATES = 500;
  private static final int PART = 16;
  private static final int[] SIZES = {500, 2_000};

  public CoverageTable {
    cells = List.copyOf(cells);
  }

  /**
   * Draws the logs and counts.
   *
   * @param logs of each study, at least 1
   * @param truthVisits simulated visits for the truth of what cannot be calculated
   * @param seed of everything; a log's seed is this plus its number
   */
  public static CoverageTable of(int logs, int truthVisits, long seed, Consumer<String> progress) {
    List<CoverageCell> cells = new ArrayList<>();
    for (CoverageStudy study : studies(truthVisits, seed)) {
      List<CoverageCell> ofStudy = measure(study, logs, seed);
      cells.addAll(ofStudy);
      progress.accept(line(study, ofStudy));
    }
    return new CoverageTable(logs, cells);
  }

  private static List<CoverageStudy> studies(int truthVisits, long seed) {
    FirstVideos videos = new FirstVideos();
    FirstVideos.Truth target = videos.targetTruth(truthVisits, ~seed);
    FirstVideos.Truth logging = videos.loggingTruth(truthVisits, ~seed);
    List<CoverageStudy> studies = new ArrayList<>();
    studies.add(ChoiceStudy.of(100, REPLICATES));
    for (int size : SIZES) {
      studies.add(ChoiceStudy.of(size, REPLICATES));
      studies.add(ChampionStudy.of(size));
      studies.add(ClusterStudy.of(size));
      studies.add(SlateStudy.of(size));
      studies.add(SubjectStudy.of(size, REPLICATES));
      studies.add(EpisodeStudy.of(size));
      studies.add(new VideoStudy(size, videos, target, logging));
    }
    return studies;
  }

  /** Parts of neighbouring logs on all cores, joined in order. */
  static List<CoverageCell> measure(CoverageStudy study, int logs, long seed) {
    return IntStream.range(0, (logs + PART - 1) / PART)
        .parallel()
        .mapToObj(
            part -> {
              IntervalTally tally = new IntervalTally();
              for (int log = part * PART; log < Math.min(logs, (part + 1) * PART); log++) {
                study.measure(seed + log, tally);
              }
              return tally;
            })
        .reduce(new IntervalTally(), (left, right) -> new IntervalTally().join(left).join(right))
        .cells(study.name(), study.decisions());
  }

  private static String line(CoverageStudy study, List<CoverageCell> cells) {
    double[] exact =
        cells.stream()
            .filter(CoverageCell::isExact)
            .mapToDouble(CoverageCell::share)
            .sorted()
            .toArray();
    return exact.length == 0
        ? "coverage: %s, %d".formatted(study.name(), study.decisions())
        : String.format(
            Locale.ROOT,
            "coverage: %s, %d: %.1f to %.1f %%",
            study.name(),
            study.decisions(),
            100 * exact[0],
            100 * exact[exact.length - 1]);
  }

  /** The lowest share among the intervals that are meant to be exact, in [0, 1]. */
  public double least() {
    return exact().stream().mapToDouble(CoverageCell::share).min().orElse(0);
  }

  /** The highest one. */
  public double most() {
    return exact().stream().mapToDouble(CoverageCell::share).max().orElse(1);
  }

  /** The standard error of a share of 95 %, from the number of logs. */
  public double monteCarloError() {
    return Math.sqrt(0.95 * 0.05 / logs);
  }

  public List<CoverageCell> exact() {
    return cells.stream().filter(CoverageCell::isExact).toList();
  }

  public List<CoverageCell> others() {
    return cells.stream().filter(cell -> !cell.isExact()).toList();
  }
}
