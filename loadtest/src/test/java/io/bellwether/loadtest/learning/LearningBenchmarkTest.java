package io.bellwether.loadtest.learning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.loadtest.learning.LearningBenchmark.Part;
import io.bellwether.loadtest.learning.bsim.LearningMethod;
import io.bellwether.loadtest.learning.bsim.SimulatedCell.Effort;
import io.bellwether.loadtest.learning.bsim.SimulatedTask;
import io.bellwether.loadtest.learning.kuairand.LoggedStudy;
import io.bellwether.loadtest.learning.tabular.NetworkStudy;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.trainer.algorithm.BehaviourCloning;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearningBenchmarkTest {
  private static final LearningExtent TINY =
      new LearningExtent(
          List.of(new SimulatedTask(Profile.KUAIRAND, 20)),
          List.of(new SimulatedTask(Profile.RAGGED, 10), new SimulatedTask(Profile.MASKED, 10)),
          List.of(
              LearningMethod.single("behaviour-cloning", () -> BehaviourCloning.DEFAULT),
              LearningMethod.setting("rcpo-1", "rcpo", () -> new BehaviourCloning(1e-3)),
              LearningMethod.setting("rcpo-2", "rcpo", () -> new BehaviourCloning(1e-2))),
          2,
          new Effort(3, 32, 20),
          Duration.ofHours(1),
          1,
          new NetworkStudy.Effort(20, 3),
          0,
          LoggedStudy.Extent.QUICK);

  @TempDir private Path folder;

  @Test
  void aRunFillsPagePlotsAndFiguresAndIsTheSameAgain() throws Exception {
    LearningResult result = run(Set.of(Part.BSIM));
    assertEquals(3 * 2 + 3 * 2, result.cells().size());
    assertEquals(Set.of("best_score"), Set.copyOf(names(result)));
    assertTrue(result.requirements().stream().allMatch(each -> !isRefuting(each)));

    JsonNode json = ResultJson.of(result, Instant.EPOCH, Map.of("cores", "2"), Map.of());
    assertEquals("learning", json.get("bench").asText());
    assertTrue(json.get("two_stage_score").isNull());
    assertEquals(json.get("best_score"), json.at("/figures/0/value"));
    assertEquals(2, json.at("/details/algorithms").size());
    assertEquals(12, json.at("/details/cells").size());

    String page =
        ResultPage.of(
            result,
            "./bellwether bench learning --quick",
            "./bellwether bench learning --quick",
            Map.of());
    assertTrue(
        page.contains(
            "`./bellwether bench learning --quick --only bsim --task kuairand-20 --algorithm rcpo"
                + " --seeds 2`"),
        page);
    assertEquals(2, ResultPage.plots(result).size());
    ResultPage.plots(result)
        .forEach(
            (file, drawing) -> {
              assertTrue(page.contains("(" + file + ")"), file);
              assertTrue(drawing.startsWith("<svg") && drawing.endsWith("</svg>\n"), file);
              assertTrue(!drawing.contains("NaN"), file);
            });

    LearningResult again = run(Set.of(Part.BSIM));
    assertEquals(result.cells(), again.cells());
    assertEquals(result.figures(), again.figures());
  }

  private LearningResult run(Set<Part> parts) throws Exception {
    return new LearningBenchmark(
            TINY, parts, 1, new LearningBenchmark.Inputs(List.of(), List::of), progress -> {})
        .run(folder, 2);
  }

  private static List<String> names(LearningResult result) {
    return result.figures().stream().map(Figure::name).toList();
  }

  private static boolean isRefuting(Requirement each) {
    return each.status() == Requirement.Status.NOT_SHOWN;
  }

  @Test
  void partsAreRunByThemselves() throws Exception {
    LearningResult result = run(Set.of());
    assertTrue(result.cells().isEmpty() && result.requirements().isEmpty());
    assertTrue(ResultPage.plots(result).isEmpty());
    assertTrue(ResultPage.of(result, "command", "command", Map.of()).startsWith("# Learners"));
  }

  @Test
  void bothExtentsHoldEveryAlgorithmAndTheWholeOneEveryTask() {
    assertEquals(SimulatedTask.ALL, LearningExtent.full().tasks());
    assertEquals(
        LearningExtent.full().methods().stream().map(LearningMethod::group).distinct().count(),
        LearningExtent.quick().methods().size());
    int methods = LearningExtent.full().methods().size();
    assertEquals(methods * (4 * 10 + 2), LearningExtent.full().cells().size());
    assertTrue(LearningExtent.quick().limit().compareTo(Duration.ofMinutes(8)) < 0);
  }
}
