package io.bellwether.loadtest.people;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.loadtest.people.LinearPolicy.Weights;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrueValueTest {
  private static final int TEST_SESSIONS = 3000;
  private static final double DIGITS = 1e-6;

  private static JsonNode golden;

  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);
  private final TrueValue trueValue = new TrueValue(world, 2, 500);

  @BeforeAll
  static void readGolden() throws IOException {
    try (InputStream in =
        TrueValueTest.class.getResourceAsStream("/golden/short-video-sim-v1.json")) {
      golden = new ObjectMapper().readTree(in);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "L0", "L0 greedy", "myopic watch", "W*", "C*", "like*"})
  void totalsAreThoseOfTheSpecification(String policy) throws InterruptedException {
    PolicyValue value = trueValue.of(policy(policy), 0, TEST_SESSIONS, 1);
    JsonNode columns = golden.at("/totals/columns");
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i).asText();
      double found = column.equals("length") ? value.length().mean() : total(value, column);
      assertEquals(golden.get("totals").get(policy).get(i).asDouble(), found, DIGITS, column);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"L0", "W*", "C*"})
  void discountedTotalsAreThoseOfTheSpecification(String policy) throws InterruptedException {
    JsonNode expected = golden.get("discounted");
    PolicyValue value =
        trueValue.of(policy(policy), 0, TEST_SESSIONS, expected.get("discount").asDouble());
    for (int i = 0; i < expected.get("columns").size(); i++) {
      String column = expected.get("columns").get(i).asText();
      double found = value.discounted(signal(column)).mean() / scale(column);
      assertEquals(expected.get(policy).get(i).asDouble(), found, 6e-6, column);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"L0", "W*", "C*"})
  void denseTotalsAreThoseOfTheSpecification(String policy) throws InterruptedException {
    TrueValue dense = new TrueValue(ShortVideoWorld.of(Profile.DENSE), 2, 500);
    PolicyValue value = dense.of(policy(policy), 0, TEST_SESSIONS, 1);
    JsonNode expected = golden.get("dense");
    for (int i = 0; i < expected.get("columns").size(); i++) {
      String column = expected.get("columns").get(i).asText();
      assertEquals(expected.get(policy).get(i).asDouble(), total(value, column), DIGITS, column);
    }
  }

  @Test
  void theLogHasAsManyTransitionsAsInTheSpecification() throws InterruptedException {
    JsonNode logs = golden.get("logs");
    PolicyValue value =
        trueValue.of(
            policy("L0"), logs.get("firstSession").asLong(), logs.get("sessions").asInt(), 1);
    assertEquals(logs.get("transitions").asLong(), value.decisions());
    assertEquals(logs.get("watch").asDouble(), total(value, "watch"), 6e-5);
    assertEquals(logs.get("like").asDouble(), total(value, "like"), DIGITS);
  }

  @Test
  void standardErrorsAreThoseOfTheSpecification() throws InterruptedException {
    PolicyValue logging = trueValue.of(policy("L0"), 0, TEST_SESSIONS, 1);
    PolicyValue best = trueValue.of(policy("C*"), 0, TEST_SESSIONS, 1);
    assertEquals(0.42, logging.total(Signal.WATCH_SECONDS).standardError() / 10, 0.005);
    assertEquals(0.86, best.total(Signal.WATCH_SECONDS).standardError() / 10, 0.005);
    Estimate ratio = best.ratioTo(logging, Signal.WATCH_SECONDS);
    assertEquals(2.138, ratio.mean(), 0.001);
    assertEquals(0.017, ratio.standardError(), 0.01);
  }

  @Test
  void threadsAndBatchesChangeNothing() throws InterruptedException {
    PolicyValue expected = new TrueValue(world, 1, 1).of(policy("L0"), 50, 200, 0.9);
    for (int sessionsPerBatch : new int[] {7, 64, 1000}) {
      PolicyValue value = new TrueValue(world, 4, sessionsPerBatch).of(policy("L0"), 50, 200, 0.9);
      assertEquals(expected.length(), value.length());
      for (Signal signal : Signal.values()) {
        assertEquals(expected.total(signal), value.total(signal));
        assertEquals(expected.discounted(signal), value.discounted(signal));
        assertEquals(expected.perDecision(signal), value.perDecision(signal));
      }
    }
  }

  @Test
  void aPolicyIsWorthExactlyAsMuchAsItself() throws InterruptedException {
    PolicyValue value = trueValue.of(policy("L0"), 0, 100, 1);
    assertEquals(new Estimate(1, 0), value.ratioTo(value, Signal.LIKE));
  }

  @Test
  void valuesOfDifferentSessionsAreNotCompared() throws InterruptedException {
    PolicyValue value = trueValue.of(policy("L0"), 0, 10, 1);
    PolicyValue other = trueValue.of(policy("L0"), 10, 10, 1);
    assertThrows(IllegalArgumentException.class, () -> value.ratioTo(other, Signal.LIKE));
  }

  @Test
  void perDecisionMeansAreRatiosOfTotals() throws InterruptedException {
    PolicyValue value = trueValue.of(policy("uniform"), 0, TEST_SESSIONS, 1);
    Estimate click = value.perDecision(Signal.CLICK);
    assertEquals(value.total(Signal.CLICK).mean() / value.length().mean(), click.mean(), 1e-12);
    assertEquals(0.391, click.mean(), 0.0005);
    assertTrue(click.low() < click.mean() && click.mean() < click.high());
  }

  @Test
  void theWorstSessionsHaveMoreThanAllTogether() throws InterruptedException {
    PolicyValue value = trueValue.of(policy("uniform"), 0, 400, 1);
    double mean = value.total(Signal.HATE).mean();
    assertEquals(mean, value.worstMean(Signal.HATE, 1), 1e-12);
    double quarter = value.worstMean(Signal.HATE, 0.25);
    assertTrue(quarter > mean && quarter < 4 * mean);
    assertTrue(value.worstMean(Signal.HATE, 1e-9) >= quarter);
  }

  @Test
  void aPolicyWhoseProbabilitiesDoNotSumToOneIsRefused() {
    assertThrows(
        IllegalStateException.class, () -> trueValue.of((batch, probabilities) -> {}, 0, 10, 1));
  }

  private SimulatedPolicy policy(String name) {
    Catalogue catalogue = world.catalogue();
    return switch (name) {
      case "uniform" -> LinearPolicy.uniform(catalogue);
      case "L0" -> LinearPolicy.logging(catalogue);
      case "C*" -> LinearPolicy.constrainedReference(catalogue);
      default -> {
        JsonNode w = golden.get("weights").get(name);
        yield LinearPolicy.greedy(
            catalogue,
            new Weights(
                w.get(0).asDouble(),
                w.get(1).asDouble(),
                w.get(2).asDouble(),
                w.get(3).asDouble(),
                w.get(4).asDouble()));
      }
    };
  }

  private static double total(PolicyValue value, String column) {
    return value.total(signal(column)).mean() / scale(column);
  }

  private static Signal signal(String column) {
    return column.equals("watch")
        ? Signal.WATCH_SECONDS
        : Signal.valueOf(column.toUpperCase(Locale.ROOT));
  }

  /** The specification counts watching in tens of seconds. */
  private static double scale(String column) {
    return column.equals("watch") ? 10 : 1;
  }
}
