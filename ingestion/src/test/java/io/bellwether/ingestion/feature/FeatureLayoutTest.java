package io.bellwether.ingestion.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FeatureLayoutTest {

  @Test
  void listedValuesInAnotherOrderAreAnotherLayout() throws Exception {
    // A policy that was trained on the one would take the one's sports for the other's news.
    assertNotEquals(digest("values: [news, sports]"), digest("values: [sports, news]"));
    assertNotEquals(digest("values: [news, sports]"), digest("values: [news, music]"));
    assertEquals(digest("values: [news, sports]"), digest("values: [ 'news', 'sports' ]"));
  }

  @Test
  void theNumberOfBucketsIsPartOfTheLayout() throws Exception {
    assertNotEquals(digest("buckets: 8"), digest("buckets: 16"));
  }

  private static String digest(String topic) throws InvalidSurfaceException {
    String yaml =
        """
        surface: feed
        slate: { size: 1 }
        item:
          - { name: topic, type: category, %s }
        signals:
          - { name: like, type: flag, window: 30m }
        objective: { maximize: like }
        """
            .formatted(topic);
    return FeatureLayout.of(
            new SurfaceReader().parse("feed.yaml", yaml.getBytes(StandardCharsets.UTF_8)))
        .digest();
  }
}
