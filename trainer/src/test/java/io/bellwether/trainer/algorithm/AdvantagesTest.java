package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AdvantagesTest {
  private static final float[] ONE = {1};
  private static final float[][] VALUES = {{1, 2, 3}};

  /** Rewards 1, 2, 4, one row after the other. */
  private static LearnerData episode(boolean ends, int... next) {
    int rows = next.length;
    return new LearnerData(
        new float[0],
        new float[0],
        new int[rows + 1],
        new float[0],
        new boolean[0],
        new int[rows],
        new double[rows],
        new float[] {1, 2, 4},
        new boolean[] {false, false, ends},
        next,
        new long[rows],
        new float[rows]);
  }

  private static Advantages of(LearnerData data, double trace) {
    return Advantages.of(data, ONE, VALUES, 0.5, trace);
  }

  @Test
  void withoutTraceItIsOneStepsSurprise() {
    Advantages found = of(episode(true, 1, 2, -1), 0);
    assertArrayEquals(new float[] {1 + 1 - 1, 2 + 1.5f - 2, 4 - 3}, found.advantages()[0], 1e-6f);
  }

  @Test
  void withFullTraceItIsTheReturnBeyondTheValue() {
    Advantages found = of(episode(true, 1, 2, -1), 1);
    assertArrayEquals(new float[] {3, 4, 4}, found.returns()[0], 1e-6f);
    assertArrayEquals(new float[] {2, 2, 1}, found.advantages()[0], 1e-6f);
  }

  @Test
  void betweenThemSurprisesFade() {
    Advantages found = of(episode(true, 1, 2, -1), 0.8);
    float second = 1.5f + 0.4f * 1;
    assertArrayEquals(new float[] {1 + 0.4f * second, second, 1}, found.advantages()[0], 1e-6f);
  }

  @Test
  void aRowThatWasCutOffIsFollowedByItsOwnState() {
    Advantages found = of(episode(false, 1, 2, -1), 0.8);
    assertArrayEquals(new float[] {4 + 1.5f - 3}, last(found.advantages()[0]), 1e-6f);
  }

  @Test
  void rowsMayFollowInAnyOrderAndUnits() {
    Advantages found =
        Advantages.of(episode(true, 1, 2, -1), new float[] {2}, new float[][] {{0, 0, 0}}, 0.5, 1);
    assertArrayEquals(new float[] {1.5f, 2, 2}, found.returns()[0], 1e-6f);
    LearnerData mixed = episode(true, 2, 0, -1);
    assertArrayEquals(new float[] {3, 3.5f, 4}, of(mixed, 1).returns()[0], 1e-6f);
  }

  @Test
  void anEpisodeThatMeetsItselfIsCutThere() {
    Advantages found = of(episode(false, 1, 2, 0), 1);
    assertArrayEquals(new float[] {4 + 0.5f - 3}, last(found.advantages()[0]), 1e-6f);
  }

  private static float[] last(float[] values) {
    return Arrays.copyOfRange(values, values.length - 1, values.length);
  }
}
