package io.bellwether.serving.item;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import org.junit.jupiter.api.Test;

class CatalogueTest {

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DeclaredSurface feed = surfaces.require("feed");
  private final Catalogue catalogue = new Catalogue(surfaces);

  @Test
  void nothingIsSeenBeforeItIsPublished() {
    apply("feed/a", "{\"features\":{\"age_hours\":2}}");
    assertEquals(0, catalogue.items(feed).size());
    catalogue.publish();
    float[] row = new float[5];
    catalogue.items(feed).copy(catalogue.items(feed).row("a"), row, 1);
    assertArrayEquals(new float[] {0, 2, 1, 0, 0}, row);
  }

  @Test
  void aLaterValueReplacesAndNoValueRemoves() {
    apply("feed/a", "{\"features\":{\"age_hours\":2}}");
    apply("feed/b/with/slashes", "{}");
    apply("feed/a", "{\"features\":{\"age_hours\":5}}");
    catalogue.publish();
    float[] row = new float[3];
    catalogue.items(feed).copy(0, row, 0);
    assertEquals(5, row[0]);
    assertEquals(1, catalogue.items(feed).row("b/with/slashes"));
    catalogue.apply("feed/a", null, 8);
    catalogue.publish();
    assertEquals(-1, catalogue.items(feed).row("a"));
    assertEquals(1, catalogue.items(feed).size());
  }

  @Test
  void whatDoesNotFitTheDeclarationIsSkippedAndCounted() {
    apply("feed/a", "{\"features\":{\"colour\":2}}");
    apply("feed/b", "not JSON");
    apply("elsewhere/c", "{}");
    apply("no-slash", "{}");
    catalogue.publish();
    assertEquals(0, catalogue.items(feed).size());
    assertEquals(4, catalogue.skipped());
  }

  private void apply(String key, String value) {
    catalogue.apply(key, value.getBytes(UTF_8), 7);
  }
}
