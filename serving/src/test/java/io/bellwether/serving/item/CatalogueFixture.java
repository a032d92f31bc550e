package io.bellwether.serving.item;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.surface.Surfaces;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** Catalogues of tests. */
public final class CatalogueFixture {

  private CatalogueFixture() {}

  /** A catalogue of items by key; values have single quotes for double ones. */
  public static Catalogue of(Surfaces surfaces, Map<String, String> items) {
    Catalogue catalogue = new Catalogue(surfaces);
    new TreeMap<>(items)
        .forEach((key, value) -> catalogue.apply(key, value.replace('\'', '"').getBytes(UTF_8), 0));
    catalogue.publish();
    return catalogue;
  }

  /** Registers one item more. */
  public static void put(Catalogue catalogue, String key, String value) {
    catalogue.apply(key, value.replace('\'', '"').getBytes(UTF_8), 0);
    catalogue.publish();
  }

  /** Takes an item away. */
  public static void remove(Catalogue catalogue, String key) {
    catalogue.apply(key, null, 0);
    catalogue.publish();
  }

  /** Registers very many items, with ids as long as a UUID. */
  public static void fill(Catalogue catalogue, int items, IntFunction<String> value) {
    for (int i = 0; i < items; i++) {
      String key = "large/%08x-0000-4000-8000-%012x".formatted(i * 0x9E3779B9, i);
      catalogue.apply(key, value.apply(i).getBytes(UTF_8), 1000L * i);
    }
    catalogue.publish();
  }

  /** A feed that is never started. */
  public static ItemFeed feed(Catalogue catalogue) {
    return new ItemFeed(Fixtures.config(Map.of()), catalogue);
  }
}
