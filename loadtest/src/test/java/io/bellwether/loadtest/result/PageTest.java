package io.bellwether.loadtest.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PageTest {

  @Test
  void aPageSaysHowItWasMadeAndWhatHadToBeShown() {
    Measurement result = measured(Requirement.Status.SHOWN);
    Page page = new Page("How good", result, "./bellwether bench", Map.of("cores", "2"));
    page.requirements(result);
    page.heading("At 95 %");
    page.columns("a", "b");
    page.row("1", Page.percent(0.5));
    assertEquals(
        """
        # How good

        Made by `./bellwether bench` in 3 s, seed 7.

        - cores: 2

        ## What it has to show

        |  | found | required |  |
        | --- | --- | --- | --- |
        | shares | 9 % | 10 % | shown |

        ## At 95 %

        | a | b |
        | --- | --- |
        | 1 | 50.0 % |
        """,
        page.text());
  }

  @Test
  void whatIsNotFiniteIsNullInJson() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    Figures.put(json, "known", OptionalDouble.of(1));
    Figures.put(json, "absent", OptionalDouble.empty());
    Figures.put(json, "endless", OptionalDouble.of(Double.POSITIVE_INFINITY));
    assertEquals("{\"known\":1.0,\"absent\":null,\"endless\":null}", json.toString());
  }

  @Test
  void onlyWhatSaysTheOppositeIsAFailure() {
    assertTrue(measured(Requirement.Status.NOT_SHOWN).isRefuted());
    assertFalse(measured(Requirement.Status.NOT_KNOWN).isRefuted());
  }

  private static Measurement measured(Requirement.Status status) {
    return new Measured(7, 3, List.of(new Requirement("shares", "9 %", "10 %", status)));
  }

  private record Measured(long seed, double seconds, List<Requirement> requirements)
      implements Measurement {}
}
