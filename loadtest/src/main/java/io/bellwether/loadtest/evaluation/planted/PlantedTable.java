package io.bellwether.loadtest.evaluation.planted;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All planted failures with what became of them.
 *
 * @param sound the verdict on the same log with nothing wrong in it: a pass, or the failures prove
 *     nothing
 */
public record PlantedTable(String sound, List<PlantedResult> results) {
  public PlantedTable {
    results = List.copyOf(results);
  }

  /**
   * Plants and evaluates.
   *
   * @param work an empty folder for archives
   */
  public static PlantedTable of(long seed, Path work, Consumer<String> progress) throws Exception {
    SoundLog log = new SoundLog(seed);
    List<PlantedFailure> all = new ArrayList<>();
    all.addAll(new MissingSupport(log).all());
    all.addAll(new WrongPropensities(log).all());
    all.addAll(new RepeatedRows(log).all());
    all.addAll(new BadValues(log).all());
    all.addAll(new MisleadingRewards(log).all());
    all.addAll(new ArchivedFailures(work, seed).all());
    return of(log.outcome().verdict(), all, progress);
  }

  static PlantedTable of(String sound, List<PlantedFailure> failures, Consumer<String> progress)
      throws Exception {
    List<PlantedResult> results = new ArrayList<>();
    for (PlantedFailure failure : failures) {
      Outcome outcome = failure.evaluated().outcome();
      PlantedResult result =
          new PlantedResult(
              failure.name(),
              failure.diagnostic(),
              outcome.verdict(),
              outcome.names(failure.diagnostic()),
              outcome.found());
      results.add(result);
      progress.accept(
          "planted: %s: %s, %s"
              .formatted(
                  failure.name(),
                  result.verdict(),
                  result.named() ? failure.diagnostic() : "not named"));
    }
    return new PlantedTable(sound, results);
  }

  public boolean soundPasses() {
    return sound.equals(Outcome.PASS);
  }

  /** How many ended in a pass: none may. */
  public long passed() {
    return results.stream().filter(PlantedResult::isPassed).count();
  }

  /** How many their diagnostic did not name. */
  public long unnamed() {
    return results.stream().filter(result -> !result.named()).count();
  }
}
