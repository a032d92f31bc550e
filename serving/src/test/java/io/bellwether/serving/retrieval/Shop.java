package io.bellwether.serving.retrieval;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A surface with every kind of item feature, and items for it. */
final class Shop {

  private static final String FILE =
      """
      surface: shop
      slate: { size: 2, candidates: { max: 50 } }
      context:
        - { name: wish, type: vector, size: 2 }
      history: { signals: [look], last: 2 }
      item:
        - { name: price, type: number }
        - { name: brand, type: category }
        - { name: sale, type: flag }
        - { name: tags, type: categories, max: 3 }
        - { name: place, type: vector, size: 2 }
      signals:
        - { name: buy, type: flag, window: 1h }
        - { name: look, type: flag, window: 1h }
      objective: { maximize: buy }
      retrieval:
        candidates: 20
        embedding: 2
        popularity: { signal: look, half-life: 1h }
        fresh: { share: 0.2, for: 1d }
        random: 0.1
      """;

  static final Surfaces SURFACES = parsed(FILE);

  private Shop() {}

  static DeclaredSurface surface() {
    return SURFACES.require("shop");
  }

  /** The same surface, but for how many it proposes and with which shares. */
  static Surfaces surfaces(String candidates, String fresh, String random) {
    return parsed(
        FILE.replace("candidates: 20", candidates)
            .replace("share: 0.2", fresh)
            .replace("random: 0.1", random));
  }

  private static Surfaces parsed(String file) {
    try {
      return new Surfaces(
          List.of(new SurfaceReader().parse("shop.yaml", file.getBytes(StandardCharsets.UTF_8))));
    } catch (InvalidSurfaceException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Items 0, 1, 2, ... whose price is their number, of brand {@code a} (multiples of 10) or {@code
   * b}, registered a second apart.
   */
  static Catalogue catalogue(int items) {
    Map<String, String> byKey = new TreeMap<>();
    for (int i = 0; i < items; i++) {
      byKey.put(
          "shop/" + i,
          "{'registeredAtMillis':%d,'features':{'price':%d,'brand':'%s','sale':%s,'tags':['t%d','u'],'place':[%s,%s]}}"
              .formatted(
                  1000L * i,
                  i,
                  i % 10 == 0 ? "a" : "b",
                  i % 2 == 0,
                  i % 7,
                  Math.cos(i),
                  Math.sin(i)));
    }
    return CatalogueFixture.of(SURFACES, byKey);
  }
}
