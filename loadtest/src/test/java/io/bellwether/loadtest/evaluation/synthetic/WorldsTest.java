package io.bellwether.loadtest.evaluation.synthetic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Truths against the files that the worlds come from, and logs against the truths. */
class WorldsTest {
  private final ChoiceWorld choices = ChoiceWorld.standard();

  @Test
  void valuesAreThoseOfTheReference() {
    assertEquals(0.38637267517040275, choices.targetValue(), 1e-12);
    assertEquals(2.9622322172119926, EpisodeWorld.standard().targetValue(), 1e-12);
  }

  @Test
  void logsOfTheTargetHaveItsValueOnAverage() {
    ChoiceWorld own = choices.withLogging(choices.target());
    Choices log = own.draw(200_000, 1, 1);
    assertEquals(choices.targetValue(), Arrays.stream(log.reward()).average().orElseThrow(), 0.005);
    assertEquals(1, log.weight(17));
    SlateWorld slates = SlateWorld.standard();
    SlateWorld ranked =
        new SlateWorld(
            slates.attraction(), slates.targetScores(), slates.targetScores(), slates.positions());
    double clicks =
        Arrays.stream(ranked.draw(100_000, 2).clicks()).flatMapToDouble(Arrays::stream).sum();
    assertEquals(slates.targetValue(), clicks / 100_000, 0.012);
  }

  @Test
  void tempersOfSubjectsLeaveTheValueAndMakeTheirDecisionsAlike() {
    Choices log = choices.draw(50_000, 4, 3);
    double mean = Arrays.stream(log.reward()).average().orElseThrow();
    assertEquals(choices.loggingValue(), mean, 0.005);
    double pairs =
        IntStream.range(0, 50_000)
            .mapToDouble(subject -> log.reward()[4 * subject] * log.reward()[4 * subject + 1])
            .average()
            .orElseThrow();
    assertTrue(pairs > 1.3 * mean * mean, () -> pairs + " is what independent decisions have");
  }

  @Test
  void aSeedGivesALogAndAnotherAnother() {
    assertArrayEquals(choices.draw(50, 1, 4).item(), choices.draw(50, 1, 4).item());
    FirstVideos videos = new FirstVideos();
    LoggedDecisions one = videos.draw(20, 5);
    LoggedDecisions same = videos.draw(20, 5);
    LoggedDecisions other = videos.draw(20, 6);
    assertEquals(one.logging(7), same.logging(7));
    assertTrue(IntStream.range(0, 20).anyMatch(row -> one.logging(row) != other.logging(row)));
  }

  @Test
  void peopleClickMoreUnderTheTargetThanUnderTheLoggingPolicy() {
    FirstVideos videos = new FirstVideos();
    FirstVideos.Truth target = videos.targetTruth(4_000, 1);
    FirstVideos.Truth logging = videos.loggingTruth(4_000, 1);
    assertTrue(target.click() > 0 && target.click() < 1);
    assertTrue(Math.abs(target.click() - logging.click()) > 3 * target.clickError());
  }

  @Test
  void clustersMakeTheirItemsAlike() {
    ChoiceWorld clustered = choices.clustered(new int[] {0, 0, 1, 1});
    for (double[] kind : clustered.chance()) {
      assertEquals(kind[0], kind[1]);
      assertEquals(kind[2], kind[3]);
    }
  }
}
