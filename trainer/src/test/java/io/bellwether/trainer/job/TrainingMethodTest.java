package io.bellwether.trainer.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Setting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingMethodTest {

  @Test
  void textIsSortedAndLeavesOutWhatIsUsual() {
    TrainingMethod method = TrainingMethod.of("constrained( margin = 2.0, expectile=0.7 )");
    assertEquals("constrained-actor-critic", method.word());
    assertEquals("constrained-actor-critic(expectile=0.7,margin=2)", method.text());
    assertEquals(method, TrainingMethod.of(method.text()));
    assertEquals(TrainingMethod.CONSTRAINED, TrainingMethod.of("constrained(margin=3)"));
    assertEquals("behaviour-cloning", TrainingMethod.of("bc").text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "magic | 'magic' is no way to train",
        "constrained(speed=2) | has no setting 'speed', it has expectile, inverse-temperature",
        "bc(speed=2) | behaviour-cloning has no setting 'speed', it has none",
        "constrained(margin=9) | margin=9.0 is out of range: it is a number from 0 to 6",
        "constrained(margin=much) | margin='much' is no number",
        "constrained(margin=NaN) | margin=NaN is out of range",
        "constrained(margin=1,margin=2) | margin is set twice",
        "constrained(margin) | 'margin' sets nothing, expected setting=value",
        "constrained() | '' sets nothing, expected setting=value",
        "constrained(margin=2 | expected NAME or NAME(setting=value,...)"
      })
  void whatCannotBeIsRefusedWithWhatCan(String text, String reason) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> TrainingMethod.of(text));
    assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused::getMessage);
  }

  @Test
  void settingsReachTheAlgorithm() {
    assertNotEquals(
        TrainingMethod.CONSTRAINED.algorithm(0.5, List.of()),
        TrainingMethod.of("constrained(expectile=0.8)").algorithm(0.5, List.of()));
    assertEquals(
        Algorithms.of("constrained-actor-critic").factory().of(new Algorithms.Task(0.5, List.of())),
        TrainingMethod.CONSTRAINED.algorithm(0.5, List.of()));
  }

  @Property(tries = 200)
  void everySettingAtEveryShareIsReadAgain(@ForAll @DoubleRange(max = 0.99) double share) {
    for (Algorithms.Entry entry : Algorithms.all()) {
      for (Setting setting : entry.settings()) {
        TrainingMethod method =
            new TrainingMethod(
                entry.word(), new TreeMap<>(Map.of(setting.name(), setting.at(share))));
        assertEquals(method, TrainingMethod.of(method.text()));
      }
    }
  }

  @Test
  void everyRangeOfEverySettingMakesAnAlgorithm() {
    for (Algorithms.Entry entry : Algorithms.all()) {
      for (Setting setting : entry.settings()) {
        for (double value : List.of(setting.low(), setting.usual(), setting.high())) {
          new TrainingMethod(entry.word(), new TreeMap<>(Map.of(setting.name(), value)))
              .algorithm(0.9, List.of());
        }
      }
    }
  }
}
