package io.bellwether.evaluation.support;

import static io.bellwether.evaluation.support.Vectors.vectors;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.BanditLog;
import io.bellwether.evaluation.support.VectorFinding.Code;
import io.bellwether.evaluation.support.VectorFinding.Severity;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Planted failures: each is named, and nothing sound is. */
class SupportTest {
  private static final double[] LOGGING = {0.5, 0.3, 0.15, 0.05};
  private static final double[] TARGET = {0.1, 0.2, 0.3, 0.4};
  private static final int DECISIONS = 20_000;

  @Test
  void aSoundLogIsNotBlamed() {
    Support found = support(LOGGING, LOGGING, TARGET);
    assertEquals(List.of(), found.findings());
    assertFalse(found.calibrationWarns());
    assertTrue(found.propensityBins().stream().noneMatch(PropensityBin::warns));
    assertTrue(found.days().stream().noneMatch(LoggerDay::warns));
    assertTrue(found.actions().stream().noneMatch(ActionOverlap::warns));
    assertEquals(0, found.unsupportedMass());
  }

  @Test
  void wrongPropensitiesAreFoundByCalibration() {
    double[] claimed = {0.55, 0.25, 0.15, 0.05};
    Support found = support(LOGGING, claimed, TARGET);
    assertTrue(found.calibrationWarns());
    assertTrue(found.calibrationRefuses());
    assertTrue(found.propensityBins().stream().anyMatch(PropensityBin::warns));
  }

  @Test
  void anErrorThatHardlyMattersIsNotRefused() {
    double[] claimed = {0.488, 0.312, 0.15, 0.05};
    Support found = support(LOGGING, claimed, TARGET);
    assertTrue(found.calibrationWarns());
    assertFalse(found.calibrationRefuses());
  }

