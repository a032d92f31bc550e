package io.bellwether.trainer.imports.movielens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.imports.ImportSummary;
import io.bellwether.trainer.imports.table.ImportFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovieLensImportTest {

  @TempDir private Path folder;

  @Test
  void aRatingIsADecisionWithoutPropensity() throws Exception {
    ImportFixture fixture = ImportFixture.of(folder, "movielens");
    fixture.file(
        "movies.csv",
        "movieId,title,genres",
        "1,Toy Story (1995),Adventure|Animation",
        "11,\"American President, The (1995)\",Comedy|Drama",
        "12,\"He said \"\"hi\"\"\",(no genres listed)");
    fixture.file(
        "ratings.csv",
        "userId,movieId,rating,timestamp",
        "1,1,4.0,964982703",
        "1,11,2.5,964982803",
        "1,99,3.0,964982903",
        "2,12,nan,964982903");
    ImportSummary summary =
        fixture.run(MovieLensImport.source("ml", folder, 10, fixture.surface()));
    assertEquals(Map.of("NONE", 2L), summary.decisions().kinds());
    assertEquals(2, summary.rejected());
    assertTrue(summary.propensities().doubt().isEmpty());
    Transition first = fixture.rows(summary).get(0);
    assertEquals(List.of("1", "11", "12"), first.getDecision().getCandidateIds());
    assertEquals(
        "[{\"year\":1995,\"genres\":[\"Adventure\",\"Animation\"]},"
            + "{\"year\":1995,\"genres\":[\"Comedy\",\"Drama\"]},{}]",
        first.getDecision().getRawItems());
    assertEquals(
        List.of("liked 1.0", "rating 4.0"),
        first.getSignals().stream().map(s -> s.getSignal() + " " + s.getValue()).toList());
    assertEquals("rating-3", first.getNextDecisionId());
  }
}
