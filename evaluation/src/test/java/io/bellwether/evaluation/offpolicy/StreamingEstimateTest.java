package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.Golden;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StreamingEstimateTest {
  private static final int DECISIONS = 2000;

  @Test
  void sumsAreEnoughForTheErrorOfSelfNormalisedDoublyRobust() {
    BanditLog log = BanditLog.tiny();
    double n = log.size();
    double w = 0;
    double ww = 0;
    double m = 0;
    double mm = 0;
    double wd = 0;
    double wwd = 0;
    double wwdd = 0;
    double mw = 0;
    double mwd = 0;
    for (int row = 0; row < n; row++) {
      double weight = log.weight(row);
      double delta = log.reward()[row] - log.prediction(row);
      double direct = log.direct(row);
      w += weight;
      ww += weight * weight;
      m += direct;
      mm += direct * direct;
      wd += weight * delta;
      wwd += weight * weight * delta;
      wwdd += weight * weight * delta * delta;
      mw += direct * weight;
      mwd += direct * weight * delta;
    }
    double mean = w / n;
    double d = wd / w;
    double squares =
        mm
            - m * m / n
            + (wwdd - 2 * d * wwd + d * d * ww) / (mean * mean)
            + 2 * (mwd - d * mw) / mean;
    double expected = Golden.json("ope_tiny.json").at("/estimators/sndr/se").doubleValue();
    assertEquals(expected, Math.sqrt(squares / (n * (n - 1))), closed(expected));
    StreamingEstimate stream = StreamingEstimate.perDecision(new SelfNormalizedDoublyRobust(), 1);
    for (int row = 0; row < n; row++) {
      stream.add(
          row,
          new DecisionRow(1)
              .next(log.weight(row), log.reward()[row], log.prediction(row), log.direct(row)));
    }
    assertEquals(expected, stream.result().error().orElseThrow(), closed(expected));
    assertFalse(stream.needsSecondPass());
  }

  @Test
  void aSpreadThatCancelsOutIsFoundInASecondPass() {
    for (Estimator estimator : List.of(new Ips(), new Snips(), new LoggingMean())) {
      for (boolean byUnit : new boolean[] {true, false}) {
        StreamingEstimate first =
            byUnit
                ? StreamingEstimate.perUnit(estimator, 1)
                : StreamingEstimate.perDecision(estimator, 1);
        addAll(first);
        assertTrue(first.needsSecondPass(), estimator::name);
        StreamingEstimate second = first.secondPass();
        addAll(second);
        assertFalse(second.needsSecondPass());
        assertEquals(1e9, second.result().point().orElseThrow(), 1);
        double error = 1 / Math.sqrt(12.0 * DECISIONS);
        assertEquals(error, second.result().error().orElseThrow(), 0.05 * error);
      }
    }
  }

  @Test
  void partsOfASecondPassAreMergedLikeThoseOfAFirst() {
    StreamingEstimate first = StreamingEstimate.perDecision(new Snips(), 1);
    addAll(first);
    StreamingEstimate whole = first.secondPass();
    addAll(whole);
    addAll(whole);
    StreamingEstimate left = first.secondPass();
    StreamingEstimate right = first.secondPass();
    addAll(left);
    addAll(right);
    left.merge(right);
    double error = whole.result().error().orElseThrow();
    assertEquals(error, left.result().error().orElseThrow(), 1e-12 * error);
  }

  /** Rewards far from 0 and close together: their squares have no digits left for the spread. */
  private static void addAll(StreamingEstimate estimate) {
    SplittableRandom random = new SplittableRandom(3);
    for (int decision = 0; decision < DECISIONS; decision++) {
      estimate.add(decision, new DecisionRow(1).next(1, 1e9 + random.nextDouble(), 0, 0));
    }
  }
}
