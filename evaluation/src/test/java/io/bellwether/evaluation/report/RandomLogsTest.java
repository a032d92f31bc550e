package io.bellwether.evaluation.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.evaluation.offpolicy.Labels;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever a log holds, a report is refused by name or holds numbers only. */
class RandomLogsTest {
  private static final double[] STRANGE = {
    0,
    -0.0,
    -1,
    1,
    1.2,
    1e-7,
    1e-300,
    Double.MIN_VALUE,
    1e49,
    1e80,
    -1e300,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  @Property(tries = 300)
  void aReportHoldsNumbersOnly(@ForAll long seed, @ForAll @IntRange(min = 0, max = 4) int broken) {
    Random random = new Random(seed);
    LoggedDecisions log = log(random, broken);
    EvaluationPlan plan = plan(random, log);
    OffPolicyReport report;
    try {
      report = OffPolicyReport.of(log, plan);
    } catch (InvalidDataException refused) {
      assertTrue(
          refused.findings().stream().anyMatch(each -> each.severity() == Severity.ERROR),
          refused.getMessage());
      return;
    }
    assertFinite(report, "report");
    ReportJson.assertNumbersOnly(report);
    if (log.decisions() < 100) {
      assertNotEquals(Verdict.Code.PASS, report.verdict().code());
    }
  }

  @Property(tries = 20)
  void aReportDependsOnTheLogAlone(@ForAll long seed) {
    Random first = new Random(seed);
    Random second = new Random(seed);
    OffPolicyReport report = reportOf(first);
    assertEquals(report, reportOf(second));
  }

  private static OffPolicyReport reportOf(Random random) {
    LoggedDecisions log = log(random, 0);
    while (log.decisions() == 0) {
      log = log(random, 0);
    }
    return OffPolicyReport.of(log, plan(random, log));
  }

  private static EvaluationPlan plan(Random random, LoggedDecisions log) {
    EvaluationPlan plan =
        EvaluationPlan.of(Objective.maximize("like").withRelativeMinLift(random.nextInt(2) * 0.1))
            .withConstraints(
                List.of(Constraint.atMost("hide", 0.5), Constraint.atLeastOfBaseline("like", 0.9)))
            .withSegments(log.segments())
            .withBootstrap(random.nextInt(3) * 20, random.nextLong());
    if (random.nextBoolean()) {
      plan = plan.withRange("like", Range.FLAG).withLargestWeight(50);
    }
    return random.nextInt(4) == 0 ? plan.withLooks(new Looks.Repeated(1_000)) : plan;
  }

  private static LoggedDecisions log(Random random, int broken) {
    int decisions = random.nextInt(4) == 0 ? random.nextInt(4) : 10 + random.nextInt(150);
    int positions = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 1;
    int rows = decisions * positions;
    double[] logging = column(random, rows, 0.05, 1);
    double[] target = column(random, rows, 0, 1);
    double[] like = flags(random, rows, random.nextInt(4) * 0.3);
    double[] hide = column(random, rows, -2, 2);
    double[] prediction = column(random, rows, 0, 1);
    double[] direct = column(random, rows, 0, 1);
    double[] baseline = column(random, rows, 0, 1);
    double[] balanced = column(random, rows, 0, 3);
    double[] cluster = column(random, rows, 0, 3);
    double[] slot = column(random, rows, 0, 3);
    double[] slate = column(random, decisions, -2, 3);
    double[] divergence = column(random, rows, 0, 3);
    List<double[]> all =
        List.of(
            logging,
            target,
            like,
            hide,
            prediction,
            direct,
            baseline,
            balanced,
            cluster,
            slot,
            slate,
            divergence);
    for (int at = 0; at < broken && rows > 0; at++) {
      double[] column = all.get(random.nextInt(all.size()));
      double value = STRANGE[random.nextInt(STRANGE.length)];
      if (random.nextBoolean()) {
        column[random.nextInt(column.length)] = value;
      } else {
        Arrays.fill(column, value);
      }
    }
    int perUnit = 1 + random.nextInt(3);
    LoggedDecisions.Builder builder =
        LoggedDecisions.builder()
            .decisions(
                IntStream.range(0, rows).map(row -> row / positions).toArray(),
                IntStream.range(0, rows).map(row -> row % positions).toArray(),
                IntStream.range(0, rows).mapToLong(row -> row / positions / perUnit % 40).toArray())
            .logging(logging)
            .target(target)
            .signal("like", new Signal(like, prediction, direct, baseline))
            .signal("hide", Signal.withoutModel(hide));
    return withOptionalColumns(builder, random, decisions)
        .baseline(random.nextBoolean() ? baseline : new double[0])
        .balancedWeight(random.nextBoolean() ? balanced : new double[0])
        .clusterWeight(random.nextBoolean() ? cluster : new double[0])
        .slotWeight(random.nextBoolean() ? slot : new double[0])
        .slateWeight(random.nextBoolean() ? slate : new double[0])
        .divergence(random.nextBoolean() ? divergence : new double[0])
        .build();
  }

  private static LoggedDecisions.Builder withOptionalColumns(
      LoggedDecisions.Builder builder, Random random, int decisions) {
    if (random.nextBoolean()) {
      builder.timeMicros(
          IntStream.range(0, decisions).mapToLong(at -> at * 3_600_000_000L).toArray());
      builder.loggers(List.of("a", "b"), random.ints(decisions, 0, 2).toArray());
    }
    if (random.nextBoolean()) {
      builder.segment(
          "country",
          new Labels(
              List.of("NL", "DE", "BE"), IntBuffer.wrap(random.ints(decisions, -1, 2).toArray())));
    }
    return builder;
  }

  private static double[] column(Random random, int size, double low, double high) {
    return random.doubles(size, low, high).toArray();
  }

  private static double[] flags(Random random, int size, double chance) {
    return IntStream.range(0, size)
        .mapToDouble(at -> random.nextDouble() < chance ? 1 : 0)
        .toArray();
  }

  private static void assertFinite(Object value, String path) {
    if (value instanceof Double number) {
      assertTrue(Double.isFinite(number), () -> path + " is " + number);
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((key, each) -> assertFinite(each, path + "." + key));
    } else if (value instanceof Collection<?> list) {
      List<Object> items = new ArrayList<>(list);
      for (int at = 0; at < items.size(); at++) {
        assertFinite(items.get(at), path + "[" + at + "]");
      }
    } else if (value instanceof Record) {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        assertFinite(read(component, value), path + "." + component.getName());
      }
    }
  }

  private static Object read(RecordComponent component, Object record) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError(component.getName() + " of a record can be read", e);
    }
  }
}
