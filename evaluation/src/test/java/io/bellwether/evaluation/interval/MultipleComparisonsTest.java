package io.bellwether.evaluation.interval;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MultipleComparisonsTest {
  private final JsonNode golden = Golden.json("misc_expected.json").get("multiple_comparisons");

  @ParameterizedTest
  @EnumSource
  void adjustedValuesAgree(MultipleComparisons method) {
    double[] expected = Golden.doubles(golden.get(method.name().toLowerCase(Locale.ROOT)));
    double[] p = Golden.doubles(golden.get("p_sorted"));
    assertArrayEquals(expected, method.adjust(p), 1e-12);
  }

  @Property
  void theOrderOfTheQuestionsDoesNotMatter(
      @ForAll MultipleComparisons method,
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0, max = 1) Double> listed) {
    double[] p = listed.stream().mapToDouble(Double::doubleValue).toArray();
    double[] reversed = new double[p.length];
    for (int index = 0; index < p.length; index++) {
      reversed[p.length - 1 - index] = p[index];
    }
    double[] adjusted = method.adjust(p);
    double[] other = method.adjust(reversed);
    for (int index = 0; index < p.length; index++) {
      assertEquals(adjusted[index], other[p.length - 1 - index]);
      assertTrue(adjusted[index] >= p[index] - 1e-12 && adjusted[index] <= 1);
    }
  }

  @Property
  void stepwiseMethodsAreNeverWorseThanBonferroni(
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0, max = 1) Double> listed) {
    double[] p = listed.stream().mapToDouble(Double::doubleValue).toArray();
    double[] bonferroni = MultipleComparisons.BONFERRONI.adjust(p);
    double[] holm = MultipleComparisons.HOLM.adjust(p);
    double[] hochberg = MultipleComparisons.HOCHBERG.adjust(p);
    double[] discovery = MultipleComparisons.BENJAMINI_HOCHBERG.adjust(p);
    for (int index = 0; index < p.length; index++) {
      assertTrue(holm[index] <= bonferroni[index] + 1e-12);
      assertTrue(hochberg[index] <= holm[index] + 1e-12);
      assertTrue(discovery[index] <= hochberg[index] + 1e-12);
    }
  }

  @Test
  void aNumberThatIsNoProbabilityIsRefused() {
    double[] p = {0.2, Double.NaN};
    assertThrows(IllegalArgumentException.class, () -> MultipleComparisons.HOLM.adjust(p));
  }
}
