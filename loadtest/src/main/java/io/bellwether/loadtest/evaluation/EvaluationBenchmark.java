package io.bellwether.loadtest.evaluation;

import io.bellwether.loadtest.evaluation.coverage.CoverageTable;
import io.bellwether.loadtest.evaluation.golden.GoldenComparison;
import io.bellwether.loadtest.evaluation.planted.PlantedTable;
import io.bellwether.loadtest.evaluation.planted.SelfEvaluation;
import io.bellwether.loadtest.evaluation.speed.SpeedComparison;
import io.bellwether.loadtest.evaluation.speed.SpeedMeasurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures whether the evaluation of policies can be trusted, and how fast it is: golden numbers,
 * planted failures, coverage of intervals, speed and memory beside NumPy. Uses all cores; speed is
 * measured last, by processes of its own. Immutable.
 *
 * @param inputs what is compared with and run
 * @param extent how much is measured
 * @param seed of everything random
 */
public record EvaluationBenchmark(Inputs inputs, BenchmarkExtent extent, long seed) {

  /**
   * What is on this machine.
   *
   * @param golden folder with the golden files
   * @param openBandit folder of the Open Bandit Dataset, where it is at hand
   * @param java the executable for processes of our own
   * @param classPath theirs
   * @param python the name of a Python that may have NumPy
   */
  public record Inputs(
      Path golden, Optional<Path> openBandit, Path java, String classPath, String python) {}

  /**
   * Measures everything.
   *
   * @param work an empty folder; the caller deletes it
   * @param progress takes a line now and then
   */
  public EvaluationResult run(Path work, Consumer<String> progress) throws Exception {
    long start = System.nanoTime();
    GoldenComparison golden = GoldenComparison.of(inputs.golden, inputs.openBandit, progress);
    PlantedTable planted = PlantedTable.of(seed, folder(work, "planted"), progress);
    SelfEvaluation self = SelfEvaluation.of(seed);
    CoverageTable coverage = CoverageTable.of(extent.logs(), extent.truthVisits(), seed, progress);
    SpeedComparison speed =
        new SpeedMeasurement(
                inputs.java, inputs.classPath, inputs.python, folder(work, "speed"), progress)
            .measure(extent.speed(), seed);
    return new EvaluationResult(
        extent, seed, golden, coverage, planted, self, speed, (System.nanoTime() - start) / 1e9);
  }

  private static Path folder(Path work, String name) throws IOException {
    return Files.createDirectories(work.resolve(name));
  }
}
