package io.bellwether.evaluation.offpolicy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What holds for every log of slates of one to three places, however it is stored and read. */
class ColumnsPropertiesTest {
  private static final String REWARD = "reward";
  private static final String COLOUR = "colour";
  private static final List<Estimator> ESTIMATORS =
      List.of(
          new Ips(),
          new Snips(),
          new DirectMethod(),
          new DoublyRobust(),
          new SelfNormalizedDoublyRobust(),
          new LoggingMean());

  record Place(double ratio, double reward, double prediction, double direct) {}

  record Decision(long unit, boolean red, List<Place> places) {}

  @Provide
  Arbitrary<List<Decision>> logs() {
    Arbitrary<Double> number = Arbitraries.doubles().between(-3, 3).ofScale(3);
    Arbitrary<Double> ratio = Arbitraries.doubles().between(0.05, 9).ofScale(3);
    Arbitrary<List<Place>> places =
        Combinators.combine(ratio, number, number, number)
            .as(Place::new)
            .list()
            .ofMinSize(1)
            .ofMaxSize(3);
    return Combinators.combine(
            Arbitraries.longs().between(-8, 8), Arbitraries.of(true, false), places)
        .as(Decision::new)
        .list()
        .ofMinSize(2)
        .ofMaxSize(60);
  }

  @Property(tries = 60)
  void anyNumberOfThreadsGivesTheSameBits(
      @ForAll("logs") List<Decision> log, @ForAll boolean sorted) {
    LoggedDecisions columns = columns(sorted ? byUnit(log) : log);
    Chunks chunks = new Chunks(3);
    Supplier<List<Estimate>> estimates = () -> estimates(columns, chunks);
    assertEquals(on(1, estimates), on(5, estimates));
  }

  @Property(tries = 100)
  void anyChunksGiveTheSameEstimates(
      @ForAll("logs") List<Decision> log,
      @ForAll boolean sorted,
      @ForAll @IntRange(min = 1, max = 70) int size) {
    LoggedDecisions columns = columns(sorted ? byUnit(log) : log);
    List<Estimate> whole = estimates(columns, Chunks.STANDARD);
    List<Estimate> parts = estimates(columns, new Chunks(size));
    for (int at = 0; at < whole.size(); at++) {
      assertSame(whole.get(at), parts.get(at));
    }
  }

  @Property(tries = 60)
  void buffersOutsideTheHeapGiveTheSameBits(@ForAll("logs") List<Decision> log) {
    assertEquals(estimates(columns(log), Chunks.STANDARD), estimates(direct(log), Chunks.STANDARD));
  }

  @Property(tries = 100)
  void oneAfterAnotherOrAllAtOnceIsTheSame(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    DecisionColumns reward = columns.underTarget(REWARD, Weighting.PREFIX);
    List<Influence> influences =
        Influence.ofAll(ESTIMATORS, reward).stream().map(each -> each.orElseThrow()).toList();
    assertEquals(
        estimates(columns, Chunks.STANDARD), Influence.estimates(influences, columns.units()));
  }

  @Property(tries = 100)
  void unitsThatStandTogetherHaveTheErrorOfScatteredOnes(
      @ForAll("logs") List<Decision> log, @ForAll Random random) {
    List<Decision> shuffled = new ArrayList<>(log);
    Collections.shuffle(shuffled, random);
    List<Estimate> together = estimates(columns(byUnit(log)), Chunks.STANDARD);
    List<Estimate> scattered = estimates(columns(shuffled), Chunks.STANDARD);
    for (int at = 0; at < together.size(); at++) {
      assertSame(together.get(at), scattered.get(at));
    }
  }

  @Property(tries = 100)
  void unitsAreNumberedByTheirFirstDecision(@ForAll List<@IntRange(max = 300) Integer> drawn) {
    for (boolean sorted : new boolean[] {true, false}) {
      long[] units =
          (sorted ? drawn.stream().sorted() : drawn.stream()).mapToLong(each -> each).toArray();
      assertNumbers(units);
    }
    long[] unsigned =
        drawn.stream().sorted().mapToLong(each -> each * (Long.MAX_VALUE / 100)).toArray();
    assertTrue(UnitIndex.of(unsigned).standTogether());
    assertNumbers(unsigned);
  }

