package io.bellwether.trainer.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MultiplierTest {
  private static final MultiplierConfig CONFIG = new MultiplierConfig(0.5, 0.1, 0.2, 2, 1, 1, 0);

  @Test
  void thePriceIsTheSumOfItsThreeParts() {
    Multiplier multiplier = new Multiplier(CONFIG);
    multiplier.update(0.4);
    assertEquals(0.5 * 0.4 + 0.1 * 0.4 + 0.2 * 0.4, multiplier.value(), 1e-12);
    multiplier.update(0.1);
    assertEquals(0.5 * 0.1 + 0.1 * 0.5, multiplier.value(), 1e-12);
  }

  @Property(tries = 100)
  void aPriceStaysBetweenZeroAndItsCap(
      @ForAll @Size(max = 40) List<@DoubleRange(min = -1e9, max = 1e9) Double> shortfalls) {
    Multiplier multiplier = new Multiplier(CONFIG);
    for (double shortfall : shortfalls) {
      multiplier.update(shortfall);
      assertTrue(multiplier.value() >= 0 && multiplier.value() <= CONFIG.cap());
    }
  }

  @Test
  void aPromiseThatKeepsItsPriceAtTheCapIsHopeless() {
    Multiplier multiplier = new Multiplier(CONFIG);
    for (int update = 0; update < 40; update++) {
      assertFalse(multiplier.isHopeless() && multiplier.value() < CONFIG.cap());
      multiplier.update(1);
    }
    assertTrue(multiplier.isHopeless());
  }

  @Test
  void aPriceAtItsCapFallsAsSoonAsThePromiseIsKept() {
    Multiplier multiplier = new Multiplier(CONFIG);
    for (int update = 0; update < 1000; update++) {
      multiplier.update(1);
    }
    multiplier.update(-0.5);
    assertTrue(multiplier.value() < CONFIG.cap(), "no windup: " + multiplier.value());
  }
}
