package io.bellwether.ingestion.surface;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.surface.Rules.FrequencyCap;
import io.bellwether.ingestion.surface.Rules.GroupRule;
import io.bellwether.ingestion.surface.Rules.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesTest {

  private static final String SURFACE =
      """
      surface: feed
      slate: { size: 4 }
      history: { signals: [hide], last: 20 }
      item:
        - { name: topic, type: category, values: [news, sport] }
        - { name: author, type: category }
        - { name: tags, type: categories }
        - { name: paid, type: flag }
        - { name: age, type: number }
      signals:
        - { name: hide, type: flag, window: 1h }
        - { name: like, type: flag, window: 1h }
      objective: { maximize: like }
      rules:
      """;

  @Test
  void rulesAreReadInTheOrderOfTheirImportance() throws Exception {
    Rules rules =
        read(
            """
              at-most: [ { feature: topic, n: 2 }, { feature: paid, n: 1 } ]
              apart: [ { feature: author, distance: 3 } ]
              at-least: [ { feature: topic, value: news, n: 1 } ]
              frequency-cap:
                - { n: 3, window: 24h }
                - { feature: author, signal: hide, n: 1, window: 7d }
            """);
    assertEquals(
        List.of(
            new GroupRule(Kind.AT_LEAST, "topic", Optional.of("news"), 1),
            new GroupRule(Kind.AT_MOST, "topic", Optional.empty(), 2),
            new GroupRule(Kind.AT_MOST, "paid", Optional.empty(), 1),
            new GroupRule(Kind.APART, "author", Optional.empty(), 3)),
        rules.groups());
    assertEquals(
        List.of(
            new FrequencyCap(Optional.empty(), Optional.empty(), 3, Duration.ofDays(1)),
            new FrequencyCap(Optional.of("author"), Optional.of("hide"), 1, Duration.ofDays(7))),
        rules.caps());
    assertEquals("topic=news", rules.groups().get(0).items());
    assertTrue(read("  at-most: []\n").isNone());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          at-most: [ { feature: age, n: 1 } ]                  | a category, a flag or categories
          at-most: [ { feature: colour, n: 1 } ]               | a category, a flag or categories
          at-most: [ { feature: tags, n: 1 } ]                 | given a value
          at-most: [ { feature: paid, value: x, n: 1 } ]       | without a value
          at-most: [ { feature: topic, n: 1 }, { feature: topic, n: 2 } ] | one number for it
          at-least: [ { feature: topic, n: 1 } ]               | given a value
          at-least: [ { feature: topic, value: art, n: 1 } ]   | one of its values, news, sport
          at-least: [ { feature: author, value: a, n: 5 } ]    | at most the slate's size, 4
          apart: [ { feature: topic, n: 1 } ]                  | unknown field 'n'
          frequency-cap: [ { n: 21, window: 1h } ]             | at most history.last, 20
          frequency-cap: [ { signal: like, n: 1, window: 1h } ] | one of history.signals: hide
          frequency-cap: [ { feature: paid, n: 1, window: 1h } ] | a category of the item
          """)
  void whatCannotBeARuleIsRefused(String rule, String right) {
    InvalidSurfaceException e =
        assertThrows(InvalidSurfaceException.class, () -> read("  " + rule + "\n"));
    assertTrue(String.valueOf(e.getMessage()).contains(right), () -> "" + e.getMessage());
  }

  private static Rules read(String rules) throws InvalidSurfaceException {
    return new SurfaceReader().parse("feed.yaml", (SURFACE + rules).getBytes(UTF_8)).rules();
  }
}
