package io.bellwether.loadtest.learning.bsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.loadtest.people.Profile;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedRunsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final SimulatedTask task = new SimulatedTask(Profile.KUAIRAND, 10);
  private final LearningMethod clone =
      LearningMethod.single("clone", () -> BehaviourCloning.DEFAULT);
  private final LearningMethod other =
      LearningMethod.single("other", () -> new BehaviourCloning(1e-3));
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  @TempDir private Path folder;

  private SimulatedCell cell(LearningMethod method, long seed) {
    return new SimulatedCell(task, method, seed, new SimulatedCell.Effort(2, 16, 10));
  }

  private List<SimulatedCell> cells() {
    return List.of(cell(clone, 1), cell(other, 1), cell(clone, 2));
  }

  private List<CellResult> run(Path kept, int parallel, Duration limit)
      throws InterruptedException {
    AtomicLong clock = new AtomicLong();
    // Every look at the clock finds it ten seconds later.
    return new SimulatedRuns(
            new CellFolder(kept, "code"),
            parallel,
            () -> clock.addAndGet(10_000_000_000L),
            heard::add)
        .run(cells(), limit);
  }

  @Test
  void aRunThatWasCutOffGoesOnWhereItWas() throws InterruptedException {
    List<CellResult> whole = run(folder.resolve("whole"), 1, LONG);
    List<CellResult> part = run(folder.resolve("cut"), 1, Duration.ofSeconds(25));
    assertTrue(!part.isEmpty() && part.size() < whole.size(), () -> part.size() + " cells");
    heard.clear();
    assertEquals(scores(whole), scores(run(folder.resolve("cut"), 1, LONG)));
    assertEquals("%d of 3 cells are there already".formatted(part.size()), heard.get(0));
    assertEquals(whole.size() - part.size(), heard.size() - 1);
    heard.clear();
    assertEquals(scores(whole), scores(run(folder.resolve("cut"), 1, LONG)));
    assertEquals(1, heard.size());
  }

  private static List<Double> scores(List<CellResult> results) {
    return results.stream().map(each -> ((CellResult.Measured) each).score()).toList();
  }

  @Test
  void severalCellsAtATimeChangeNothing() throws InterruptedException {
    assertEquals(
        scores(run(folder.resolve("one"), 1, LONG)), scores(run(folder.resolve("two"), 2, LONG)));
  }

  @Test
  void otherCodeAlgorithmOrEffortIsAnotherCell() throws InterruptedException {
    run(folder, 1, LONG);
    CellFolder same = new CellFolder(folder, "code");
    assertTrue(same.find(cell(clone, 1)).isPresent());
    assertTrue(new CellFolder(folder, "other code").find(cell(clone, 1)).isEmpty());
    assertTrue(same.find(cell(clone, 3)).isEmpty());
    LearningMethod changed = LearningMethod.single("clone", () -> new BehaviourCloning(0.5));
    assertTrue(same.find(cell(changed, 1)).isEmpty());
    assertTrue(
        same.find(new SimulatedCell(task, clone, 1, new SimulatedCell.Effort(3, 16, 10)))
            .isEmpty());
  }

  @Test
  void aCellIsReadAsItWasKept() throws InterruptedException {
    List<CellResult> results = run(folder, 1, LONG);
    for (CellResult result : results) {
      assertEquals(result, new CellFolder(folder, "code").find(result.cell()).orElseThrow());
    }
  }

  @Test
  void anAlgorithmThatLeftNoPolicyIsAResultToo() {
    CellFolder kept = new CellFolder(folder, "code");
    CellResult failed = new CellResult.Failed(cell(other, 1), "the loss is NaN");
    kept.keep(failed);
    assertEquals(failed, kept.find(cell(other, 1)).orElseThrow());
  }

  @Test
  void nothingHalfWrittenIsLeftBehind() throws Exception {
    run(folder, 2, LONG);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of(true, true, true), files.map(file -> file.toString().endsWith(".json")).toList());
    }
  }
}
