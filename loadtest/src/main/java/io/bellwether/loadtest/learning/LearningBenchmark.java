package io.bellwether.loadtest.learning;

import io.bellwether.loadtest.learning.LearningResult.Cost;
import io.bellwether.loadtest.learning.bsim.CellFolder;
import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.bsim.LearningMethods;
import io.bellwether.loadtest.learning.bsim.SimulatedCell;
import io.bellwether.loadtest.learning.bsim.SimulatedPromises;
import io.bellwether.loadtest.learning.bsim.SimulatedRuns;
import io.bellwether.loadtest.learning.kuairand.LoggedStudy;
import io.bellwether.loadtest.learning.online.OnlineCurve;
import io.bellwether.loadtest.learning.online.OnlineRounds;
import io.bellwether.loadtest.learning.tabular.NetworkStudy;
import io.bellwether.loadtest.learning.tabular.TabularStudy;
import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.ProgressListener;
import io.bellwether.trainer.recipe.CodeDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    /** The two-stage learner's policy, which goes on learning while it serves. */
    ONLINE,
    /** Algorithms on a log of the user's own in the layout of KuaiRand. */
    KUAIRAND,
    /** What learning costs, beside others on this machine. */
    SPEED
  }

  /** Measures what learning costs; takes minutes in which nothing else should run. */
  @FunctionalInterface
  public interface Costs {
    List<Cost> measure() throws Exception;
  }

  /**
   * What comes from outside.
   *
   * @param logs folders in the layout of KuaiRand, none where the user has none
   * @param costs measures what learning costs
   */
  public record Inputs(List<Path> logs, Costs costs) {
    public Inputs {
      logs = List.copyOf(logs);
    }
  }

  /** Keeps promises by the whole of its method and not by prices. */
  private static final String TWO_STAGE = Acceptance.TWO_STAGE;

  private final LearningExtent extent;
  private final Set<Part> parts;
  private final long seed;
  private final Inputs inputs;
  private final Consumer<String> progress;

  /**
   * @param seed of the resampling
   */
  public LearningBenchmark(
      LearningExtent extent, Set<Part> parts, long seed, Inputs inputs, Consumer<String> progress) {
    this.extent = extent;
    this.parts = Set.copyOf(parts);
    this.seed = seed;
    this.inputs = inputs;
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
    List<NetworkStudy> networks = parts.contains(Part.TABULAR) ? networks() : List.of();
    List<LoggedStudy> logs = parts.contains(Part.KUAIRAND) ? logs() : List.of();
    List<OnlineCurve> curves = parts.contains(Part.ONLINE) ? curves() : List.of();
    List<CellResult> cells =
        parts.contains(Part.BSIM) ? cells(folder, parallel, left(began)) : List.of();
    return new LearningResult(
        extent,
        seed,
        cells,
        studies,
        networks,
        logs,
        curves,
        measured,
        (System.nanoTime() - began) / 1e9);
  }

  /** The time is that of all parts; runs of algorithms get what the others left. */
  private Duration left(long began) {
    Duration left = extent.limit().minusNanos(System.nanoTime() - began);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private List<Cost> costs() throws Exception {
    progress.accept("Measuring what learning costs");
    return inputs.costs.measure();
  }

  private List<TabularStudy> study() {
    progress.accept("Solving constrained processes with known optima");
    return List.of(TabularStudy.run());
  }

  /** Only learners that keep promises: the optimum of the others is another one. */
  private List<NetworkStudy> networks() {
    List<Algorithms.Entry> constrained =
        Algorithms.all().stream()
            .filter(entry -> isChosen(entry.word()) && keepsPromises(entry))
            .toList();
    progress.accept("Learning there from logs, with %d algorithms".formatted(constrained.size()));
    return List.of(NetworkStudy.run(constrained, extent.tabularSeeds(), extent.tabular()));
  }

  private boolean isChosen(String word) {
    return extent.methods().stream().anyMatch(method -> method.group().equals(word));
  }

  private static boolean keepsPromises(Algorithms.Entry entry) {
    Algorithms.Task task = new Algorithms.Task(LearningMethods.DISCOUNT, SimulatedPromises.all());
    return entry.word().equals(TWO_STAGE) || !entry.factory().of(task).promises().isEmpty();
  }

  private List<LoggedStudy> logs() throws IOException {
    List<LoggedStudy> studies = new ArrayList<>();
    for (Path folder : inputs.logs) {
      studies.add(LoggedStudy.run(folder, extent.methods(), extent.logged(), seed, progress));
    }
    return studies;
  }

  private List<OnlineCurve> curves() throws InterruptedException {
    List<OnlineCurve> curves = new ArrayList<>();
    for (long each = 1; each <= extent.onlineSeeds(); each++) {
      progress.accept(
          "Learning while serving, seed %d of %d".formatted(each, extent.onlineSeeds()));
      SimulatedCell cell =
          new SimulatedCell(
              extent.tasks().get(0),
              LearningMethods.named(List.of(TWO_STAGE)).get(0),
              each,
              extent.effort());
      curves.add(OnlineRounds.a10(cell.task(), cell.train(ProgressListener.NONE), each));
    }
    return curves;
  }

  /** The simulator's code counts, too: what it measured before it changed is not comparable. */
  private static String code() {
    String code = CodeDigest.with(LearningBenchmark.class);
    if (code.isEmpty()) {
      throw new IllegalStateException(
          "the running classes stand neither in a folder nor in a jar, so what was measured by"
              + " other code cannot be told apart");
    }
    return code;
  }

  private List<CellResult> cells(Path folder, int parallel, Duration limit)
      throws InterruptedException {
    List<SimulatedCell> cells = extent.cells();
    progress.accept("%d cells, %d at a time".formatted(cells.size(), parallel));
    CellFolder kept = new CellFolder(folder, code());
    return new SimulatedRuns(kept, parallel, System::nanoTime, progress).run(cells, limit);
  }
}
