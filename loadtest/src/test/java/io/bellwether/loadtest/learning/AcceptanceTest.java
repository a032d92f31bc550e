package io.bellwether.loadtest.learning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.loadtest.learning.bsim.CellResult;
import io.bellwether.loadtest.learning.bsim.LearningMethod;
import io.bellwether.loadtest.learning.bsim.Ratios;
import io.bellwether.loadtest.learning.bsim.SimulatedCell;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptanceTest {
  private static final double[] KEPT = {1.9, 1.01, 1.1, 1.02, 1, 1.03, 0.9};
  private static final double[] BROKEN = {2.05, 0.91, 0.7, 0.7, 0.8, 0.7, 1};
  private static final double[] AS_LOGGED = {1.001, 0.999, 1, 1.01, 1, 0.99, 1.02};

  private final List<CellResult> cells = new ArrayList<>();

  private void add(String algorithm, String setting, SimulatedTask task, long seed, double[] test) {
    add(algorithm, setting, task, seed, test, test);
  }

  private void add(
      String algorithm,
      String setting,
      SimulatedTask task,
      long seed,
      double[] validation,
      double[] test) {
    SimulatedCell cell =
        new SimulatedCell(
            task,
            LearningMethod.setting(setting, algorithm, () -> BehaviourCloning.DEFAULT),
            seed,
            LearningExtent.WHOLE);
    cells.add(
        new CellResult.Measured(
            cell, new SimulatedCell.Outcome(ratios(validation), ratios(test), 0.01, 1)));
  }

  private static Ratios ratios(double[] means) {
    List<Estimate> signals = new ArrayList<>();
    for (double mean : means) {
      signals.add(new Estimate(mean, 0.001));
    }
    return new Ratios(signals, 1, 1);
  }

  /** The whole benchmark, with seeds that differ a little. */
  private void addEverywhere(String algorithm, double[] means) {
    for (SimulatedTask task : SimulatedTask.ALL) {
      for (long seed = 1; seed <= LearningExtent.SEEDS; seed++) {
        double[] varied = means.clone();
        varied[0] += 0.001 * seed;
        add(algorithm, algorithm, task, seed, varied);
      }
    }
  }

  private Requirement row(String begin) {
    return requirements(SimulatedTask.ALL).stream()
        .filter(each -> each.name().startsWith(begin))
        .findFirst()
        .orElseThrow();
  }

  private List<Requirement> requirements(List<SimulatedTask> tasks) {
    return new Acceptance(new ChosenRuns(tasks, cells), List.of()).requirements();
  }

  @Test
  void whatWasNotRunIsNotKnown() {
    for (Requirement each : requirements(SimulatedTask.ALL)) {
      assertEquals(Status.NOT_KNOWN, each.status(), each.name());
      assertEquals("not run", each.observed(), each.name());
    }
  }

  @Test
  void aWholeRunThatDoesWellShowsWhatItHasTo() {
    addEverywhere("behaviour-cloning", AS_LOGGED);
    addEverywhere("actor-critic", BROKEN);
    addEverywhere("two-stage", KEPT);
    addEverywhere("rcpo", AS_LOGGED);
    for (String id : List.of("A1", "A2", "A3", "A5")) {
      assertEquals(Status.SHOWN, row(id).status(), () -> row(id).toString());
    }
  }

  @Test
  void aWholeRunThatDoesBadlyDoesNot() {
    addEverywhere("behaviour-cloning", KEPT);
    addEverywhere("actor-critic", KEPT);
    addEverywhere("two-stage", BROKEN);
    addEverywhere("pid", AS_LOGGED);
    for (String id : List.of("A1", "A2", "A3", "A4", "A5")) {
      assertEquals(Status.NOT_SHOWN, row(id).status(), () -> row(id).toString());
    }
  }

  @Test
  void aPartOfTheRunsShowsNothingButSaysHowItStands() {
    add("two-stage", "two-stage", SimulatedTask.ALL.get(0), 1, KEPT);
    Requirement row = row("A3");
    assertEquals(Status.NOT_KNOWN, row.status());
    assertTrue(row.observed().startsWith("met so far, with 1 of 40 runs"), row.observed());
  }

  @Test
  void aTinyViolationOfOnePromiseIsSeen() {
    double[] short1 = KEPT.clone();
    short1[4] = 0.965;
    addEverywhere("two-stage", short1);
    assertEquals(Status.NOT_SHOWN, row("A3").status());
  }

  @Test
  void theSettingThatDoesBestOnValidationStandsForItsAlgorithm() {
    SimulatedTask task = SimulatedTask.ALL.get(0);
    add("two-stage", "two-stage-0.7", task, 1, KEPT, AS_LOGGED);
    add("two-stage", "two-stage-1.5", task, 1, AS_LOGGED, KEPT);
    ChosenRuns runs = new ChosenRuns(SimulatedTask.ALL, cells);
    assertEquals(1, runs.of("two-stage").size());
    assertEquals("two-stage-0.7", runs.of("two-stage").get(0).cell().method().name());
    assertEquals(List.of("two-stage-0.7", "two-stage-1.5"), runs.settings("two-stage"));
    assertTrue(row("A6").observed().contains("lowest score"), row("A6").observed());
  }

  @Test
  void algorithmsAreComparedOnSeedsThatBothHave() {
    SimulatedTask task = SimulatedTask.ALL.get(0);
    add("two-stage", "two-stage", task, 1, AS_LOGGED);
    add("two-stage", "two-stage", task, 2, KEPT);
    add("rcpo", "rcpo", task, 2, AS_LOGGED);
    ChosenRuns.Pair pair =
        new ChosenRuns(SimulatedTask.ALL, cells).pair("two-stage", "rcpo").orElseThrow();
    assertEquals(1, pair.one().count());
    assertEquals(1, pair.one().improvementOver(pair.other()));
  }

  @Test
  void theBestHasToBeAheadOnEveryTask() {
    addEverywhere("two-stage", AS_LOGGED);
    addEverywhere("pid", AS_LOGGED);
    addEverywhere("newcomer", KEPT);
    assertEquals(Status.SHOWN, row("a learner above").status());
    cells.removeIf(
        each ->
            each.cell().method().group().equals("newcomer")
                && each.cell().task().equals(SimulatedTask.ALL.get(3)));
    for (long seed = 1; seed <= LearningExtent.SEEDS; seed++) {
      add("newcomer", "newcomer", SimulatedTask.ALL.get(3), seed, BROKEN);
    }
    assertEquals(Status.NOT_SHOWN, row("a learner above").status());
  }
}
