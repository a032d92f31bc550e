package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.SimulatedLog;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every estimator's own weights. */
class EffectiveSampleSizeTest {

  @Test
  void ofThePlainWeightsItIsTheReferences() {
    double expected = Golden.json("ope_tiny.json").at("/diagnostics/ess").doubleValue();
    double[] found =
        EffectiveSampleSize.of(
            List.of(new Ips(), new DoublyRobust(), new Snips()), columns(BanditLog.tiny().log()));
    for (double each : found) {
      assertEquals(expected, each, closed(expected));
    }
  }

  @Test
  void cutsAndCorrectionsRaiseIt() {
    double[] found =
        EffectiveSampleSize.of(
            List.of(
                new Ips(),
                new SubGaussianIps(0.1),
                new ClippedIps(2),
                new SubGaussianIps(1),
                new DirectMethod(),
                new LoggingMean()),
            columns(BanditLog.tiny().log()));
    assertTrue(found[0] < found[1] && found[1] < found[2] && found[2] < 8);
    assertEquals(8, found[3], 1e-12);
    assertEquals(8, found[4], 1e-12);
    assertEquals(8, found[5], 1e-12);
  }

  @Test
  void switchedOffRowsDoNotCount() {
    double[] found =
        EffectiveSampleSize.of(
            List.of(new SwitchDoublyRobust(2), new SwitchDoublyRobust(0)),
            columns(BanditLog.tiny().log()));
    double sum = 0.4 + 1 + 1 / 6.0 + 0.375 + 1;
    double squares = 0.16 + 1 + 1 / 36.0 + 0.375 * 0.375 + 1;
    assertEquals(sum * sum / squares, found[0], 1e-12);
    assertEquals(0, found[1], 0);
  }

  @Test
  void theWeakestPositionSpeaksForASlate() {
    LoggedDecisions log = SimulatedLog.of(500, 3).columns(0.1, 0.2, 0.3, 0.4).build();
    DecisionColumns columns = log.underTarget(SimulatedLog.LIKE, log.targetWeights());
    double[] found = EffectiveSampleSize.of(List.of(new Ips(), new StandardSlateIps()), columns);
    assertEquals(found[1], found[0], 1e-9);
    assertEquals(WeightDiagnostics.of(columns, 2).effectiveSampleSize(), found[0], 1e-9);
  }

  @Test
  void weightsThatTheLogLacksAreNotReadable() {
    DecisionColumns without = columns(BanditLog.tiny().log());
    DecisionColumns with = columns(BanditLog.tiny().columns().clusterWeight(new double[8]).build());
    for (Estimator estimator : List.of(new Mips(), new SelfNormalizedMips(), new OffCem())) {
      assertFalse(estimator.readable(without));
      assertTrue(estimator.readable(with));
    }
    assertFalse(new IndependentIps().readable(with));
    assertFalse(new PseudoInverse().readable(with));
    assertTrue(new StandardSlateIps().readable(without));
  }

  private static DecisionColumns columns(LoggedDecisions log) {
    return log.underTarget(BanditLog.REWARD, log.targetWeights());
  }
}
