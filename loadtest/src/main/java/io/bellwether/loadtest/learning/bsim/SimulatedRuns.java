package io.bellwether.loadtest.learning.bsim;

import io.bellwether.loadtest.people.Profile;
import io.bellwether.trainer.algorithm.DivergedException;
import io.bellwether.trainer.algorithm.InvalidLearnerDataException;
import io.bellwether.trainer.algorithm.ProgressListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Runs cells, several at a time, and keeps each as soon as it is done: whatever ends a run, the
 * next one goes on from there. The order in which cells end changes nothing.
 */
public final class SimulatedRuns {
  /** Of the heap, for logs: cells with large logs wait for each other where it is small. */
  private static final double LOGS_SHARE = 0.6;

  private static final long MEGABYTE = 1L << 20;

  private final CellFolder folder;
  private final int parallel;
  private final LongSupplier nanos;
  private final Consumer<String> progress;
  private final int megabytes;
  private final Semaphore memory;
  private final Map<Measured, Truth> truths = new HashMap<>();

  /** What a truth is about. */
  private record Measured(Profile profile, int sessions) {}

  /** Both measures of a profile. */
  private record Truth(TrueRatios validation, TrueRatios test) {}

  /**
   * @param parallel cells at a time, one thread each
   * @param nanos a clock that never goes back
   * @param progress hears of every cell in words, from any thread
   */
  public SimulatedRuns(
      CellFolder folder, int parallel, LongSupplier nanos, Consumer<String> progress) {
    this.folder = folder;
    this.parallel = parallel;
    this.nanos = nanos;
    this.progress = progress;
    this.megabytes = (int) (LOGS_SHARE * Runtime.getRuntime().maxMemory() / MEGABYTE);
    this.memory = new Semaphore(megabytes, true);
  }

  /**
   * What became of the cells, in their order.
   *
   * @param limit after which no cell is begun that would likely not be done by then; those are
   *     missing in the result
   */
  public List<CellResult> run(List<SimulatedCell> cells, Duration limit)
      throws InterruptedException {
    List<Optional<CellResult>> known = cells.stream().map(folder::find).toList();
    int open = (int) known.stream().filter(Optional::isEmpty).count();
    Tally tally = new Tally(cells.size(), open, limit);
    if (open < cells.size()) {
      progress.accept(
          "%d of %d cells are there already".formatted(cells.size() - open, cells.size()));
    }
    ExecutorService workers = Executors.newFixedThreadPool(parallel);
    try {
      List<Future<Optional<CellResult>>> results = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        SimulatedCell cell = cells.get(i);
        Optional<CellResult> there = known.get(i);
        results.add(workers.submit(() -> there.isPresent() ? there : begin(cell, tally)));
      }
      List<CellResult> done = new ArrayList<>();
      for (Future<Optional<CellResult>> result : results) {
        result.get().ifPresent(done::add);
      }
      return done;
    } catch (ExecutionException e) {
      throw new IllegalStateException("A cell of the benchmark failed.", e.getCause());
    } finally {
      workers.shutdownNow();
    }
  }

  private Optional<CellResult> begin(SimulatedCell cell, Tally tally) throws InterruptedException {
    if (!tally.mayBegin()) {
      return Optional.empty();
    }
    int needed = (int) Math.min(megabytes, 1 + cell.task().bytes() / MEGABYTE);
    memory.acquire(needed);
    long began = nanos.getAsLong();
    CellResult result;
    try {
      result = result(cell);
    } finally {
      memory.release(needed);
    }
    folder.keep(result);
    progress.accept(tally.done(result, (nanos.getAsLong() - began) / 1e9));
    return Optional.of(result);
  }

  private CellResult result(SimulatedCell cell) throws InterruptedException {
    Truth truth = truth(cell);
    try {
      return new CellResult.Measured(
          cell, cell.run(truth.validation, truth.test, ProgressListener.NONE));
    } catch (DivergedException | InvalidLearnerDataException e) {
      return new CellResult.Failed(cell, String.valueOf(e.getMessage()));
    }
  }

  private synchronized Truth truth(SimulatedCell cell) throws InterruptedException {
    int sessions = cell.effort().sessions();
    Measured key = new Measured(cell.task().profile(), sessions);
    Truth known = truths.get(key);
    if (known != null) {
      return known;
    }
    Truth measured =
        new Truth(
            SimulatedCell.validation(cell.task(), sessions),
            SimulatedCell.test(cell.task(), sessions));
    truths.put(key, measured);
    return measured;
  }

  /** How far the run is. */
  private final class Tally {
    private final int all;
    private final int open;
    private final Duration limit;
    private final long began = nanos.getAsLong();
    private int done;
    private double seconds;

    Tally(int all, int open, Duration limit) {
      this.all = all;
      this.open = open;
      this.limit = limit;
    }

    synchronized boolean mayBegin() {
      double passed = (nanos.getAsLong() - began) / 1e9;
      double usual = done == 0 ? 0 : seconds / done;
      return passed + usual <= limit.toMillis() / 1e3;
    }

    synchronized String done(CellResult result, double took) {
      done++;
      seconds += took;
      double left = seconds / done * (open - done) / parallel;
      return "Cell %d of %d: %s: %s; %.0f s, about %s left"
          .formatted(
              all - open + done, all, result.cell().words(), words(result), took, time(left));
    }

    private static String words(CellResult result) {
      return result instanceof CellResult.Measured measured
          ? String.format(Locale.ROOT, "score %.3f", measured.score())
          : "no policy";
    }

    private static String time(double seconds) {
      long minutes = Math.round(seconds / 60);
      return minutes < 60 ? minutes + " min" : "%d h %d min".formatted(minutes / 60, minutes % 60);
    }
  }
}
