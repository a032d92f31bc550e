package io.bellwether.loadtest.learning;

import io.bellwether.loadtest.learning.LearningResult.Cost;
import io.bellwether.loadtest.learning.bsim.CellFolder;
import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.bsim.SimulatedCell;
import io.bellwether.loadtest.learning.bsim.SimulatedRuns;
import io.bellwether.loadtest.learning.tabular.TabularStudy;
import io.bellwether.trainer.recipe.CodeDigest;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Compares the trainer's algorithms where the truth is known, and measures what learning costs.
 *
 * <p>Cells of the comparison are kept, so that a run that was cut off goes on where it was. All
 * else takes seconds to minutes and is done anew.
 */
public final class LearningBenchmark {

  /** What can be measured by itself. */
  public enum Part {
    /** Algorithms on the simulated tasks. */
    BSIM,
    /** Small constrained processes with known optima. */
    TABULAR,
    /** What learning costs, beside others on this machine. */
    SPEED
  }

  /** Measures what learning costs; takes minutes in which nothing else should run. */
  @FunctionalInterface
  public interface Costs {
    List<Cost> measure() throws Exception;
  }

  private final LearningExtent extent;
  private final Set<Part> parts;
  private final long seed;
  private final Costs costs;
  private final Consumer<String> progress;

  /**
   * @param seed of the resampling
   */
  public LearningBenchmark(
      LearningExtent extent, Set<Part> parts, long seed, Costs costs, Consumer<String> progress) {
    this.extent = extent;
    this.parts = Set.copyOf(parts);
    this.seed = seed;
    this.costs = costs;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param folder for the cells, which stay there
   * @param parallel cells at a time
   */
  public LearningResult run(Path folder, int parallel) throws Exception {
    long began = System.nanoTime();
    List<Cost> measured = parts.contains(Part.SPEED) ? costs() : List.of();
    List<TabularStudy> studies = parts.contains(Part.TABULAR) ? study() : List.of();
    List<CellResult> cells = parts.contains(Part.BSIM) ? cells(folder, parallel) : List.of();
    return new LearningResult(
        extent, seed, cells, studies, measured, (System.nanoTime() - began) / 1e9);
  }

  private List<Cost> costs() throws Exception {
    progress.accept("Measuring what learning costs");
    return costs.measure();
  }

  private List<TabularStudy> study() {
    progress.accept("Solving constrained processes with known optima");
    return List.of(TabularStudy.run());
  }

  private List<CellResult> cells(Path folder, int parallel) throws InterruptedException {
    List<SimulatedCell> cells = extent.cells();
    progress.accept("%d cells, %d at a time".formatted(cells.size(), parallel));
    CellFolder kept = new CellFolder(folder, CodeDigest.current());
    return new SimulatedRuns(kept, parallel, System::nanoTime, progress).run(cells, extent.limit());
  }
}
