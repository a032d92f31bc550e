package io.bellwether.policy.scoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CounterRandomTest {

  @Test
  void goldenValuesAreReproduced() {
    assertEquals(0x71c3c625cbbfdee0L, CounterRandom.hash(1, 2, 3, 4, 5));
    assertEquals(0x78ae5a9a6b5fd45eL, CounterRandom.hash(0, 0, 0, 0, 0));
    assertEquals(0.44439352438689583, CounterRandom.uniform(1, 2, 3, 4, 5));
    assertEquals(0.202086677392113, CounterRandom.normal(1, 2, 3, 4, 5), 1e-15);
  }

  @Test
  void seedIsTheHeadOfTheDigestOfTheId() {
    // SHA-256("abc") starts with ba7816bf8f01cfea, SHA-256("") with e3b0c44298fc1c14.
    assertEquals(0xba7816bf8f01cfeaL, DecisionSeed.seedOf("abc"));
    assertEquals(0xe3b0c44298fc1c14L, DecisionSeed.seedOf(""));
  }

  @Property
  void uniformDrawsLieInTheUnitInterval(@ForAll long seed, @ForAll long tag, @ForAll long k) {
    double draw = CounterRandom.uniform(seed, tag, 0, 0, k);
    assertTrue(draw >= 0 && draw < 1, () -> "draw " + draw);
  }

  @Test
  void momentsAreThoseOfTheDistributions() {
    int n = 200_000;
    double uniform = 0;
    double normal = 0;
    double square = 0;
    for (int i = 0; i < n; i++) {
      uniform += CounterRandom.uniform(42, 0, i, 0, 0);
      double z = CounterRandom.normal(42, 1, i, 0, 0);
      normal += z;
      square += z * z;
    }
    assertEquals(0.5, uniform / n, 5 / Math.sqrt(12.0 * n));
    assertEquals(0, normal / n, 5 / Math.sqrt(n));
    assertEquals(1, square / n, 5 * Math.sqrt(2.0 / n));
  }
}
