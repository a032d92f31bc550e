package io.bellwether.loadtest.evaluation.speed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Ips;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpeedComparisonTest {
  @TempDir Path folder;

  @Test
  void ratiosAreOfMedians() {
    SpeedComparison speed =
        comparison(List.of(run(10, 1), run(30, 1), run(11, 1)), List.of(run(0.5, 1)));
    assertEquals(OptionalDouble.of(22), speed.speed());
    assertEquals(OptionalDouble.of(11), speed.coldSpeed());
    assertEquals(OptionalDouble.of(0), speed.largestDifference());
    assertEquals(0.5, speed.peakMemoryGib());
  }

  @Test
  void valuesThatDifferShow() {
    SpeedComparison speed = comparison(List.of(run(10, 2)), List.of(run(0.5, 1)));
    assertEquals(OptionalDouble.of(0.5), speed.largestDifference());
  }

  @Test
  void withoutTheReferenceThereIsNoRatio() {
    SpeedComparison speed = comparison(List.of(), List.of(run(0.5, 1)));
    assertTrue(speed.speed().isEmpty());
    assertTrue(speed.largestDifference().isEmpty());
  }

  @Test
  void theSameSeedGivesTheSameFiles() throws Exception {
    Rounds one = Rounds.draw(folder.resolve("one"), 20_000, 3, 5);
    Rounds other = Rounds.draw(folder.resolve("other"), 20_000, 3, 5);
    assertArrayEquals(
        Files.readAllBytes(one.folder().resolve("target.f64")),
        Files.readAllBytes(other.folder().resolve("target.f64")));
    LoggedDecisions log = one.logged();
    assertEquals(20_000, log.decisions());
    double value =
        Influence.of(new Ips(), log.underTarget(Rounds.REWARD, Weighting.PREFIX))
            .orElseThrow()
            .value();
    assertTrue(value > 0.1 && value < 0.9, () -> "value " + value);
  }

  @Test
  void aProgramThatFailsSaysWhy() {
    ChildProcess missing = new ChildProcess(List.of("no-such-program"), folder);
    IOException failure = Assertions.assertThrows(IOException.class, missing::run);
    assertTrue(String.valueOf(failure.getMessage()).contains("no-such-program"));
  }

  private static SpeedComparison comparison(List<ToolRun> reference, List<ToolRun> warm) {
    return new SpeedComparison(1000, 20, 200, reference, "", "", List.of(run(1, 1)), warm, null);
  }

  private static ToolRun run(double seconds, double value) {
    return new ToolRun(seconds, 0.5, Map.of("ips", new ToolRun.Value(value, 0, 9)));
  }
}
