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

/** What holds for every log, two positions and up to three units a log. */
class EstimatorPropertiesTest {
  private static final int POSITIONS = 2;
  private static final List<Estimator> ESTIMATORS =
      List.of(
          new Ips(),
          new ClippedIps(2),
          new Snips(),
          new DirectMethod(),
          new DoublyRobust(),
          new SelfNormalizedDoublyRobust(),
          new LoggingMean());

  record Place(double ratio, double reward, double prediction, double direct) {}

  record Decision(long unit, Place first, Place second) {
    DecisionRow row() {
      return row(0);
    }

    DecisionRow row(double shift) {
      return new DecisionRow(POSITIONS)
          .next(first.ratio, first.reward + shift, first.prediction + shift, first.direct + shift)
          .next(
              second.ratio,
              second.reward + shift,
              second.prediction + shift,
              second.direct + shift);
    }
  }

  @Provide
  Arbitrary<List<Decision>> logs() {
    Arbitrary<Double> number = Arbitraries.doubles().between(-3, 3).ofScale(3);
    Arbitrary<Double> ratio = Arbitraries.doubles().between(0.05, 9).ofScale(3);
    Arbitrary<Place> place = Combinators.combine(ratio, number, number, number).as(Place::new);
    return Combinators.combine(Arbitraries.longs().between(0, 12), place, place)
        .as(Decision::new)
        .list()
        .ofMinSize(2)
        .ofMaxSize(40);
  }

  @Property(tries = 200)
  void orderDoesNotMatter(@ForAll("logs") List<Decision> log, @ForAll Random random) {
    List<Decision> shuffled = new ArrayList<>(log);
    Collections.shuffle(shuffled, random);
    for (Estimator estimator : ESTIMATORS) {
      assertSame(stream(estimator, log, true), stream(estimator, shuffled, true));
      assertSame(stream(estimator, log, false), stream(estimator, shuffled, false));
    }
  }

  @Property(tries = 200)
  void mergingPartsEqualsOnePass(@ForAll("logs") List<Decision> log, @ForAll Random random) {
    int cut = random.nextInt(log.size());
    for (Estimator estimator : ESTIMATORS) {
      for (boolean byUnit : new boolean[] {true, false}) {
        StreamingEstimate left = stream(estimator, log.subList(cut, log.size()), byUnit);
        left.merge(stream(estimator, log.subList(0, cut), byUnit));
        assertSame(stream(estimator, log, byUnit), left);
      }
    }
  }

  @Property(tries = 200)
  void streamAndColumnsAgree(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    PrefixWeights weights = columns.targetWeights();
    for (Estimator estimator : ESTIMATORS) {
      Estimate byColumns =
          Influence.of(estimator, columns.underTarget("reward", weights))
              .orElseThrow()
              .estimate(columns.units());
      assertSame(byColumns, stream(estimator, log, true).result());
    }
  }

  @Property(tries = 200)
  void selfNormalisedAndRobustValuesMoveWithTheReward(@ForAll("logs") List<Decision> log) {
    for (Estimator estimator : List.of(new Snips(), new SelfNormalizedDoublyRobust())) {
      StreamingEstimate plain = StreamingEstimate.perDecision(estimator, POSITIONS);
      StreamingEstimate moved = StreamingEstimate.perDecision(estimator, POSITIONS);
      for (Decision decision : log) {
        plain.add(decision.unit, decision.row());
        moved.add(decision.unit, decision.row(5));
      }
      assertEquals(
          plain.result().point().orElseThrow() + 5 * POSITIONS,
          moved.result().point().orElseThrow(),
          1e-9);
    }
  }

  @Property(tries = 200)
  void aPolicyEqualToTheLoggingPolicyIsWorthTheMeanReward(@ForAll("logs") List<Decision> log) {
    double mean =
        log.stream()
            .mapToDouble(decision -> decision.first.reward + decision.second.reward)
            .average()
            .orElseThrow();
    for (Estimator estimator :
        List.of(new Ips(), new Snips(), new DoublyRobust(), new SelfNormalizedDoublyRobust())) {
      StreamingEstimate stream = StreamingEstimate.perDecision(estimator, POSITIONS);
      for (Decision decision : log) {
        stream.add(
            decision.unit,
            new DecisionRow(POSITIONS)
                .next(1, decision.first.reward, 0.7, 0.7)
                .next(1, decision.second.reward, 0.2, 0.2));
      }
      assertEquals(mean, stream.result().point().orElseThrow(), 1e-12);
    }
  }

