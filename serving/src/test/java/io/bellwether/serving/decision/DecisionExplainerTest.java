package io.bellwether.serving.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.serving.problem.ProblemException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionExplainerTest {

  @Test
  void aTimeIsRead() {
    assertEquals(Instant.ofEpochSecond(1), DecisionExplainer.time("1970-01-01T00:00:01Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1969-12-31T23:59:59Z",
        "+1000000000-12-31T23:59:59.999999999Z",
        "-1000000000-01-01T00:00:00Z"
      })
  void whatNoLogCanHoldIsRefused(String time) {
    assertEquals(
        400,
        assertThrows(ProblemException.class, () -> DecisionExplainer.time(time))
            .problem()
            .status());
  }
}