  @Test
  void whatIsShownAgainstAllPropensitiesIsImpossible() {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(3));
    double[] never = {0.5, 0.5, 0};
    for (int decision = 0; decision < 1000; decision++) {
      sums.add(vectors(decision, never, never, decision % 2));
    }
    DecisionVectors drawn = vectors(1000, never, never, 2).shown(2, 0.001).drawn(1000);
    sums.add(drawn);
    Calibration.Tested test =
        assertInstanceOf(Calibration.Tested.class, sums.result(Vectors.loggers()).calibration());
    assertEquals(0, test.pValue());
  }

  @Test
  void aLoggerThatChangedIsFoundByItsActionShares() {
    double[] changed = {0.1, 0.3, 0.3, 0.3};
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    Random random = new Random(3);
    for (int decision = 0; decision < DECISIONS; decision++) {
      int day = decision % 10;
      double[] logging = day == 7 ? changed : LOGGING;
      int shown = Vectors.draw(logging, random.nextDouble());
      sums.add(vectors(decision, 1, day, logging, TARGET, shown));
    }
    Support found = sums.result(Vectors.loggers());
    for (LoggerDay day : found.days()) {
      assertEquals("second", day.logger());
      assertEquals(day.day().toEpochDay() == 7, day.refuses(), day::toString);
      assertEquals(day.day().toEpochDay() == 7, day.warns(), day::toString);
    }
    assertTrue(found.days().stream().allMatch(LoggerDay::isExplained));
    assertFalse(found.calibrationWarns(), "its propensities were right all the time");
  }

  @Test
  void aChangeThatItsPropensitiesConcealIsNotExplained() {
    double[] changed = {0.1, 0.3, 0.3, 0.3};
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    Random random = new Random(3);
    for (int decision = 0; decision < DECISIONS; decision++) {
      int day = decision % 10;
      int shown = Vectors.draw(day == 7 ? changed : LOGGING, random.nextDouble());
      sums.add(vectors(decision, 1, day, LOGGING, TARGET, shown));
    }
    Support found = sums.result(Vectors.loggers());
    for (LoggerDay day : found.days()) {
      assertEquals(day.day().toEpochDay() == 7, day.refuses(), day::toString);
      assertEquals(day.day().toEpochDay() != 7, day.isExplained(), day::toString);
    }
    assertTrue(found.calibrationRefuses());
  }

  @Test
  void shortDaysDifferByChanceAlone() {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    Random random = new Random(4);
    for (int decision = 0; decision < 1000; decision++) {
      int shown = Vectors.draw(LOGGING, random.nextDouble());
      sums.add(vectors(decision, 0, decision / 10, LOGGING, TARGET, shown));
    }
    Support found = sums.result(Vectors.loggers());
    assertTrue(found.days().stream().anyMatch(day -> day.stabilityIndex() > 0.25));
    assertTrue(found.days().stream().noneMatch(LoggerDay::warns));
  }

  @Test
  void aDayOfOneDecisionHasNoInterval() {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    sums.add(vectors(1, LOGGING, TARGET, 2));
    LoggerDay day = sums.result(Vectors.loggers()).days().get(0);
    assertEquals(2, day.meanWeight(), 1e-12);
    assertTrue(day.meanWeightInterval().isEmpty());
    assertTrue(day.chance().isEmpty());
  }

  @Test
  void missingOverlapIsUnsupportedMass() {
    double[] logging = {0.6, 0.4, 0, 0};
    Support found = support(logging, logging, TARGET);
    assertEquals(0.7, found.unsupportedMass(), 1e-12);
    VectorFinding finding = found.findings().get(0);
    assertEquals(Code.UNSUPPORTED_MASS, finding.code());
    assertEquals(Severity.REFUSE, finding.severity());
    assertEquals(DECISIONS, finding.count());
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L), finding.examples());
    assertEquals(2, found.actions().stream().filter(ActionOverlap::warns).count());
  }

  @Test
  void aLittleUnsupportedMassIsAWarning() {
    double[] logging = {0.5, 0.3, 0.2, 0};
    double[] target = {0.5, 0.3, 0.195, 0.005};
    Support found = support(logging, logging, target);
    assertEquals(0.005, found.unsupportedMass(), 1e-12);
    assertEquals(Severity.WARN, found.findings().get(0).severity());
  }

  @Test
  void loggingWithoutChoiceIsRefused() {
    double[] one = {1, 0, 0, 0};
    Support found = support(one, one, TARGET);
    assertEquals(
        List.of(Code.DETERMINISTIC_LOGGING, Code.UNSUPPORTED_MASS),
        found.findings().stream().map(VectorFinding::code).toList());
    assertEquals(Severity.REFUSE, found.findings().get(0).severity());
    assertEquals(new Calibration.Untested("NO_CHOICE"), found.calibration());
  }

  @Test
  void brokenVectorsAreCountedAndLeftOut() {
    assertBroken(Code.PROPENSITY_VECTOR_SUM, new double[] {0.5, 0.3, 0.15, 0.06}, TARGET, 0);
    assertBroken(Code.PROPENSITY_VECTOR_SUM, new double[] {0.5, 0.3, Double.NaN, 0.05}, TARGET, 0);
    assertBroken(Code.PROPENSITY_VECTOR_SUM, new double[] {1.2, -0.2, 0, 0}, TARGET, 0);
    assertBroken(Code.TARGET_NOT_DISTRIBUTION, LOGGING, new double[] {0.1, 0.2, 0.3, 0.5}, 0);
    assertBroken(Code.TARGET_NOT_DISTRIBUTION, LOGGING, new double[] {1.2, -0.2, 0, 0}, 0);
    assertBroken(
        Code.TARGET_NOT_DISTRIBUTION,
        LOGGING,
        new double[] {0.1, 0.2, 0.3, Double.POSITIVE_INFINITY},
        0);
    assertBroken(Code.ACTION_NOT_IN_CANDIDATES, LOGGING, TARGET, DecisionVectors.NO_CANDIDATE);
    assertBroken(Code.PROPENSITY_NON_POSITIVE, new double[] {0.5, 0.3, 0.2, 0}, TARGET, 3);
  }

  @Test
  void aPropensityThatIsNotTheVectorsIsAnError() {
    assertBroken(Code.PROPENSITY_MISMATCH, vectors(1, LOGGING, TARGET, 0).shown(0, 0.5001));
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    sums.add(vectors(1, LOGGING, TARGET, 0).shown(0, 0.5 + 1e-8));
    assertEquals(1, sums.result(Vectors.loggers()).used());
  }

  @Test
  void drawnPropensitiesMayDifferByChance() {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    sums.add(vectors(1, LOGGING, TARGET, 0).shown(0, 0.52).drawn(1000));
    assertEquals(1, sums.result(Vectors.loggers()).used());
    assertBroken(
        Code.PROPENSITY_MISMATCH, vectors(1, LOGGING, TARGET, 0).shown(0, 0.7).drawn(1000));
  }

  @Test
  void sumsThatAreHardlyOffAreRenormalisedWithAWarning() {
    double[] logging = {0.5005, 0.3, 0.15, 0.05};
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    sums.add(vectors(9, logging, TARGET, 0));
    Support found = sums.result(Vectors.loggers());
    assertEquals(
        List.of(new VectorFinding(Code.PROPENSITY_VECTOR_SUM, Severity.WARN, 1, List.of(9L))),
        found.findings());
    double loggingMass = found.actions().stream().mapToDouble(ActionOverlap::loggingMass).sum();
    assertEquals(1, loggingMass, 1e-12);
    assertEquals(0.1 / (0.5005 / 1.0005), found.days().get(0).meanWeight(), 1e-12);
  }

  @Test
  void propensitiesBelowOneDrawAreAFloor() {
    double[] logging = {0.9, 0.0995, 0.0005, 0};
    double[] target = {0.9, 0.1, 0, 0};
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    sums.add(vectors(1, logging, target, 2));
    sums.add(vectors(2, logging, target, 2).drawn(1000));
    sums.add(vectors(3, logging, target, 2).drawn(2000));
    assertEquals(
        List.of(new VectorFinding(Code.PROPENSITY_TINY, Severity.WARN, 1, List.of(2L))),
        sums.result(Vectors.loggers()).findings());
  }

  @Test
  void rareItemsAreSummedUpAsOthers() {
    SupportAccumulator sums = new SupportAccumulator(ActionIndex.of(List.of("a")));
    ActionIndex index = ActionIndex.of(List.of("a"));
    sums.add(
        new DecisionVectors()
            .begin(1, 0, 0)
            .candidate(index.numberOf("a"), 0.5, 0.4)
            .candidate(index.numberOf("b"), 0.3, 0.3)
            .candidate(index.numberOf("c"), 0.2, 0.3)
            .shown(2, 0.2));
    Support found = sums.result(Vectors.loggers());
    ActionOverlap others = found.actions().get(0);
    assertEquals(ActionIndex.OTHER, others.item());
    assertEquals(1, others.shown());
    assertEquals(0.5, others.loggingMass(), 1e-12);
    assertEquals(0.6, others.targetMass(), 1e-12);
    assertEquals(0.2, others.smallestPropensity());
    assertEquals(1.5, others.meanWeight(), 1e-12);
  }

  @Test
  void daysBeyondTheBoundAreOnlyCounted() {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    LongStream.range(0, LoggerDays.MAX_DAYS + 3L)
        .forEach(day -> sums.add(vectors(day, 0, (int) day, LOGGING, TARGET, 0)));
    Support found = sums.result(Vectors.loggers());
    assertEquals(LoggerDays.MAX_DAYS, found.days().size());
    assertEquals(3, found.decisionsOnOtherDays());
  }

  @Test
  void withoutDecisionsNothingIsKnown() {
    Support found = new SupportAccumulator(Vectors.index(4)).result(Vectors.loggers());
    assertEquals(Support.EMPTY, found);
    assertFalse(found.isKnown());
  }

  @Test
  void soundLogsAreBlamedAsOftenAsTheTestsSay() {
    int logs = 400;
    int miscalibrated = 0;
    int drifted = 0;
    for (int log = 0; log < logs; log++) {
      Random random = new Random(log);
      SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
      for (int decision = 0; decision < 600; decision++) {
        double[] logging = random.nextBoolean() ? LOGGING : new double[] {0.1, 0.2, 0.3, 0.4};
        int shown = Vectors.draw(logging, random.nextDouble());
        sums.add(vectors(decision, 0, decision / 300, logging, TARGET, shown));
      }
      Support found = sums.result(Vectors.loggers());
      Calibration.Tested test = assertInstanceOf(Calibration.Tested.class, found.calibration());
      miscalibrated += test.pValue() < 0.05 ? 1 : 0;
      drifted += found.days().get(0).chance().orElseThrow() < 0.05 ? 1 : 0;
    }
    double tolerance = 4 * Math.sqrt(0.05 * 0.95 / logs);
    assertEquals(0.05, (double) miscalibrated / logs, tolerance);
    assertEquals(0.05, (double) drifted / logs, tolerance);
  }

  @Test
  void sumsOverOtherItemsAreNotMerged() {
    SupportAccumulator sums = Vectors.of(BanditLog.tiny());
    assertThrows(
        IllegalArgumentException.class, () -> sums.merge(new SupportAccumulator(Vectors.index(7))));
  }

  private static Support support(double[] truth, double[] claimed, double[] target) {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(truth.length));
    Random random = new Random(2);
    for (int decision = 0; decision < DECISIONS; decision++) {
      int shown = Vectors.draw(truth, random.nextDouble());
      sums.add(vectors(decision, 0, decision % 7, claimed, target, shown));
    }
    return sums.result(Vectors.loggers());
  }

  private static void assertBroken(Code code, double[] logging, double[] target, int shown) {
    assertBroken(code, vectors(17, logging, target, shown));
  }

  private static void assertBroken(Code code, DecisionVectors broken) {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(4));
    sums.add(broken);
    Support found = sums.result(Vectors.loggers());
    assertEquals(
        List.of(new VectorFinding(code, Severity.ERROR, 1, List.of(broken.decision))),
        found.findings());
    assertEquals(1, found.decisions());
    assertEquals(0, found.used());
    assertEquals(List.of(), found.actions());
    assertEquals(new Calibration.Untested("NO_VECTORS"), found.calibration());
  }
}