  @Property(tries = 200)
  void selfNormalisedValuesStayWithinTheRewards(@ForAll("logs") List<Decision> log) {
    StreamingEstimate stream = StreamingEstimate.perDecision(new Snips(), 1);
    double least = Double.MAX_VALUE;
    double most = -Double.MAX_VALUE;
    for (Decision decision : log) {
      stream.add(
          decision.unit,
          new DecisionRow(1).next(decision.first.ratio, decision.first.reward, 0, 0));
      least = Math.min(least, decision.first.reward);
      most = Math.max(most, decision.first.reward);
    }
    double value = stream.result().point().orElseThrow();
    assertTrue(least - 1e-12 <= value && value <= most + 1e-12);
  }

  @Property(tries = 200)
  void limitsOfShrinkageAndSwitchAreModelAndDoublyRobust(@ForAll("logs") List<Decision> log) {
    double model = single(new DirectMethod(), log);
    double robust = single(new DoublyRobust(), log);
    assertEquals(model, single(new SwitchDoublyRobust(0), log), 1e-12);
    assertEquals(robust, single(new SwitchDoublyRobust(Double.POSITIVE_INFINITY), log), 1e-12);
    assertEquals(model, single(new ShrunkDoublyRobust(0), log), 1e-12);
    assertEquals(robust, single(new ShrunkDoublyRobust(Double.POSITIVE_INFINITY), log), 1e-12);
    assertEquals(single(new Ips(), log), single(new ClippedIps(100), log), 1e-12);
  }

  private static double single(Estimator estimator, List<Decision> log) {
    StreamingEstimate stream = StreamingEstimate.perDecision(estimator, 1);
    for (Decision decision : log) {
      Place place = decision.first;
      stream.add(
          decision.unit,
          new DecisionRow(1).next(place.ratio, place.reward, place.prediction, place.direct));
    }
    return stream.result().point().orElseThrow();
  }

  private static StreamingEstimate stream(Estimator estimator, List<Decision> log, boolean byUnit) {
    StreamingEstimate stream =
        byUnit
            ? StreamingEstimate.perUnit(estimator, POSITIONS)
            : StreamingEstimate.perDecision(estimator, POSITIONS);
    log.forEach(decision -> stream.add(decision.unit, decision.row()));
    return stream;
  }

  private static LoggedDecisions columns(List<Decision> log) {
    int rows = POSITIONS * log.size();
    int[] decision = new int[rows];
    int[] position = new int[rows];
    long[] unit = new long[rows];
    double[] logging = new double[rows];
    double[] target = new double[rows];
    double[] reward = new double[rows];
    double[] prediction = new double[rows];
    double[] direct = new double[rows];
    for (int row = 0; row < rows; row++) {
      Decision each = log.get(row / POSITIONS);
      Place place = row % POSITIONS == 0 ? each.first : each.second;
      decision[row] = row / POSITIONS;
      position[row] = row % POSITIONS;
      unit[row] = each.unit;
      logging[row] = 0.1;
      target[row] = place.ratio * 0.1;
      reward[row] = place.reward;
      prediction[row] = place.prediction;
      direct[row] = place.direct;
    }
    return LoggedDecisions.builder()
        .decisions(decision, position, unit)
        .logging(logging)
        .target(target)
        .signal("reward", LoggedDecisions.Signal.modelled(reward, prediction, direct))
        .build();
  }

  private static void assertSame(StreamingEstimate expected, StreamingEstimate found) {
    assertSame(expected.result(), found.result());
  }

  /** Rounding near a spread of 0 is of the size of the square root of the last bit. */
  private static void assertSame(Estimate expected, Estimate found) {
    double value = expected.point().orElseThrow();
    assertEquals(value, found.point().orElseThrow(), 1e-12 * (1 + Math.abs(value)));
    assertEquals(expected.error().isPresent(), found.error().isPresent());
    double error = expected.error().orElse(0);
    assertEquals(error, found.error().orElse(0), 1e-11 * (1 + error) + (error < 1e-5 ? 1e-5 : 0));
  }
}
