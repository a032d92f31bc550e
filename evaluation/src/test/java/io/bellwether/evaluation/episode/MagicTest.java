package io.bellwether.evaluation.episode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class MagicTest {

  /** A matrix of the given rank: inner products of random corners. */
  private static double[][] matrix(SplittableRandom random, int size, int rank) {
    double[][] corner = new double[size][];
    for (int i = 0; i < size; i++) {
      corner[i] = random.doubles(rank, -1, 2).toArray();
    }
    double[][] matrix = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        for (int k = 0; k < rank; k++) {
          matrix[i][j] += corner[i][k] * corner[j][k];
        }
      }
    }
    return matrix;
  }

  @Property(tries = 300)
  void noOtherPointOfTheSimplexIsBetter(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int size = random.nextInt(1, 20);
    // singular ones too
    double[][] matrix = matrix(random, size, random.nextInt(1, size + 3));
    double[] weights = SimplexQuadratic.minimise(matrix);
    assertEquals(1, Arrays.stream(weights).sum(), 1e-10);
    double value = 0;
    double[] gradient = new double[size];
    double scale = 0;
    for (int i = 0; i < size; i++) {
      assertTrue(weights[i] >= 0, () -> Arrays.toString(weights));
      scale = Math.max(scale, matrix[i][i]);
      for (int j = 0; j < size; j++) {
        gradient[i] += matrix[i][j] * weights[j];
      }
      value += weights[i] * gradient[i];
    }
    for (int i = 0; i < size; i++) {
      // what a step towards a corner promises bounds what is left to gain
      assertTrue(value - gradient[i] <= 1e-10 * scale, "gap " + (value - gradient[i]) / scale);
    }
  }

  @Test
  void matricesOfZerosHaveAnAnswer() {
    assertEquals(1, Arrays.stream(SimplexQuadratic.minimise(new double[3][3])).sum());
  }

  @Test
  void aModelThatIsRightIsTrustedAndOneThatIsWrongIsNot() {
    EpisodeSteps steps = SyntheticEpisodes.steps();
    StepSignal signal = SyntheticEpisodes.reward();
    double[] none = new double[SyntheticEpisodes.COUNT * SyntheticEpisodes.STEPS];
    double[] far = none.clone();
    Arrays.fill(far, 50);
    StepSignal wrong = signal.with(StepValues.of(none, far, new double[SyntheticEpisodes.COUNT]));
    Magic found = Magic.of(steps, wrong);
    double robust = EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, wrong).value();
    assertTrue(found.weights()[0] < 1e-6, () -> Arrays.toString(found.weights()));
    assertEquals(robust, found.returns()[SyntheticEpisodes.STEPS], 1e-9);
    assertEquals(
        EpisodeEstimator.DIRECT.of(steps, signal).value(), Magic.of(steps, signal).returns()[0]);
    assertTrue(Magic.of(steps, signal).weights()[0] > 0.1);
  }

  @Test
  void theBlendsInfluenceIsThatOfItsParts() {
    EpisodeSteps steps = SyntheticEpisodes.steps();
    StepSignal signal = SyntheticEpisodes.reward();
    Magic found = Magic.of(steps, signal);
    assertEquals(0, Arrays.stream(found.influence().rows()).sum(), 1e-9);
    // with all weight on the last return it would be weighted doubly robust
    double blended = found.influence().estimate(steps.units()).error().orElseThrow();
    double robust =
        EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST
            .of(steps, signal)
            .estimate(steps.units())
            .error()
            .orElseThrow();
    assertTrue(blended > 0 && blended < robust, blended + " of " + robust);
  }

  @Test
  void ofHundredsOfStepsEvenlySpreadReturnsAreBlended() {
    int length = 200;
    double[] same = new double[2 * length];
    Arrays.fill(same, 0.5);
    StepSignal signal =
        StepSignal.of(same, StepValues.of(same.clone(), same.clone(), new double[2]));
    EpisodeSteps steps =
        EpisodeSteps.single(
            SyntheticEpisodes.first(2, length), new long[] {1, 2}, same, same, 0.999);
    Magic found = Magic.of(steps, signal);
    assertEquals(Magic.MOST_RETURNS, found.steps().length);
    assertEquals(-1, found.steps()[0]);
    assertEquals(length - 1, found.steps()[Magic.MOST_RETURNS - 1]);
    double robust = EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, signal).value();
    assertEquals(robust, found.returns()[Magic.MOST_RETURNS - 1], 1e-9);
  }
}
