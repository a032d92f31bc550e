package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.Normal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GroupSequentialTest {
  /** Of root finding on an integral. */
  private static final double TOLERANCE = 1e-6;

  private static final Map<String, Spending> SPENDINGS =
      Map.of(
          "lan_demets_obrien_fleming", new Spending.ObrienFleming(),
          "lan_demets_pocock", new Spending.Pocock(),
          "hwang_shih_decani_gamma_-4", new Spending.HwangShihDeCani(-4),
          "linear", new Spending.Linear());

  private final JsonNode golden = Golden.json("sequential_expected.json").get("group_sequential");
  private final GroupSequential obrienFleming =
      new GroupSequential(new Spending.ObrienFleming(), 0.05);

  @Test
  void boundsOfEverySpendingFunctionAgree() {
    SPENDINGS.forEach(
        (name, spending) -> {
          for (Map.Entry<String, JsonNode> design : golden.get(name).properties()) {
            assertDesign(new GroupSequential(spending, 0.05), design);
          }
        });
  }

  @Test
  void classicConstantsOfFiveLooksAgree() {
    double pocock = golden.at("/classic/pocock_K5_constant").doubleValue();
    double obrien = golden.at("/classic/obrien_fleming_K5_constant").doubleValue();
    for (int look = 0; look < 5; look++) {
      assertEquals(pocock, GroupSequential.pocock(5, 0.05)[look], TOLERANCE);
      assertEquals(
          obrien * Math.sqrt(5.0 / (look + 1)),
          GroupSequential.obrienFleming(5, 0.05)[look],
          TOLERANCE * 3);
    }
  }

  @Property(tries = 30)
  void unplannedLooksStillClaimNothingMoreOftenThanAlpha(
      @ForAll @Size(min = 1, max = 6) List<@DoubleRange(min = 0.02, max = 0.4) Double> steps) {
    double[] information = new double[steps.size()];
    double now = 0;
    for (int look = 0; look < information.length && now < 1; look++) {
      now += steps.get(look);
      information[look] = now;
    }
    double[] happened = Arrays.stream(information).filter(share -> share > 0).toArray();
    double crossed = 0;
    StoppedMotion motion = StoppedMotion.until(happened[0]);
    List<GroupSequential.Look> looks = obrienFleming.looks(happened);
    for (int look = 0; look < happened.length; look++) {
      crossed += motion.outside(looks.get(look).bound());
      assertEquals(looks.get(look).spent(), crossed, 1e-9);
      if (look + 1 < happened.length) {
        motion = motion.within(looks.get(look).bound(), happened[look + 1]);
      }
    }
  }

  @Test
  void aLookThatComesLateSpendsTheRestAtItsOwnCorrelation() {
    GroupSequential.Look onTime = obrienFleming.looks(0.5, 1).get(1);
    GroupSequential.Look late = obrienFleming.looks(0.5, 1.3).get(1);
    assertEquals(0.05, late.spent());
    assertTrue(late.bound() > onTime.bound());
    assertTrue(late.bound() < -Normal.quantile(0.025) + 0.02);
  }

  @Test
  void oneLookIsTheFixedTest() {
    GroupSequential.Look only = obrienFleming.looks(1).get(0);
    assertEquals(-Normal.quantile(0.025), only.bound(), 1e-9);
    assertEquals(0.05, only.nominalP(), 1e-9);
  }

  @Test
  void twoLooksNextToEachOtherAreResolved() {
    List<GroupSequential.Look> looks =
        new GroupSequential(new Spending.Linear(), 0.05).looks(0.5, 0.500_01, 1);
    assertEquals(0.05, looks.get(2).spent());
    assertEquals(
        new GroupSequential(new Spending.Linear(), 0.05).looks(0.5, 1).get(1).bound(),
        looks.get(2).bound(),
        1e-4);
  }

  @Test
  void aLookMuchTooEarlyAsksForTheImpossible() {
    GroupSequential.Look early = obrienFleming.looks(0.001, 1).get(0);
    assertTrue(early.bound() > 30);
    assertFalse(early.crossedBy(20, 1));
  }

  @Test
  void theRepeatedIntervalExcludesZeroWhereTheBoundIsReached() {
    GroupSequential.Look look = obrienFleming.equalLooks(5).get(2);
    assertTrue(look.crossedBy(-2.69, 1));
    assertFalse(look.crossedBy(-2.67, 1));
    Interval interval = look.repeated(-2.69, 1, 0.95);
    assertTrue(interval.upper() < 0);
    assertEquals(Interval.Method.GROUP_SEQUENTIAL, interval.method());
  }

  @Test
  void looksThatGoBackwardsOrOnAfterTheEndAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> obrienFleming.looks(0.5, 0.5));
    assertThrows(IllegalArgumentException.class, () -> obrienFleming.looks(0.5, 1, 1.2));
    assertThrows(IllegalArgumentException.class, () -> obrienFleming.looks(0));
    assertThrows(IllegalArgumentException.class, obrienFleming::looks);
    assertThrows(IllegalArgumentException.class, () -> new Spending.HwangShihDeCani(0));
  }

  private static void assertDesign(GroupSequential test, Map.Entry<String, JsonNode> design) {
    double[] information =
        Arrays.stream(design.getKey().replaceAll("[\\[\\] ]", "").split(",", -1))
            .mapToDouble(Double::parseDouble)
            .toArray();
    JsonNode expected = design.getValue();
    List<GroupSequential.Look> looks = test.looks(information);
    for (int look = 0; look < information.length; look++) {
      GroupSequential.Look found = looks.get(look);
      double spent = expected.get("cumulative_alpha").get(look).doubleValue();
      // The reference sums crossing probabilities; this is the function itself.
      assertEquals(spent, found.spent(), 1e-9 * spent + 1e-12);
      double bound = expected.get("z_bounds").get(look).doubleValue();
      assertEquals(bound, found.bound(), TOLERANCE);
      double nominal = expected.get("nominal_p").get(look).doubleValue();
      assertEquals(nominal, found.nominalP(), TOLERANCE);
      if (look == 0) {
        assertEquals(bound, found.bound(), closed(bound));
      }
    }
  }
}
