package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PowerTest {
  private static final Monitoring ONCE = new Monitoring.Once();
  private static final Monitoring FIVE_LOOKS =
      new Monitoring.Planned(new Spending.ObrienFleming(), 5);
  private static final Monitoring ALWAYS = new Monitoring.Always();

  private final JsonNode golden = Golden.json("misc_expected.json").get("power");
  private final Power once = Power.of(0.05, 0.8, ONCE);

  @Test
  void unitsForTwoMeansAgree() {
    for (JsonNode row : golden.get("two_mean_per_arm")) {
      double found =
          once.unitsPerVariant(
              Spread.mean(row.get("sigma").doubleValue()), row.get("delta").doubleValue());
      // The chance of a claim in the wrong direction does not count as power.
      assertEquals(row.get("n_per_arm").doubleValue(), found, closed(found));
    }
  }

  @Test
  void unitsForTwoRatesAgree() {
    for (JsonNode row : golden.get("two_proportion_per_arm")) {
      double control = row.get("p0").doubleValue();
      double treatment = row.get("p1").doubleValue();
      double found = once.unitsPerVariant(Spread.rates(control, treatment), treatment - control);
      assertEquals(row.get("n_per_arm").doubleValue(), found, closed(found));
    }
  }

  @Test
  void aCovariateSavesTheShareThatItExplains() {
    double all = once.unitsPerVariant(Spread.mean(3), 0.1);
    double adjusted = once.unitsPerVariant(Spread.mean(3).withCovariate(0.7), 0.1);
    assertEquals(golden.get("cuped_rho_0.7_factor").doubleValue(), adjusted / all, 1e-12);
  }

  @Test
  void powersAreWhatWasSimulated() {
    assertSimulated("fixed", ONCE);
    assertSimulated("LD_OBF", FIVE_LOOKS);
    assertSimulated("LD_Pocock", new Monitoring.Planned(new Spending.Pocock(), 5));
    assertSimulated("asymptotic_cs_t*=20000", ALWAYS);
  }

  @Test
  void lookingMoreOftenCostsMoreUnits() {
    double looks = Power.of(0.05, 0.8, FIVE_LOOKS).price();
    double always = Power.of(0.05, 0.8, ALWAYS).price();
    assertEquals(1, once.price());
    assertTrue(looks > 1.01 && looks < 1.06, "found " + looks);
    assertTrue(always > 1.4 && always < 1.9, "found " + always);
  }

  @Test
  void sizeDifferenceAndPowerAreOneEquation() {
    Power always = Power.of(0.05, 0.8, ALWAYS);
    Spread spread = Spread.rates(0.1, 0.11);
    for (Power power : new Power[] {once, always}) {
      double units = power.unitsPerVariant(spread, -0.01);
      assertEquals(0.01, power.detectable(spread, units), 1e-12);
      assertEquals(0.8, power.powerOf(spread, 0.01, units), 1e-9);
      assertTrue(power.powerOf(spread, 0.01, 2 * units) > 0.9);
      assertEquals(1, power.powerOf(spread, 1, 1e9), 1e-12);
    }
  }

  @Test
  void halfAndHalfIsTheFastestSplit() {
    Spread spread = Spread.mean(1);
    Traffic even = new Traffic(1_000, 0.5, 0.5);
    double perVariant = once.unitsPerVariant(spread, 0.1);
    assertEquals(2 * perVariant, once.units(spread, 0.1, even), 1e-6);
    assertEquals(
        Duration.ofSeconds((long) Math.ceil(2 * perVariant * 86.4)),
        once.duration(spread, 0.1, even));
    Traffic ramp = new Traffic(1_000, 0.95, 0.05);
    assertTrue(
        once.duration(spread, 0.1, ramp).compareTo(once.duration(spread, 0.1, even).multipliedBy(5))
            > 0);
    Traffic tenth = new Traffic(1_000, 0.05, 0.05);
    assertEquals(once.units(spread, 0.1, even), once.units(spread, 0.1, tenth), 1e-6);
    assertEquals(
        once.duration(spread, 0.1, even).toSeconds() * 10.0,
        once.duration(spread, 0.1, tenth).toSeconds(),
        10);
  }

  @Test
  void questionsWithoutAnAnswerAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> once.unitsPerVariant(Spread.mean(1), 0));
    assertThrows(IllegalArgumentException.class, () -> Spread.mean(0));
    assertThrows(IllegalArgumentException.class, () -> Power.of(0.05, 0.04, ONCE));
    assertThrows(IllegalArgumentException.class, () -> new Traffic(0, 0.5, 0.5));
    assertThrows(IllegalArgumentException.class, () -> new Traffic(1, 0.6, 0.5));
    assertThrows(
        IllegalArgumentException.class, () -> new Monitoring.Planned(new Spending.Linear(), 0));
  }

  private static void assertSimulated(String name, Monitoring monitoring) {
    JsonNode simulated =
        Golden.json("simulation_expected.json").at("/results/power_delta=0.05sd_N=20000/" + name);
    double found = Power.of(0.05, 0.8, monitoring).powerOf(Spread.mean(1), 0.05, 10_000);
    assertEquals(
        simulated.get("rate").doubleValue(), found, 4 * simulated.get("mc_se").doubleValue(), name);
  }
}
