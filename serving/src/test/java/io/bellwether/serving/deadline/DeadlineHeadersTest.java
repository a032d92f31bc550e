package io.bellwether.serving.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.problem.ProblemException;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DeadlineHeadersTest {

  @Test
  void withoutHeadersTheTransportSaysNothing() {
    assertEquals(OptionalLong.empty(), of(Map.of()));
  }

  @Test
  void theSmallestHeaderWins() {
    assertEquals(
        OptionalLong.of(40),
        of(
            Map.of(
                DeadlineHeaders.OWN, "90",
                DeadlineHeaders.ENVOY, " 40 ",
                DeadlineHeaders.GRPC, "1S")));
  }

  @Test
  void grpcCountsInUnitsFromHoursToNanoseconds() {
    assertEquals(7_200_000, grpc("2H"));
    assertEquals(120_000, grpc("2M"));
    assertEquals(2_000, grpc("2S"));
    assertEquals(2, grpc("2m"));
    assertEquals(2, grpc("2999u"));
    assertEquals(1, grpc("2n"), "less than a millisecond is the least that there is");
    assertEquals(99_999_999L * 3_600_000, grpc("99999999H"));
  }

  @Test
  void whatCannotBeReadIsRefusedAndNotRepeated() {
    for (String value : new String[] {"", "soon", "-5", "5.5", "1234567890"}) {
      ProblemException refused =
          assertThrows(ProblemException.class, () -> of(Map.of(DeadlineHeaders.OWN, value)), value);
      assertEquals(400, refused.problem().status());
      assertTrue(refused.problem().detail().contains("Bellwether-Deadline-Ms"));
      assertFalse(refused.problem().detail().contains("soon"));
    }
    assertThrows(ProblemException.class, () -> grpc("5"));
    assertThrows(ProblemException.class, () -> grpc("123456789m"));
    assertThrows(ProblemException.class, () -> grpc("5s"));
  }

  private static long grpc(String value) {
    return of(Map.of(DeadlineHeaders.GRPC, value)).orElseThrow();
  }

  private static OptionalLong of(Map<String, String> headers) {
    return DeadlineHeaders.budgetMillis(headers::get);
  }
}
