package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.Interval;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SwitchbackTest {
  private final JsonNode golden = Golden.json("misc_expected.json").get("switchback");
  private final double[] means = Golden.doubles(golden.get("block_mean"));
  private final boolean[] treated = treated(Golden.doubles(golden.get("treated")));

  @Test
  void theCompleteDesignAgrees() {
    Switchback switchback = Switchback.complete(means, treated);
    assertNumber("/diff", switchback.difference());
    Welch welch = switchback.welch().orElseThrow();
    assertNumber("/welch/t", welch.t());
    assertNumber("/welch/p", welch.p());
    Randomisation test = switchback.randomisation(1);
    assertEquals(924, test.designs());
    assertTrue(test.isExhaustive());
    assertNumber("/randomisation_p_complete_924", test.p());
  }

  @Test
  void thePairedDesignAgrees() {
    Switchback switchback = Switchback.paired(means, treated);
    assertNumber("/paired_mean", switchback.difference());
    assertEquals(5, switchback.welch().orElseThrow().degreesOfFreedom());
    Randomisation test = switchback.randomisation(1);
    assertEquals(64, test.designs());
    assertNumber("/paired_sign_flip_p_64", test.p());
  }

  @Test
  void theIntervalHoldsExactlyWhatTheTestDoesNotReject() {
    for (Switchback switchback :
        new Switchback[] {Switchback.complete(means, treated), Switchback.paired(means, treated)}) {
      Interval interval = switchback.randomisation(1).interval(0.95).orElseThrow();
      assertTrue(interval.contains(switchback.difference()));
      assertTrue(pAfter(switchback, interval.lower() + 1e-6) > 0.05);
      assertTrue(pAfter(switchback, interval.lower() - 1e-6) <= 0.05);
      assertTrue(pAfter(switchback, interval.upper() - 1e-6) > 0.05);
      assertTrue(pAfter(switchback, interval.upper() + 1e-6) <= 0.05);
    }
  }

  @Test
  void tooFewPairsRejectNothing() {
    Switchback switchback =
        Switchback.paired(
            new double[] {1, 9, 2, 8, 9, 1, 3, 7, 8, 2},
            new boolean[] {false, true, false, true, true, false, false, true, true, false});
    Randomisation test = switchback.randomisation(1);
    assertEquals(2 / 32.0, test.p());
    assertEquals(Optional.empty(), test.interval(0.95));
  }

  @Property(tries = 4)
  void drawnDesignsAgreeWithAllOfThem(@ForAll long seed) {
    Random random = new Random(seed);
    double[] noise = random.doubles(20).toArray();
    boolean[] arms = new boolean[20];
    for (int block = 0; block < 20; block++) {
      arms[block] = block % 2 == 0;
      noise[block] += arms[block] ? 0.2 : 0;
    }
    Switchback all = Switchback.complete(noise, arms);
    double exact = all.randomisation(seed).p();
    double drawn = drawn(noise, arms, seed);
    assertEquals(exact, drawn, 4 * Math.sqrt(0.25 / Randomisation.DRAWS) + 1e-4);
  }

  @Test
  void drawsAreAFunctionOfTheSeed() {
    Random random = new Random(5);
    double[] noise = random.doubles(60).toArray();
    boolean[] arms = new boolean[60];
    for (int block = 0; block < 60; block++) {
      arms[block] = block % 2 == 0;
    }
    Switchback switchback = Switchback.complete(noise, arms);
    Randomisation test = switchback.randomisation(7);
    assertFalse(test.isExhaustive());
    assertEquals(Randomisation.DRAWS + 1, test.designs());
    assertEquals(test.p(), switchback.randomisation(7).p());
    assertEquals(switchback.welch().orElseThrow().p(), test.p(), 0.03);
    Interval student = switchback.welch().orElseThrow().interval(0.95);
    Interval inverted = test.interval(0.95).orElseThrow();
    assertEquals(student.lower(), inverted.lower(), 0.02);
    assertEquals(student.upper(), inverted.upper(), 0.02);
  }

  @Test
  void strataOfOneBlockSizeCompareWithinThemselves() {
    Switchback switchback =
        Switchback.stratified(
            new double[] {1, 2, 3, 101, 103},
            new boolean[] {false, true, false, false, true},
            new int[] {0, 0, 0, 1, 1});
    assertEquals((3 * 0 + 2 * 2) / 5.0, switchback.difference(), 1e-12);
    assertEquals(6, switchback.randomisation(1).designs());
  }

  @Test
  void residualsThatFollowEachOtherAreNoticed() {
    double[] drifting = new double[400];
    double[] jumping = new double[400];
    boolean[] arms = new boolean[400];
    Random random = new Random(3);
    for (int block = 0; block < 400; block++) {
      arms[block] = random.nextBoolean();
      drifting[block] = Math.sin(block / 6.0);
      jumping[block] = random.nextGaussian();
    }
    Switchback slow = Switchback.complete(drifting, arms);
    assertTrue(slow.autocorrelation().orElseThrow() > Switchback.MAX_AUTOCORRELATION);
    assertTrue(slow.neweyWestError().orElseThrow() > 0);
    Switchback white = Switchback.complete(jumping, arms);
    assertTrue(white.autocorrelation().orElseThrow() < Switchback.MAX_AUTOCORRELATION);
    assertEquals(
        white.welch().orElseThrow().standardError(), white.neweyWestError().orElseThrow(), 0.02);
  }

  @Test
  void blocksThatCompareNothingAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Switchback.complete(new double[] {1, 2}, new boolean[] {true, true}));
    assertThrows(
        IllegalArgumentException.class,
        () -> Switchback.paired(new double[] {1, 2, 3}, new boolean[] {true, false, true}));
    assertThrows(
        IllegalArgumentException.class,
        () -> Switchback.complete(new double[] {1, Double.NaN}, new boolean[] {true, false}));
    assertThrows(
        IllegalArgumentException.class, () -> Switchback.complete(new double[0], new boolean[0]));
    Switchback constant =
        Switchback.complete(new double[] {1, 1, 1, 1}, new boolean[] {true, false, true, false});
    assertEquals(Optional.empty(), constant.welch());
    assertTrue(constant.autocorrelation().isEmpty());
    assertTrue(constant.neweyWestError().isEmpty());
    assertEquals(1, constant.randomisation(1).p());
  }

  /** The p-value of "the treatment changes every block by that much". */
  private double pAfter(Switchback like, double change) {
    double[] shifted = means.clone();
    for (int block = 0; block < shifted.length; block++) {
      shifted[block] -= treated[block] ? change : 0;
    }
    Switchback switchback =
        like.randomisation(1).designs() == 64
            ? Switchback.paired(shifted, treated)
            : Switchback.complete(shifted, treated);
    return switchback.randomisation(1).p();
  }

  /** With a pair that shows nothing and doubles the designs, which makes them too many. */
  private static double drawn(double[] noise, boolean[] arms, long seed) {
    double[] more = Arrays.copyOf(noise, noise.length + 2);
    boolean[] moreArms = Arrays.copyOf(arms, arms.length + 2);
    moreArms[noise.length] = true;
    int[] strata = new int[more.length];
    strata[noise.length] = 1;
    strata[noise.length + 1] = 1;
    return Switchback.stratified(more, moreArms, strata).randomisation(seed).p();
  }

  private static boolean[] treated(double[] flags) {
    boolean[] treated = new boolean[flags.length];
    for (int block = 0; block < flags.length; block++) {
      treated[block] = flags[block] == 1;
    }
    return treated;
  }

  private void assertNumber(String path, double found) {
    double expected = golden.at(path).doubleValue();
    assertEquals(expected, found, closed(expected), path);
  }
}
