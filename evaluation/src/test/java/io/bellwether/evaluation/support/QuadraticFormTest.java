package io.bellwether.evaluation.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class QuadraticFormTest {

  /** V = BBᵀ and d = Bx: the form is the squared length of x where B has full column rank. */
  @Property(tries = 100)
  void deviationsWithinTheCovarianceAreMeasuredInItsUnits(
      @ForAll @IntRange(min = 1, max = 20) int rank,
      @ForAll @IntRange(min = 0, max = 5) int spare,
      @ForAll Random random) {
    int size = rank + spare;
    double[][] factor = new double[size][rank];
    for (int row = 0; row < size; row++) {
      for (int column = 0; column < rank; column++) {
        factor[row][column] = (row == column ? 5 : 0) + random.nextDouble();
      }
    }
    double[][] covariance = new double[size][size];
    double[] deviation = new double[size];
    double length = 0;
    double[] x = random.doubles(rank, -1, 1).toArray();
    for (int column = 0; column < rank; column++) {
      length += x[column] * x[column];
      for (int row = 0; row < size; row++) {
        deviation[row] += factor[row][column] * x[column];
        for (int other = 0; other < size; other++) {
          covariance[row][other] += factor[row][column] * factor[other][column];
        }
      }
    }
    QuadraticForm form = QuadraticForm.of(covariance, deviation);
    assertEquals(rank, form.rank());
    assertEquals(length, form.value(), 1e-9 * (1 + length));
    assertEquals(0, form.outside(), 1e-9);
  }

  @Test
  void whatCannotDeviateIsOutside() {
    QuadraticForm form = QuadraticForm.of(new double[][] {{4, 0}, {0, 0}}, new double[] {2, 3});
    assertEquals(new QuadraticForm(1, 1, 3), form);
  }

  @Test
  void nothingDeviatesFromNothing() {
    assertEquals(new QuadraticForm(0, 0, 0), QuadraticForm.of(new double[2][2], new double[2]));
  }

  /** Uniform choice among 200: Pearson's statistic. */
  @Test
  void twoHundredItemsAreNoDifficulty() {
    int size = 200;
    double[][] covariance = new double[size][size];
    double[] deviation = new Random(5).doubles(size, -10, 10).toArray();
    double mean = Arrays.stream(deviation).average().orElseThrow();
    double pearson = 0;
    for (int row = 0; row < size; row++) {
      deviation[row] -= mean;
      pearson += deviation[row] * deviation[row] / 50;
      for (int column = 0; column < size; column++) {
        covariance[row][column] = 50.0 * ((row == column ? 1 : 0) - 1.0 / size);
      }
    }
    QuadraticForm form = QuadraticForm.of(covariance, deviation);
    assertEquals(size - 1, form.rank());
    assertEquals(pearson, form.value(), 1e-9 * pearson);
  }
}
