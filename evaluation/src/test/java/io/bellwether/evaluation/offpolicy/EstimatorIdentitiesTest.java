package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** What the estimators with other weights have in common with the plain ones. */
class EstimatorIdentitiesTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  private static final List<Estimator> TWO_POSITIONS =
      List.of(
          new SubGaussianIps(0.2),
          new Mips(),
          new SelfNormalizedMips(),
          new OffCem(),
          new IndependentIps(),
          new SelfNormalizedIndependentIps(),
          new StandardSlateIps(),
          new SelfNormalizedSlateIps(),
          new PseudoInverse());

  record Place(
      double ratio, double cluster, double slot, double reward, double prediction, double direct) {}

  record Decision(long unit, double slate, Place first, Place second) {

    DecisionRow one() {
      DecisionRow row = new DecisionRow(1);
      fill(row, first, 0);
      row.slateWeight = slate;
      return row;
    }

    DecisionRow two(double shift) {
      DecisionRow row = new DecisionRow(2);
      fill(row, first, shift);
      fill(row, second, shift);
      row.slateWeight = slate;
      return row;
    }

    private static void fill(DecisionRow row, Place place, double shift) {
      row.next(place.ratio, place.reward + shift, place.prediction + shift, place.direct + shift)
          .weigh(place.cluster, place.slot);
    }
  }

  @Provide
  Arbitrary<List<Decision>> logs() {
    Arbitrary<Double> number = Arbitraries.doubles().between(-3, 3).ofScale(3);
    Arbitrary<Double> ratio = Arbitraries.doubles().between(0, 9).ofScale(3);
    Arbitrary<Double> positive = Arbitraries.doubles().between(0.05, 9).ofScale(3);
    Arbitrary<Place> place =
        Combinators.combine(ratio, positive, positive, number, number, number).as(Place::new);
    return Combinators.combine(Arbitraries.longs().between(0, 12), number, place, place)
        .as(Decision::new)
        .list()
        .ofMinSize(2)
        .ofMaxSize(40);
  }

  @Property(tries = 200)
  void limitsOfCutAndCorrectionAreModelDoublyRobustAndPlain(@ForAll("logs") List<Decision> log) {
    assertEquals(one(new DirectMethod(), log), one(new ClippedDoublyRobust(0), log), 1e-12);
    assertEquals(one(new DoublyRobust(), log), one(new ClippedDoublyRobust(NO_LIMIT), log), 1e-12);
    assertEquals(one(new DoublyRobust(), log), one(new SubGaussianDoublyRobust(0), log), 1e-12);
    assertEquals(one(new Ips(), log), one(new SubGaussianIps(0), log), 1e-12);
    assertEquals(one(new Ips(), log), one(new ClippedIps(NO_LIMIT), log), 1e-12);
  }

  @Property(tries = 200)
  void fullCorrectionLeavesWeightOneWhereThereIsAny(@ForAll("logs") List<Decision> log) {
    double sum = 0;
    for (Decision decision : log) {
      sum += decision.first.ratio > 0 ? decision.first.reward : 0;
    }
    assertEquals(sum / log.size(), one(new SubGaussianIps(1), log), 1e-12);
  }

  @Property(tries = 200)
  void correctedWeightsStayBelowTheirBound(
      @ForAll @DoubleRange(min = 0, max = 1e9) double weight,
      @ForAll @DoubleRange(min = 0.01, max = 1) double shrinkage) {
    double corrected = SubGaussianIps.corrected(weight, shrinkage);
    assertTrue(corrected >= 0 && corrected <= 1 / shrinkage * (1 + 1e-12));
  }

  @Property(tries = 200)
  void slatesOfOnePositionAreTheBanditCase(@ForAll("logs") List<Decision> log) {
    List<Decision> same =
        log.stream().map(each -> withRatios(each, each.first.ratio, each.second.ratio)).toList();
    double ips = one(new Ips(), same);
    assertEquals(ips, one(new StandardSlateIps(), same), 1e-12);
    assertEquals(ips, one(new IndependentIps(), same), 1e-12);
    assertEquals(ips, one(new PseudoInverse(), same), 1e-12);
    assertEquals(ips, one(new Mips(), same), 1e-12);
    if (same.stream().anyMatch(each -> each.first.ratio > 0)) {
      double snips = one(new Snips(), same);
      assertEquals(snips, one(new SelfNormalizedSlateIps(), same), 1e-9);
      assertEquals(snips, one(new SelfNormalizedIndependentIps(), same), 1e-9);
      assertEquals(snips, one(new SelfNormalizedMips(), same), 1e-9);
    }
  }

  @Property(tries = 200)
  void clustersOfOneItemGiveDoublyRobust(@ForAll("logs") List<Decision> log) {
    List<Decision> identity =
        log.stream()
            .map(each -> withRatios(each, each.first.ratio, each.first.ratio * each.second.ratio))
            .toList();
    assertEquals(one(new DoublyRobust(), identity), one(new OffCem(), identity), 1e-12);
    double robust = two(new DoublyRobust(), identity, 0);
    assertEquals(robust, two(new OffCem(), identity, 0), 1e-9 * (1 + Math.abs(robust)));
    double ips = two(new Ips(), identity, 0);
    assertEquals(ips, two(new Mips(), identity, 0), 1e-9 * (1 + Math.abs(ips)));
  }

  @Property(tries = 200)
  void aPolicyEqualToTheLoggingPolicyIsWorthTheMeanReward(@ForAll("logs") List<Decision> log) {
    List<Decision> same =
        log.stream()
            .map(each -> new Decision(each.unit, 1, alike(each.first), alike(each.second)))
            .toList();
    double mean = two(new LoggingMean(), same, 0);
    for (Estimator estimator : TWO_POSITIONS) {
      assertEquals(mean, two(estimator, same, 0), 1e-12, estimator.name());
    }
    double first = one(new LoggingMean(), same);
    assertEquals(first, one(new ClippedDoublyRobust(1), same), 1e-12);
    assertEquals(first, one(new SubGaussianDoublyRobust(0.7), same), 1e-12);
  }

  @Property(tries = 200)
  void selfNormalisedValuesMoveWithTheReward(@ForAll("logs") List<Decision> log) {
    for (Estimator estimator :
        List.of(new SelfNormalizedMips(), new SelfNormalizedIndependentIps())) {
      double plain = two(estimator, log, 0);
      assertEquals(plain + 10, two(estimator, log, 5), 1e-9);
    }
    List<Decision> weighed =
        log.stream().map(each -> withRatios(each, each.first.ratio + 0.1, 1)).toList();
    assertEquals(
        one(new SelfNormalizedSlateIps(), weighed) + 3,
        one(
            new SelfNormalizedSlateIps(),
            weighed.stream().map(EstimatorIdentitiesTest::threeMore).toList()),
        1e-9);
  }

  @Property(tries = 200)
  void orderAndPartsDoNotMatter(@ForAll("logs") List<Decision> log, @ForAll Random random) {
    List<Decision> shuffled = new ArrayList<>(log);
    Collections.shuffle(shuffled, random);
    int cut = random.nextInt(log.size());
    for (Estimator estimator : TWO_POSITIONS) {
      Estimate expected = stream(estimator, log).result();
      StreamingEstimate parts = stream(estimator, shuffled.subList(cut, log.size()));
      parts.merge(stream(estimator, shuffled.subList(0, cut)));
      Estimate found = parts.result();
      assertEquals(expected.point().isPresent(), found.point().isPresent());
      double value = expected.point().orElse(0);
      assertEquals(value, found.point().orElse(0), 1e-12 * (1 + Math.abs(value)));
      double error = expected.error().orElse(0);
      assertEquals(error, found.error().orElse(0), 1e-10 * (1 + error));
    }
  }

  @Test
  void aSlateWithoutAnyWeightHasNoSelfNormalisedValue() {
    Decision never = new Decision(1, 0, new Place(0, 0, 0, 1, 0, 0), new Place(1, 0, 0, 1, 0, 0));
    for (Estimator estimator :
        List.of(
            new SelfNormalizedMips(),
            new SelfNormalizedIndependentIps(),
            new SelfNormalizedSlateIps())) {
      assertEquals(
          new Estimate.Refused("NO_OVERLAP"), stream(estimator, List.of(never, never)).result());
    }
  }

  private static Decision withRatios(Decision decision, double first, double second) {
    return new Decision(
        decision.unit,
        first,
        weighed(decision.first, first),
        new Place(
            decision.second.ratio,
            second,
            second,
            decision.second.reward,
            decision.second.prediction,
            decision.second.direct));
  }

  private static Place weighed(Place place, double weight) {
    return new Place(weight, weight, weight, place.reward, place.prediction, place.direct);
  }

  private static Place alike(Place place) {
    return new Place(1, 1, 1, place.reward, place.prediction, place.prediction);
  }

  private static Decision threeMore(Decision decision) {
    Place first = decision.first;
    return new Decision(
        decision.unit,
        decision.slate,
        new Place(
            first.ratio,
            first.cluster,
            first.slot,
            first.reward + 3,
            first.prediction,
            first.direct),
        decision.second);
  }

  private static double one(Estimator estimator, List<Decision> log) {
    StreamingEstimate stream = StreamingEstimate.perDecision(estimator, 1);
    log.forEach(decision -> stream.add(decision.unit, decision.one()));
    return stream.result().point().orElseThrow();
  }

  private static double two(Estimator estimator, List<Decision> log, double shift) {
    StreamingEstimate stream = StreamingEstimate.perDecision(estimator, 2);
    log.forEach(decision -> stream.add(decision.unit, decision.two(shift)));
    return stream.result().point().orElseThrow();
  }

  private static StreamingEstimate stream(Estimator estimator, List<Decision> log) {
    StreamingEstimate stream = StreamingEstimate.perUnit(estimator, 2);
    log.forEach(decision -> stream.add(decision.unit, decision.two(0)));
    return stream;
  }
}
