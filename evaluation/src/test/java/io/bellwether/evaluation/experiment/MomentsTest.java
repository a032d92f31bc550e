package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MomentsTest {
  private static final List<String> COLUMNS = List.of("decisions", "like", "pre:like");

  @Property(tries = 200)
  void partsInAnySplitAddUpToTheWhole(
      @ForAll("units") List<double[]> units, @ForAll @IntRange(min = 1, max = 9) int parts) {
    Moments merged = Moments.empty(COLUMNS);
    for (int part = 0; part < parts; part++) {
      UnitSums sums = new UnitSums(COLUMNS);
      for (int unit = 0; unit < units.size(); unit++) {
        if (Math.floorMod(Arrays.hashCode(units.get(unit)), parts) == part) {
          sums.add(units.get(unit));
        }
      }
      merged = merged.plus(sums.moments());
    }
    Moments whole = whole(units);
    assertEquals(whole.units(), merged.units());
    assertClose(whole.sums(), merged.sums(), sizes(units).sums());
    assertClose(whole.products(), merged.products(), sizes(units).products());
  }

  @Property(tries = 200)
  void covariancesAreThoseOfCentredTotals(@ForAll("units") List<double[]> units) {
    Moments moments = whole(units);
    for (int first = 0; first < COLUMNS.size(); first++) {
      for (int second = 0; second < COLUMNS.size(); second++) {
        double scale = Math.sqrt(meanSquare(units, first) * meanSquare(units, second));
        double found = moments.covariance(COLUMNS.get(first), COLUMNS.get(second));
        assertEquals(centred(units, first, second), found, 1e-11 * scale);
      }
    }
  }

  @Test
  void equalTotalsHaveNoVariance() {
    UnitSums sums = new UnitSums(List.of("price"));
    for (int unit = 0; unit < 1_000; unit++) {
      sums.add(0.1);
    }
    assertEquals(0, sums.moments().variance("price"));
  }

  @Test
  void otherColumnsAreNotMerged() {
    Moments likes = Moments.empty(List.of("like"));
    Moments hides = Moments.empty(List.of("hide"));
    assertThrows(IllegalArgumentException.class, () -> likes.plus(hides));
    assertThrows(IllegalArgumentException.class, () -> likes.sum("hide"));
  }

  @Test
  void aMeanOfNoUnitIsAMistake() {
    Moments none = Moments.empty(COLUMNS);
    assertThrows(IllegalStateException.class, () -> none.mean("like"));
    assertThrows(IllegalStateException.class, () -> none.variance("like"));
  }

  @Test
  void aTotalThatIsNoNumberIsSeen() {
    UnitSums sums = new UnitSums(List.of("price"));
    sums.add(Double.POSITIVE_INFINITY);
    assertFalse(sums.moments().finite());
  }

  @Provide
  Arbitrary<List<double[]>> units() {
    return Arbitraries.doubles()
        .between(-1e6, 1e6)
        .array(double[].class)
        .ofSize(COLUMNS.size())
        .list()
        .ofMinSize(2)
        .ofMaxSize(60);
  }

  private static Moments whole(List<double[]> units) {
    UnitSums sums = new UnitSums(COLUMNS);
    units.forEach(sums::add);
    return sums.moments();
  }

  /** Sums of the absolute totals and products: what rounding is relative to. */
  private static Moments sizes(List<double[]> units) {
    return whole(
        units.stream().map(unit -> DoubleStream.of(unit).map(Math::abs).toArray()).toList());
  }

  private static void assertClose(double[] expected, double[] found, double[] sizes) {
    for (int index = 0; index < expected.length; index++) {
      assertEquals(expected[index], found[index], 1e-12 * sizes[index] + Double.MIN_NORMAL);
    }
  }

  private static double centred(List<double[]> units, int first, int second) {
    double firstMean = units.stream().mapToDouble(unit -> unit[first]).average().orElseThrow();
    double secondMean = units.stream().mapToDouble(unit -> unit[second]).average().orElseThrow();
    return units.stream()
            .mapToDouble(unit -> (unit[first] - firstMean) * (unit[second] - secondMean))
            .sum()
        / (units.size() - 1);
  }

  private static double meanSquare(List<double[]> units, int column) {
    return units.stream().mapToDouble(unit -> unit[column] * unit[column]).average().orElseThrow();
  }
}
