package io.bellwether.ingestion.surface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetrievalDeclarationTest {

  private static final String SURFACE =
      """
      surface: shop
      slate: { size: 4, candidates: { max: 100 } }
      item:
        - { name: price, type: number }
      signals:
        - { name: buy, type: flag, window: 1h }
        - { name: look, type: flag, window: 1h }
      objective: { maximize: buy }
      """;

  @Test
  void whatIsLeftOutTakesTheDocumentedDefault() throws Exception {
    assertEquals(
        new Surface.Retrieval(100, 0, "buy", Duration.ofDays(7), 0.1, Duration.ofDays(3), 0.05),
        parse("").retrieval());
  }

  @Test
  void everyFieldCanBeDeclared() throws Exception {
    assertEquals(
        new Surface.Retrieval(40, 16, "look", Duration.ofHours(6), 0.3, Duration.ofDays(1), 0.2),
        parse(
                """
                retrieval:
                  candidates: 40
                  embedding: 16
                  popularity: { signal: look, half-life: 6h }
                  fresh: { share: 0.3, for: 1d }
                  random: 0.2
                """)
            .retrieval());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          { candidates: 3 }                     | retrieval
          { candidates: 101 }                   | retrieval
          { embedding: 257 }                    | retrieval.embedding
          { popularity: { signal: likes } }     | retrieval.popularity.signal
          { popularity: { half-life: 1s } }     | retrieval.popularity.half-life
          { fresh: { share: 0.7 }, random: 0.4 } | retrieval
          """)
  void aMistakeIsRefusedWhereItStands(String retrieval, String field) {
    InvalidSurfaceException refused =
        assertThrows(InvalidSurfaceException.class, () -> parse("retrieval: " + retrieval + "\n"));
    assertEquals(List.of(field), refused.problems().stream().map(Problem::field).toList());
  }

  private static Surface parse(String more) throws InvalidSurfaceException {
    return new SurfaceReader()
        .parse("shop.yaml", (SURFACE + more).getBytes(StandardCharsets.UTF_8));
  }
}
