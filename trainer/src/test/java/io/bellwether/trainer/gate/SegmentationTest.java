package io.bellwether.trainer.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.data.SyntheticLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentationTest {

  private final SyntheticLog log = new SyntheticLog();
  private final List<EvaluatedDecision> sample =
      Decisions.of(log.transitions(0, 400), log.surface());

  @Test
  void aCategoryHasItsValuesAsLabels() {
    Segmentation segments = Segmentation.of(log.surface(), List.of("country"), sample);
    assertEquals(List.of("de", "fr", "other"), segments.labels("country"));
    for (int number = 0; number < 20; number++) {
      assertEquals(number % 2, segments.label(0, sample.get(number)));
    }
  }

  @Test
  void aNumberIsCutIntoQuartersOfTheSample() {
    Segmentation segments = Segmentation.of(log.surface(), List.of("mood"), sample);
    List<String> labels = segments.labels("mood");
    assertEquals(4, labels.size());
    assertTrue(labels.get(0).startsWith("to -0."), labels::toString);
    assertTrue(labels.get(3).startsWith("above 0."), labels::toString);
    int[] counts = new int[4];
    sample.forEach(decision -> counts[segments.label(0, decision)]++);
    for (int count : counts) {
      assertEquals(100, count, 2);
    }
  }

  @Test
  void quartersOfNumbersThatAreAlmostTheSameHaveLabelsOfTheirOwn() {
    for (int number = 0; number < sample.size(); number++) {
      sample.get(number).context()[0] = 1234.5f + number * 0.001f;
    }
    Segmentation segments = Segmentation.of(log.surface(), List.of("mood"), sample);
    assertEquals(4, segments.labels("mood").stream().distinct().count());
    int[] counts = new int[4];
    sample.forEach(decision -> counts[segments.label(0, decision)]++);
    for (int count : counts) {
      assertEquals(100, count, 2);
    }
  }

  @Test
  void whatTheContextDoesNotDeclareIsRefused() {
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Segmentation.requireDeclared(log.surface(), List.of("length")))
                .getMessage());
    assertTrue(message.contains("no feature 'length'; it has [mood, country]"), message);
  }
}
