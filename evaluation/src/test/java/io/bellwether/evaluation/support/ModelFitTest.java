package io.bellwether.evaluation.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ModelFitTest {

  @Test
  void figuresOfSixHundredRowsAreThoseOfASlowLoop() {
    BanditLog log = BanditLog.synthetic();
    ModelFitAccumulator sums = new ModelFitAccumulator();
    for (int row = 0; row < log.size(); row++) {
      sums.add(log.prediction(row), log.reward()[row]);
    }
    ModelFit fit = sums.result();
    double mean = mean(log, row -> log.reward()[row]);
    double meanPrediction = mean(log, log::prediction);
    double residual = mean(log, row -> square(log.reward()[row] - log.prediction(row)));
    double variance = mean(log, row -> square(log.reward()[row] - mean));
    double spread = mean(log, row -> square(log.prediction(row) - meanPrediction));
    double covariance =
        mean(log, row -> (log.reward()[row] - mean) * (log.prediction(row) - meanPrediction));
    double logLoss =
        mean(
            log,
            row ->
                -Math.log(log.reward()[row] == 1 ? log.prediction(row) : 1 - log.prediction(row)));
    assertEquals(1 - residual / variance, fit.rSquared().orElseThrow(), 1e-10);
    assertEquals(covariance / spread, fit.calibrationSlope().orElseThrow(), 1e-10);
    assertEquals(
        mean - covariance / spread * meanPrediction,
        fit.calibrationIntercept().orElseThrow(),
        1e-10);
    assertEquals(logLoss, fit.logLoss().orElseThrow(), 1e-12);
    double constant = -mean * Math.log(mean) - (1 - mean) * Math.log(1 - mean);
    assertEquals(constant, fit.constantLogLoss().orElseThrow(), 1e-12);
  }

  private interface RowValue {
    double of(int row);
  }

  private static double mean(BanditLog log, RowValue value) {
    return IntStream.range(0, log.size()).mapToDouble(value::of).average().orElseThrow();
  }

  private static double square(double value) {
    return value * value;
  }

  @Test
  void aModelThatKnowsTheChancesIsCalibrated() {
    ModelFitAccumulator sums = new ModelFitAccumulator();
    ModelFitAccumulator tooSure = new ModelFitAccumulator();
    Random random = new Random(8);
    for (int row = 0; row < 50_000; row++) {
      double chance = 0.02 + 0.3 * random.nextDouble();
      double reward = random.nextDouble() < chance ? 1 : 0;
      sums.add(chance, reward);
      tooSure.add(2 * chance, reward);
    }
    ModelFit fit = sums.result();
    double error = fit.calibrationSlopeError().orElseThrow();
    assertEquals(1, fit.calibrationSlope().orElseThrow(), 4 * error);
    assertEquals(0.5, tooSure.result().calibrationSlope().orElseThrow(), 2 * error);
    assertEquals(10, fit.reliability().size(), 1);
    for (ReliabilityBin bin : fit.reliability()) {
      assertEquals(bin.meanPrediction(), bin.meanReward(), 4 * bin.standardError());
    }
    assertTrue(fit.logLoss().orElseThrow() < fit.constantLogLoss().orElseThrow());
  }

  @Property(tries = 200)
  void mergingPartsEqualsOnePass(
      @ForAll @Size(min = 1, max = 50) List<@DoubleRange(min = -5, max = 5) Double> predictions,
      @ForAll Random random) {
    ModelFitAccumulator all = new ModelFitAccumulator();
    ModelFitAccumulator left = new ModelFitAccumulator();
    ModelFitAccumulator right = new ModelFitAccumulator();
    for (double prediction : predictions) {
      double reward = prediction + random.nextGaussian();
      all.add(prediction, reward);
      (random.nextBoolean() ? left : right).add(prediction, reward);
    }
    left.merge(right);
    ModelFit expected = all.result();
    ModelFit found = left.result();
    assertEquals(expected.rows(), found.rows());
    assertEquals(expected.meanSquaredError(), found.meanSquaredError(), 1e-12);
    assertEquals(expected.covariance(), found.covariance(), 1e-12);
    assertEquals(expected.reliability().size(), found.reliability().size());
    assertEquals(
        expected.rows(), expected.reliability().stream().mapToLong(ReliabilityBin::rows).sum());
    for (int bin = 1; bin < expected.reliability().size(); bin++) {
      assertTrue(
          expected.reliability().get(bin - 1).meanPrediction()
              < expected.reliability().get(bin).meanPrediction());
    }
  }

  @Test
  void bytesHoldEverything() throws IOException {
    ModelFitAccumulator sums = new ModelFitAccumulator();
    sums.add(0.2, 1);
    sums.add(-1e300, 0);
    sums.add(0, 1);
    sums.add(Double.NaN, 1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sums.writeTo(new DataOutputStream(bytes));
    ModelFitAccumulator read =
        ModelFitAccumulator.readFrom(
            new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(sums.result(), read.result());
  }

  @Test
  void whatCannotBeComputedIsEmpty() {
    ModelFitAccumulator none = new ModelFitAccumulator();
    none.add(Double.NaN, 1);
    none.add(1, Double.POSITIVE_INFINITY);
    assertEquals(2, none.result().invalid());
    assertTrue(none.result().rSquared().isEmpty());
    assertTrue(none.result().logLoss().isEmpty());
    ModelFitAccumulator constant = new ModelFitAccumulator();
    for (int row = 0; row < 100; row++) {
      constant.add(0.1, 0.7);
    }
    ModelFit fit = constant.result();
    assertTrue(fit.rSquared().isEmpty());
    assertTrue(fit.calibrationSlope().isEmpty());
    assertTrue(fit.calibrationIntercept().isEmpty());
    assertTrue(fit.logLoss().isEmpty());
    assertEquals(1, fit.reliability().size());
  }
}
