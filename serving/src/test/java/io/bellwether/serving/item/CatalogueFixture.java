package io.bellwether.serving.item;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.surface.Surfaces;
import java.util.Map;
import java.util.TreeMap;

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
}