  @Property(tries = 60)
  void aRunMayBeLongerThanAStrideOfTheIndex(@ForAll @IntRange(min = 1, max = 500) int length) {
    assertNumbers(IntStream.range(0, 1000).mapToLong(at -> at / length).toArray());
    long[] apart = IntStream.range(0, 1000).mapToLong(at -> -(at / length) * 7L).toArray();
    assertTrue(UnitIndex.of(apart).standTogether());
    assertNumbers(apart);
  }

  @Property(tries = 100)
  void positionsAddUpToTheWhole(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    DecisionColumns reward = columns.underTarget(REWARD, Weighting.PREFIX);
    for (Estimator estimator : ESTIMATORS) {
      double sum = 0;
      for (int position = 0; position < columns.positions(); position++) {
        sum += Influence.of(estimator, reward.atPosition(position)).orElseThrow().value();
      }
      assertEquals(Influence.of(estimator, reward).orElseThrow().value(), sum, 1e-9);
    }
  }

  @Property(tries = 100)
  void aSegmentIsTheLogOfItsDecisions(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    List<Decision> red = log.stream().filter(Decision::red).toList();
    DecisionColumns segment =
        columns.underTarget(REWARD, Weighting.PREFIX).ofSegment(COLOUR, "red");
    assertEquals(red.size(), segment.decisions());
    if (red.isEmpty()) {
      assertTrue(Influence.of(new Ips(), segment).isEmpty());
      return;
    }
    LoggedDecisions alone = columns(red);
    for (Estimator estimator : ESTIMATORS) {
      assertSame(
          estimate(estimator, alone.underTarget(REWARD, Weighting.PREFIX), alone.units()),
          estimate(estimator, segment, columns.units()));
    }
    WeightDiagnostics weights = WeightDiagnostics.of(segment, 0);
    assertEquals(WeightDiagnostics.of(alone.targetWeights(), 0), weights);
  }

  @Property(tries = 100)
  void segmentsOfDifferentSubjectsVaryIndependently(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(withOwnUnits(log));
    DecisionColumns reward = columns.underTarget(REWARD, Weighting.PREFIX);
    DecisionColumns red = reward.ofSegment(COLOUR, "red");
    DecisionColumns blue = reward.ofSegment(COLOUR, "blue");
    if (red.decisions() < 2 || blue.decisions() < 2) {
      return;
    }
    Influence ofRed = Influence.of(new Snips(), red).orElseThrow();
    Influence ofBlue = Influence.of(new Snips(), blue).orElseThrow();
    Estimate difference = ofRed.combine(1, ofBlue, -1, 0).estimate(columns.units());
    double all = columns.decisions();
    double variance =
        all
            / (all - 1)
            * (population(ofRed, columns, red.decisions())
                + population(ofBlue, columns, blue.decisions()));
    double error = difference.error().orElseThrow();
    assertEquals(Math.sqrt(variance), error, 1e-10 * (1 + error));
  }

  @Property(tries = 100)
  void whatInfluencesShareIsNoDifference(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    UnitIndex units = columns.units();
    DecisionColumns reward = columns.underTarget(REWARD, Weighting.PREFIX);
    DecisionColumns red = reward.ofSegment(COLOUR, "red");
    Influence ips = Influence.of(new Ips(), reward).orElseThrow();
    Influence snips = Influence.of(new Snips(), reward).orElseThrow();
    List<Influence> influences = new ArrayList<>(List.of(ips, snips, ips.combine(2, snips, -1, 0)));
    Influence.of(new Snips(), red)
        .ifPresent(
            part -> {
              influences.add(part);
              influences.add(part.combine(1, snips, -1, 0));
            });
    List<Estimate> together = Influence.estimates(influences, units);
    for (int at = 0; at < influences.size(); at++) {
      assertEquals(influences.get(at).estimate(units), together.get(at));
    }
    if (together.size() == 5 && units.count() > 1) {
      assertEquals(log.size(), ((Estimate.Estimated) together.get(4)).decisions());
    }
  }

  private static double population(Influence influence, LoggedDecisions log, double decisions) {
    double error = influence.estimate(log.units()).error().orElseThrow();
    return error * error * (decisions - 1) / decisions;
  }

