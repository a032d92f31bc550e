package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.interval.ChiSquare;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MultiplicitiesTest {
  private static final int UNITS = 20_000;
  private static final int REPLICATES = 100;

  private final PoissonMultiplicities multiplicities = new PoissonMultiplicities(17);

  @Test
  void theyHaveThePoissonLawOfMeanOne() {
    long[] found = new long[9];
    double[] drawn = new double[REPLICATES];
    for (int unit = 0; unit < UNITS; unit++) {
      multiplicities.draw(unit, 0, REPLICATES, drawn);
      for (double each : drawn) {
        found[(int) each]++;
      }
    }
    double draws = (double) UNITS * REPLICATES;
    double chi = 0;
    double chance = Math.exp(-1);
    for (int times = 0; times < 7; times++) {
      double expected = draws * chance;
      chi += (found[times] - expected) * (found[times] - expected) / expected;
      chance /= times + 1;
    }
    assertTrue(ChiSquare.survival(chi, 7) > 1e-3);
  }

  @Test
  void replicatesAndUnitsAreIndependent() {
    double[] one = new double[REPLICATES];
    double[] other = new double[REPLICATES];
    double products = 0;
    double neighbours = 0;
    for (int unit = 0; unit < UNITS; unit++) {
      multiplicities.draw(unit, 0, REPLICATES, one);
      multiplicities.draw(unit + UNITS, 0, REPLICATES, other);
      for (int at = 1; at < REPLICATES; at++) {
        products += (one[at] - 1) * (other[at] - 1);
        neighbours += (one[at] - 1) * (one[at - 1] - 1);
      }
    }
    double draws = UNITS * (REPLICATES - 1.0);
    assertEquals(0, products / draws, 4 / Math.sqrt(draws));
    assertEquals(0, neighbours / draws, 4 / Math.sqrt(draws));
  }

  @Test
  void aTileIsAPartOfTheWhole() {
    double[] whole = new double[REPLICATES];
    double[] tile = new double[24];
    multiplicities.draw(5, 0, REPLICATES, whole);
    multiplicities.draw(5, 40, 21, tile);
    assertArrayEquals(Arrays.copyOfRange(whole, 40, 61), Arrays.copyOf(tile, 21));
  }

  @Test
  void fewUnitsAreDrawnAsOftenAsThereAreUnits() {
    Multiplicities few = Multiplicities.of(17, 30, 50);
    double[] total = new double[50];
    double[] drawn = new double[50];
    double squares = 0;
    for (int unit = 0; unit < 30; unit++) {
      few.draw(unit, 0, 50, drawn);
      for (int replicate = 0; replicate < 50; replicate++) {
        total[replicate] += drawn[replicate];
        squares += (drawn[replicate] - 1) * (drawn[replicate] - 1);
      }
    }
    double[] expected = new double[50];
    Arrays.fill(expected, 30);
    assertArrayEquals(expected, total);
    assertEquals(29.0 / 30, squares / 1500, 0.2);
  }
}
