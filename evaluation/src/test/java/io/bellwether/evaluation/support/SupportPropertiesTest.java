package io.bellwether.evaluation.support;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every log of up to five candidates with two loggers over three days. */
class SupportPropertiesTest {
  private static final int ITEMS = 5;

  @Provide
  Arbitrary<List<DecisionVectors>> logs() {
    return Arbitraries.longs().list().ofMinSize(1).ofMaxSize(60).map(SupportPropertiesTest::log);
  }

  private static List<DecisionVectors> log(List<Long> seeds) {
    List<DecisionVectors> log = new ArrayList<>();
    for (int decision = 0; decision < seeds.size(); decision++) {
      Random random = new Random(seeds.get(decision));
      double[] logging = distribution(random);
      double[] target = distribution(random);
      int shown = Vectors.draw(logging, random.nextDouble());
      DecisionVectors vectors =
          Vectors.vectors(decision, random.nextInt(2), random.nextInt(3), logging, target, shown);
      if (random.nextInt(8) == 0) {
        vectors.shown(DecisionVectors.NO_CANDIDATE, 0.5);
      }
      log.add(vectors);
    }
    return log;
  }

  private static double[] distribution(Random random) {
    double[] chances = new double[ITEMS];
    Arrays.setAll(chances, item -> random.nextInt(4) == 0 ? 0 : random.nextDouble());
    chances[random.nextInt(ITEMS)] += 0.1;
    double sum = Arrays.stream(chances).sum();
    Arrays.setAll(chances, item -> chances[item] / sum);
    return chances;
  }

  @Property(tries = 200)
  void orderDoesNotMatter(@ForAll("logs") List<DecisionVectors> log, @ForAll Random random) {
    List<DecisionVectors> shuffled = new ArrayList<>(log);
    Collections.shuffle(shuffled, random);
    assertSame(sums(log).result(Vectors.loggers()), sums(shuffled).result(Vectors.loggers()));
  }

  @Property(tries = 200)
  void mergingPartsEqualsOnePass(@ForAll("logs") List<DecisionVectors> log, @ForAll Random random) {
    int cut = random.nextInt(log.size() + 1);
    SupportAccumulator right = sums(log.subList(cut, log.size()));
    right.merge(sums(log.subList(0, cut)));
    assertSame(sums(log).result(Vectors.loggers()), right.result(Vectors.loggers()));
  }

  @Property(tries = 100)
  void bytesHoldEverything(@ForAll("logs") List<DecisionVectors> log, @ForAll Random random)
      throws IOException {
    SupportAccumulator sums = sums(log);
    byte[] bytes = sums.toBytes();
    SupportAccumulator read = SupportAccumulator.fromBytes(bytes);
    assertArrayEquals(bytes, read.toBytes());
    assertEquals(sums.result(Vectors.loggers()), read.result(Vectors.loggers()));
    int cut = random.nextInt(log.size() + 1);
    SupportAccumulator part = SupportAccumulator.fromBytes(sums(log.subList(0, cut)).toBytes());
    part.merge(SupportAccumulator.fromBytes(sums(log.subList(cut, log.size())).toBytes()));
    assertSame(sums.result(Vectors.loggers()), part.result(Vectors.loggers()));
  }

  @Property(tries = 200)
  void theLoggingPolicyItselfHasWeightsOfExactlyOne(@ForAll("logs") List<DecisionVectors> log) {
    for (DecisionVectors vectors : log) {
      vectors.target = vectors.logging.clone();
    }
    Support found = sums(log).result(Vectors.loggers());
    assertEquals(0, found.unsupportedMass());
    for (LoggerDay day : found.days()) {
      assertEquals(1, day.meanWeight());
      assertEquals(0, day.standardError());
    }
    for (ActionOverlap overlap : found.actions()) {
      assertEquals(overlap.shown() == 0 ? 0 : 1, overlap.meanWeight());
      assertEquals((double) overlap.shown(), overlap.effectiveSampleSize());
      assertEquals(overlap.loggingMass(), overlap.targetMass(), 1e-12);
    }
  }

  @Property(tries = 200)
  void sumsAreThoseOfASlowLoop(@ForAll("logs") List<DecisionVectors> log) {
    Support found = sums(log).result(Vectors.loggers());
    List<DecisionVectors> used = log.stream().filter(each -> each.shown >= 0).toList();
    assertEquals(log.size(), found.decisions());
    assertEquals(used.size(), found.used());
    double unsupported = 0;
    for (DecisionVectors each : used) {
      for (int item = 0; item < ITEMS; item++) {
        unsupported += each.logging[item] == 0 ? each.target[item] : 0;
      }
    }
    assertEquals(unsupported, found.unsupportedMass() * used.size(), 1e-12 * log.size());
    for (ActionOverlap overlap : found.actions()) {
      int item = Integer.parseInt(overlap.item());
      assertEquals(
          used.stream().mapToDouble(each -> each.target[item]).sum(),
          overlap.targetMass(),
          1e-12 * log.size());
      assertEquals(used.stream().filter(each -> each.shown == item).count(), overlap.shown());
    }
    assertEquals(used.size(), found.days().stream().mapToLong(LoggerDay::decisions).sum());
    double expected = found.propensityBins().stream().mapToDouble(PropensityBin::expected).sum();
    assertEquals(used.size(), expected, 1e-12 * log.size());
  }

  private static SupportAccumulator sums(List<DecisionVectors> log) {
    SupportAccumulator sums = new SupportAccumulator(Vectors.index(ITEMS));
    log.forEach(sums::add);
    return sums;
  }

  /** Equal but for the rounding of sums. */
  private static void assertSame(Support expected, Support found) {
    assertEquals(expected.decisions(), found.decisions());
    assertEquals(expected.used(), found.used());
    assertEquals(expected.unsupportedMass(), found.unsupportedMass(), 1e-12);
    assertEquals(expected.findings(), found.findings());
    assertEquals(expected.actions().size(), found.actions().size());
    for (int each = 0; each < expected.actions().size(); each++) {
      ActionOverlap one = expected.actions().get(each);
      ActionOverlap other = found.actions().get(each);
      assertEquals(one.item(), other.item());
      assertEquals(one.shown(), other.shown());
      assertEquals(one.targetMass(), other.targetMass(), 1e-12);
      assertEquals(one.meanWeight(), other.meanWeight(), 1e-12 * (1 + one.meanWeight()));
      assertEquals(one.smallestPropensity(), other.smallestPropensity());
    }
    for (int each = 0; each < expected.days().size(); each++) {
      LoggerDay one = expected.days().get(each);
      LoggerDay other = found.days().get(each);
      assertEquals(one.logger(), other.logger());
      assertEquals(one.day(), other.day());
      assertEquals(one.decisions(), other.decisions());
      assertEquals(one.meanWeight(), other.meanWeight(), 1e-12 * (1 + one.meanWeight()));
      assertEquals(one.stabilityIndex(), other.stabilityIndex(), 1e-12);
    }
    if (expected.calibration() instanceof Calibration.Tested one) {
      Calibration.Tested other = assertInstanceOf(Calibration.Tested.class, found.calibration());
      assertEquals(one.degreesOfFreedom(), other.degreesOfFreedom());
      assertEquals(one.statistic(), other.statistic(), 1e-9 * (1 + one.statistic()));
    } else {
      assertEquals(expected.calibration(), found.calibration());
    }
  }
}