  @Property(tries = 100)
  void variancesStandOnTheDiagonalOfCovariances(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    UnitIndex units = columns.units();
    if (units.count() < 2) {
      return;
    }
    DecisionColumns reward = columns.underTarget(REWARD, Weighting.PREFIX);
    Influence ips = Influence.of(new Ips(), reward).orElseThrow();
    Influence logging = Influence.of(new LoggingMean(), reward).orElseThrow();
    double[][] covariances = Influence.covariances(List.of(ips, logging), units);
    double ofDifference = ips.combine(1, logging, -1, 0).estimate(units).error().orElseThrow();
    assertEquals(
        ofDifference * ofDifference,
        covariances[0][0] + covariances[1][1] - 2 * covariances[0][1],
        1e-10 * (1 + covariances[0][0] + covariances[1][1]));
  }

  @Property(tries = 100)
  void influenceOfAllUnitsIsZero(@ForAll("logs") List<Decision> log, @ForAll boolean sorted) {
    LoggedDecisions columns = columns(sorted ? byUnit(log) : log);
    UnitIndex units = columns.units();
    Influence snips =
        Influence.of(new Snips(), columns.underTarget(REWARD, Weighting.PREFIX)).orElseThrow();
    CompensatedSums sums = new CompensatedSums(2);
    List<Integer> numbers = new ArrayList<>();
    snips.forEachUnit(
        units,
        (unit, decisions, influence) -> {
          numbers.add(unit);
          sums.add(0, decisions);
          sums.add(1, influence);
        });
    assertEquals(IntStream.range(0, units.count()).boxed().toList(), numbers);
    assertEquals(log.size(), sums.get(0));
    assertEquals(0, sums.get(1), 1e-9);
  }

  @Property(tries = 100)
  void weightsReadAloneAreThoseOfTheRow(@ForAll("logs") List<Decision> log) {
    LoggedDecisions columns = columns(log);
    columns
        .underTarget(REWARD, Weighting.PREFIX)
        .forEach(
            (decision, row) -> {
              for (int position = 0; position < columns.positions(); position++) {
                assertEquals(row.weight(position), columns.targetWeights().at(decision, position));
              }
            });
  }

  @Property(tries = 60)
  void theLastPointOfTheCumulativeValueIsTheValue(
      @ForAll("logs") List<Decision> log, @ForAll @IntRange(min = 1, max = 20) int stretches) {
    LoggedDecisions columns = columns(log);
    DecisionColumns reward = columns.underTarget(REWARD, Weighting.PREFIX);
    List<CumulativeValue.Point> points =
        CumulativeValue.of(new Snips(), reward, stretches).points();
    CumulativeValue.Point last = points.get(points.size() - 1);
    assertEquals(log.size(), last.decisions());
    assertEquals(
        Influence.of(new Snips(), reward).orElseThrow().value(), last.value().orElseThrow(), 1e-12);
    assertTrue(points.size() <= stretches);
  }

