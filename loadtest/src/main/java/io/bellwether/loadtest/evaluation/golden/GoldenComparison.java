package io.bellwether.loadtest.evaluation.golden;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** All golden numbers of off-policy evaluation beside ours. Immutable. */
public record GoldenComparison(List<GoldenRow> rows) {

  /** How many numbers of one file there are, and how many of them are equal. */
  public record OfFile(int rows, int equal) {}

  public GoldenComparison {
    rows = List.copyOf(rows);
  }

  /**
   * Compares.
   *
   * @param golden the folder with the golden files
   * @param openBandit the folder of the Open Bandit Dataset with {@code bts/} and {@code random/};
   *     its file is left out where there is none
   * @param progress a line for each file
   */
  public static GoldenComparison of(
      Path golden, Optional<Path> openBandit, Consumer<String> progress) {
    GoldenFolder folder = new GoldenFolder(golden);
    List<GoldenRow> rows = new ArrayList<>();
    rows.addAll(GoldenChoices.ofTiny(folder));
    rows.addAll(GoldenChoices.ofSixHundred(folder));
    rows.addAll(GoldenSlates.of(folder));
    rows.addAll(GoldenEpisodes.of(folder));
    rows.addAll(GoldenIntervals.of(folder));
    rows.addAll(GoldenExtras.of(folder));
    rows.addAll(GoldenMisc.of(folder));
    openBandit.ifPresent(data -> rows.addAll(GoldenOpenBandit.of(folder, data)));
    GoldenComparison comparison = new GoldenComparison(rows);
    comparison
        .byFile()
        .forEach(
            (file, of) ->
                progress.accept("golden: %s, %d of %d equal".formatted(file, of.equal, of.rows)));
    return comparison;
  }

  /** Share of the numbers that are equal, in [0, 1]. */
  public double equalShare() {
    return rows.isEmpty()
        ? 0
        : (double) rows.stream().filter(GoldenRow::isEqual).count() / rows.size();
  }

  public List<GoldenRow> different() {
    return rows.stream().filter(row -> !row.isEqual()).toList();
  }

  public Map<String, OfFile> byFile() {
    Map<String, OfFile> files = new TreeMap<>();
    for (GoldenRow row : rows) {
      files.merge(
          row.file(),
          new OfFile(1, row.isEqual() ? 1 : 0),
          (left, right) -> new OfFile(left.rows + right.rows, left.equal + right.equal));
    }
    return files;
  }
}
