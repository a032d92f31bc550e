package io.bellwether.trainer.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FiguresTest {

  @Test
  void numbersHaveFourDigitsAndNoZerosAtTheirEnd() {
    assertEquals("0", Figures.number(0));
    assertEquals("1", Figures.number(1));
    assertEquals("31.22", Figures.number(31.2204));
    assertEquals("-3.927e-05", Figures.number(-3.927e-5));
    assertEquals("1000", Figures.number(1000));
    assertEquals("12,346", Figures.number(12_345.6));
    assertEquals("10,000", Figures.number(9999.6));
    assertEquals("+0.5", Figures.signed(0.5));
    assertEquals("-0.5", Figures.signed(-0.5));
  }

  @Test
  void lengthsOfTimeAreInTheLargestUnitThatLeavesNothingOver() {
    assertEquals("15 seconds", Durations.words(Duration.ofSeconds(15)));
    assertEquals("30 minutes", Durations.words(Duration.ofMinutes(30)));
    assertEquals("1 day", Durations.words(Duration.ofHours(24)));
    assertEquals("50 ms", Durations.words(Duration.ofMillis(50)));
    assertEquals("0 ms", Durations.words(Duration.ZERO));
  }
}