  @Property(tries = 60)
  void theLargestWeightsAreTheFirstOfASortedList(
      @ForAll("logs") List<Decision> log, @ForAll @IntRange(min = 1, max = 30) int most) {
    LoggedDecisions columns = columns(log);
    PrefixWeights weights = columns.targetWeights();
    int last = columns.positions() - 1;
    List<Integer> expected =
        IntStream.range(0, log.size())
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(at -> -weights.at(at, last))
                    .thenComparing(at -> at))
            .limit(most)
            .toList();
    LargestWeights found = LargestWeights.of(columns.underTarget(REWARD, Weighting.PREFIX), most);
    assertEquals(expected, found.heavy().stream().map(LargestWeights.Heavy::number).toList());
    assertFalse(found.heavy().stream().anyMatch(each -> each.share() > 1 + 1e-12));
  }

  private static void assertNumbers(long[] units) {
    UnitIndex index = UnitIndex.of(units);
    Map<Long, Integer> numbers = new HashMap<>();
    for (int decision = 0; decision < units.length; decision++) {
      numbers.putIfAbsent(units[decision], numbers.size());
      assertEquals(numbers.get(units[decision]), index.unitOf(decision));
    }
    assertEquals(numbers.size(), index.count());
  }

  private static List<Estimate> estimates(LoggedDecisions log, Chunks chunks) {
    DecisionColumns columns = log.underTarget(REWARD, Weighting.PREFIX);
    return ESTIMATORS.stream()
        .map(
            estimator ->
                Influence.of(estimator, columns, chunks)
                    .orElseThrow()
                    .estimate(log.units(), chunks))
        .toList();
  }

  private static Estimate estimate(Estimator estimator, DecisionColumns columns, UnitIndex units) {
    return Influence.of(estimator, columns).orElseThrow().estimate(units);
  }

  private static <A> A on(int threads, Supplier<A> work) {
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      return pool.submit(work::get).join();
    } finally {
      pool.shutdown();
    }
  }

  private static List<Decision> byUnit(List<Decision> log) {
    return log.stream().sorted(Comparator.comparingLong(Decision::unit)).toList();
  }

  private static List<Decision> withOwnUnits(List<Decision> log) {
    return IntStream.range(0, log.size())
        .mapToObj(at -> new Decision(at, log.get(at).red, log.get(at).places))
        .toList();
  }

  private static LoggedDecisions columns(List<Decision> log) {
    return new Columns(log).onTheHeap();
  }

  private static LoggedDecisions direct(List<Decision> log) {
    return new Columns(log).outside();
  }

  /** A log's rows, one after another. */
  private static final class Columns {
    private final List<Decision> log;
    private final List<Place> places;
    private final int[] decision;
    private final int[] position;

    Columns(List<Decision> log) {
      this.log = log;
      places = log.stream().flatMap(each -> each.places.stream()).toList();
      decision =
          IntStream.range(0, log.size())
              .flatMap(at -> log.get(at).places.stream().mapToInt(place -> at))
              .toArray();
      position =
          log.stream().flatMapToInt(each -> IntStream.range(0, each.places.size())).toArray();
    }

    LoggedDecisions onTheHeap() {
      return LoggedDecisions.builder()
          .decisions(decision, position, units(Decision::unit))
          .logging(column(place -> 0.1))
          .target(column(place -> place.ratio * 0.1))
          .signal(
              REWARD,
              Signal.modelled(
                  column(Place::reward), column(Place::prediction), column(Place::direct)))
          .segment(COLOUR, colours())
          .build();
    }

    LoggedDecisions outside() {
      return LoggedDecisions.builder()
          .decisions(outside(decision), outside(position), outside(units(Decision::unit)))
          .logging(outside(column(place -> 0.1)))
          .target(outside(column(place -> place.ratio * 0.1)))
          .signal(
              REWARD,
              Signal.modelled(
                  outside(column(Place::reward)),
                  outside(column(Place::prediction)),
                  outside(column(Place::direct))))
          .segment(COLOUR, colours())
          .build();
    }

    private Labels colours() {
      return new Labels(
          List.of("red", "blue"),
          IntBuffer.wrap(log.stream().mapToInt(each -> each.red ? 0 : 1).toArray()));
    }

    private double[] column(ToDoubleFunction<Place> value) {
      return places.stream().mapToDouble(value).toArray();
    }

    private long[] units(ToLongFunction<Decision> unit) {
      return IntStream.of(decision).mapToLong(at -> unit.applyAsLong(log.get(at))).toArray();
    }

    /** Each buffer begins after a number that is not to be read. */
    private static DoubleBuffer outside(double[] values) {
      DoubleBuffer buffer = bytes(values.length + 1).asDoubleBuffer();
      buffer.put(0, Double.NaN).position(1);
      buffer.put(1, values);
      return buffer;
    }

    private static LongBuffer outside(long[] values) {
      LongBuffer buffer = bytes(values.length + 1).asLongBuffer();
      buffer.position(1);
      return buffer.put(1, values);
    }

    private static IntBuffer outside(int[] values) {
      IntBuffer buffer = bytes(values.length).asIntBuffer();
      buffer.limit(values.length);
      return buffer.put(0, values);
    }

    private static ByteBuffer bytes(int longs) {
      return ByteBuffer.allocateDirect(Long.BYTES * longs).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Rounding near a spread of 0 is of the size of the square root of the last bit. */
  private static void assertSame(Estimate expected, Estimate found) {
    double value = expected.point().orElseThrow();
    assertEquals(value, found.point().orElseThrow(), 1e-13 * (1 + Math.abs(value)));
    assertEquals(expected.error().isPresent(), found.error().isPresent());
    double error = expected.error().orElse(0);
    assertEquals(error, found.error().orElse(0), 1e-12 * (1 + error));
  }
}
