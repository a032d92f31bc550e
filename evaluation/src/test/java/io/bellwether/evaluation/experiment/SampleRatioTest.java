package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.OptionalDouble;
import java.util.stream.StreamSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SampleRatioTest {
  private final SampleRatio even = SampleRatio.of(1, 1);

  @Test
  void fixedTestsOfTheReferenceAgree() {
    for (JsonNode row : Golden.json("ab_expected.json").get("srm")) {
      SampleRatio split = SampleRatio.of(Golden.doubles(row.get("weights")));
      double expected = row.get("p").doubleValue();
      double found = split.chiSquareP(counts(row)).orElseThrow();
      assertEquals(expected, found, closed(expected));
    }
  }

  @Test
  void sequentialTestsAgree() {
    for (JsonNode row : Golden.json("sequential_expected.json").get("srm")) {
      SampleRatio split = SampleRatio.of(Golden.doubles(row.get("expected_share")));
      double statistic = row.get("chi2").doubleValue();
      assertEquals(statistic, split.chiSquare(counts(row)), closed(statistic));
      double p = row.get("p").doubleValue();
      assertEquals(p, split.chiSquareP(counts(row)).orElseThrow(), closed(p));
      double factor = row.get("log_bayes_factor_k100").doubleValue();
      double found = split.logBayesFactor(counts(row));
      // The reference's own log-gamma functions are good to 1e-10 absolute at these counts.
      assertEquals(factor, found, 1e-9);
      double sequential = row.get("sequential_p_single_look").doubleValue();
      assertEquals(sequential, split.sequentialP(counts(row)), 1e-9);
    }
  }

  @Test
  void nothingIsSaidBeforeTheFirstUnit() {
    assertEquals(OptionalDouble.empty(), even.chiSquareP(0, 0));
    assertEquals(0, even.logBayesFactor(0, 0), 1e-12);
    assertEquals(1, even.sequentialP(0, 0), 1e-12);
  }

  @Property
  void theOrderAndTheUnitOfTheWeightsDoNotMatter(
      @ForAll @IntRange(min = 0, max = 100_000) int first,
      @ForAll @IntRange(min = 0, max = 100_000) int second,
      @ForAll @IntRange(min = 1, max = 9_999) int share) {
    double expected = SampleRatio.of(share, 10_000 - share).logBayesFactor(first, second);
    SampleRatio turned = SampleRatio.of(1 - share / 1e4, share / 1e4);
    assertEquals(expected, turned.logBayesFactor(second, first), 1e-6);
  }

  @Test
  void splitsThatCannotBeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> SampleRatio.of(1));
    assertThrows(IllegalArgumentException.class, () -> SampleRatio.of(1, 0));
    assertThrows(IllegalArgumentException.class, () -> even.logBayesFactor(1, 2, 3));
    assertThrows(IllegalArgumentException.class, () -> even.chiSquareP(1, -2));
  }

  private static long[] counts(JsonNode row) {
    return StreamSupport.stream(row.get("counts").spliterator(), false)
        .mapToLong(JsonNode::longValue)
        .toArray();
  }
}
