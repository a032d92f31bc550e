package io.bellwether.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class CompensatedSumsTest {

  @Test
  void smallNumbersSurviveLargeOnes() {
    assertEquals(2, CompensatedSums.of(new double[] {1, 1e100, 1, -1e100}));
  }

  @Property
  void orderAndPartsDoNotMatter(
      @ForAll @NotEmpty List<@DoubleRange(min = -1e9, max = 1e9) Double> values,
      @ForAll Random random) {
    double inOrder = sum(values).get(0);
    List<Double> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);
    int cut = random.nextInt(shuffled.size());
    CompensatedSums left = sum(shuffled.subList(0, cut));
    left.merge(sum(shuffled.subList(cut, shuffled.size())));
    double scale = values.stream().mapToDouble(Math::abs).sum();
    assertEquals(inOrder, left.get(0), 1e-14 * scale);
  }

  private static CompensatedSums sum(List<Double> values) {
    CompensatedSums sums = new CompensatedSums(1);
    values.forEach(value -> sums.add(0, value));
    return sums;
  }
}
