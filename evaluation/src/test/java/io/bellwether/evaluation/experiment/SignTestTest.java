package io.bellwether.evaluation.experiment;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import java.util.OptionalDouble;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SignTestTest {

  @Test
  void thePublishedTestAgrees() {
    JsonNode golden = Golden.json("misc_expected.json").get("interleaving_test");
    SignTest test =
        new SignTest(
            golden.get("sessions_A_wins").longValue(),
            golden.get("sessions_B_wins").longValue(),
            golden.get("ties").longValue());
    assertNumber(golden, "sign_test_p_two_sided_exact", test.pValue().orElseThrow());
    assertNumber(golden, "sign_test_z", test.z().orElseThrow());
    assertNumber(golden, "delta_AB", test.preference().orElseThrow());
  }

  @Property
  void thePValueIsTheSumOfBothTails(
      @ForAll @IntRange(min = 0, max = 25) int wins,
      @ForAll @IntRange(min = 1, max = 25) int losses) {
    int decided = wins + losses;
    double tails = 0;
    double binomial = Math.pow(0.5, decided);
    for (int successes = 0; successes <= decided; successes++) {
      boolean asFar = Math.abs(2 * successes - decided) >= Math.abs(wins - losses);
      tails += asFar ? binomial : 0;
      binomial *= (decided - successes) / (successes + 1.0);
    }
    double p = new SignTest(wins, losses, 3).pValue().orElseThrow();
    assertEquals(Math.min(1, tails), p, 1e-12);
    assertEquals(p, new SignTest(losses, wins, 0).pValue().orElseThrow());
  }

  @Test
  void tiesAloneSayNothing() {
    SignTest test = new SignTest(0, 0, 10);
    assertEquals(OptionalDouble.empty(), test.pValue());
    assertEquals(OptionalDouble.empty(), test.z());
    assertEquals(0, test.preference().orElseThrow());
    assertEquals(OptionalDouble.empty(), new SignTest(0, 0, 0).preference());
    assertThrows(IllegalArgumentException.class, () -> new SignTest(-1, 0, 0));
  }

  @Test
  void manyUnitsStayFinite() {
    SignTest test = new SignTest(50_050_000, 49_950_000, 0);
    assertTrue(test.pValue().orElseThrow() < 1e-20);
  }

  private static void assertNumber(JsonNode golden, String name, double found) {
    double expected = golden.get(name).doubleValue();
    assertEquals(expected, found, closed(expected), name);
  }
}
