package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.RunningP;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class MixtureSequentialTestTest {
  private final JsonNode golden = Golden.json("sequential_expected.json").get("msprt");

  @Test
  void likelihoodRatiosOfSingleLooksAgree() {
    for (JsonNode row : golden.get("single")) {
      double lambda = row.get("lambda").doubleValue();
      double p = row.get("p_always_valid_single_look").doubleValue();
      MixtureSequentialTest test = new MixtureSequentialTest(row.get("tau2").doubleValue());
      double effect = row.get("diff").doubleValue();
      double found = Math.exp(test.logLikelihoodRatio(effect, standardError(row)));
      assertEquals(lambda, found, closed(lambda));
      assertEquals(p, test.pValue(effect, standardError(row)), closed(p));
    }
  }

  @Test
  void theRunningMinimumOfItsLooksAgrees() {
    MixtureSequentialTest test = new MixtureSequentialTest(1e-4);
    RunningP running = RunningP.start();
    for (JsonNode row : golden.get("running")) {
      double error = Math.sqrt(0.5 / row.get("n_per_arm").doubleValue());
      running = running.after(test.pValue(row.get("diff").doubleValue(), error));
      double expected = row.get("p_running_min").doubleValue();
      assertEquals(expected, running.value(), closed(expected));
    }
  }

  @Property
  void whatTheIntervalExcludesIsRejected(
      @ForAll @DoubleRange(min = -0.5, max = 0.5) double effect,
      @ForAll @DoubleRange(min = 0.01, max = 1) double error,
      @ForAll @DoubleRange(min = 0.01, max = 1) double mixtureVariance) {
    MixtureSequentialTest test = new MixtureSequentialTest(mixtureVariance);
    boolean excluded = !test.interval(effect, error, 0.95).contains(0);
    assertEquals(excluded, test.pValue(effect, error) < 0.05);
  }

  @Test
  void itIsTheAsymptoticSequenceWithAnotherTuning() {
    AsymptoticSequence sequence = new AsymptoticSequence(0.05, 5_000);
    double rho = 0.001587230920347513;
    double error = 0.1;
    long count = 1_200;
    MixtureSequentialTest test = new MixtureSequentialTest(count * error * error * rho);
    assertEquals(sequence.pValue(count, 0.4, error), test.pValue(0.4, error), 1e-12);
  }

  @Test
  void anEffectWithoutAnErrorIsRefused() {
    MixtureSequentialTest test = new MixtureSequentialTest(1);
    assertThrows(IllegalArgumentException.class, () -> test.pValue(1, 0));
    assertThrows(IllegalArgumentException.class, () -> new MixtureSequentialTest(0));
  }

  private static double standardError(JsonNode row) {
    return Math.sqrt(2 * row.get("var").doubleValue() / row.get("n_per_arm").doubleValue());
  }
}
