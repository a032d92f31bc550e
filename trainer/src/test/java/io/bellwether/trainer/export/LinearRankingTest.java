package io.bellwether.trainer.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LinearRankingTest {
  private static final NetworkSchema SCHEMA =
      new NetworkSchema(
          List.of(
              new Column.Number("hour"), new Column.Number("taste0"), new Column.Number("taste1")),
          List.of(new Column.Flag("valid"), new Column.Number("watched")),
          2,
          List.of(
              new Column.Number("topic0"),
              new Column.Number("topic1"),
              new Column.Number("quality")),
          List.of("watch", "like"));

  @Test
  void theSimulatedProductsOwnRankingIsAPolicy() throws Exception {
    LinearRanking ranking =
        new LinearRanking(
            new float[] {0, 0, 0.5f}, List.of(new LinearRanking.Product(1.4f, 1, 0, 2)), 0.35);
    float[] context = {12, 0.5f, -1, 3, 2, 0};
    float[] items = {1, 0, 2, 0.5f, 0.5f, -1, 0, 1, 0};
    Scores scores =
        Exported.score(
            ranking.export(SCHEMA, new TreeMap<>()),
            SCHEMA,
            context,
            new float[8],
            items,
            new long[] {0, 1, 1});
    assertArrayEquals(new float[] {1.7f / 0.35f, 0.9f / 0.35f, 0}, scores.logits(), 1e-5f);
    assertArrayEquals(new float[6], scores.values());
  }

  @Test
  void weightsThatDoNotFitTheItemsAreRefused() {
    LinearRanking ranking = new LinearRanking(new float[2], List.of(), 1);
    assertThrows(IllegalArgumentException.class, () -> ranking.export(SCHEMA, new TreeMap<>()));
    assertThrows(
        IllegalArgumentException.class, () -> new LinearRanking(new float[2], List.of(), 0));
  }
}
