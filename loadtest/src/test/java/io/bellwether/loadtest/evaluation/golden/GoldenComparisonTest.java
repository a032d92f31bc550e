package io.bellwether.loadtest.evaluation.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenComparisonTest {
  private static final Path GOLDEN = Path.of("../evaluation/src/test/resources/golden");

  @TempDir Path folder;

  @Test
  void everyNumberIsReproduced() {
    List<String> lines = new ArrayList<>();
    GoldenComparison found = GoldenComparison.of(GOLDEN, Optional.empty(), lines::add);
    assertEquals(List.of(), found.different());
    assertEquals(1, found.equalShare());
    assertEquals(7, found.byFile().size());
    assertEquals(7, lines.size());
    assertTrue(found.rows().size() > 800, () -> found.rows().size() + " numbers");
  }

  @Test
  void aNumberThatDiffersByMoreThanItsToleranceLowersTheShare() throws Exception {
    GoldenSheet sheet = sheet("{\"a\": 2.0, \"b\": 2.0, \"c\": 0.0}");
    sheet.equal("/a", () -> 2.000000001);
    sheet.equal("/b", () -> 2.00000001);
    sheet.within(0.1, "/c", () -> 0.05);
    GoldenComparison found = new GoldenComparison(sheet.rows());
    assertEquals(2 / 3.0, found.equalShare(), 1e-15);
    assertEquals(List.of("/b"), found.different().stream().map(GoldenRow::path).toList());
  }

  @Test
  void aComputationThatFailsIsANumberThatIsNotEqual() throws Exception {
    GoldenSheet sheet = sheet("{\"one\": 1.0, \"list\": [1.0, 2.0]}");
    sheet.equal(
        "/one",
        () -> {
          throw new IllegalStateException("no overlap");
        });
    sheet.equalAll("/list", () -> new double[] {1});
    List<GoldenRow> rows = sheet.rows();
    assertEquals(3, rows.size());
    assertFalse(rows.get(0).isEqual());
    assertTrue(rows.get(0).reason().contains("no overlap"));
    assertTrue(rows.get(1).isEqual());
    assertFalse(rows.get(2).isEqual());
  }

  @Test
  void nothingComparedIsNothingShown() {
    assertEquals(0, new GoldenComparison(List.of()).equalShare());
  }

  private GoldenSheet sheet(String json) throws Exception {
    Files.writeString(folder.resolve("sheet.json"), json);
    return new GoldenSheet(new GoldenFolder(folder), "sheet.json");
  }
}
