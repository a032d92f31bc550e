package io.bellwether.serving.item;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Every surface's registered items. Readers see immutable tables, swapped as a whole. One thread,
 * the feed's, may call {@link #apply} and {@link #publish}; everybody may read.
 */
@Singleton
public final class Catalogue {

  private final Surfaces surfaces;

  /** Encoded items by surface and id; touched by the feed's thread only. */
  private final Map<String, Map<String, float[]>> items = new HashMap<>();

  private final Map<String, Map<String, float[]>> changed = new HashMap<>();
  private final Map<String, ItemTable> tables = new ConcurrentHashMap<>();
  private final LongAdder skipped = new LongAdder();

  Catalogue(Surfaces surfaces) {
    this.surfaces = surfaces;
    for (DeclaredSurface surface : surfaces.all()) {
      items.put(surface.name(), new LinkedHashMap<>());
      tables.put(surface.name(), ItemTable.empty(surface.layout().itemWidth()));
    }
  }

  /** The items of a declared surface. */
  public ItemTable items(DeclaredSurface surface) {
    ItemTable table = tables.get(surface.name());
    if (table == null) {
      throw new IllegalArgumentException("not a declared surface: " + surface.name());
    }
    return table;
  }

  /** The key under which an item is registered. */
  static String key(DeclaredSurface surface, String itemId) {
    return surface.name() + "/" + itemId;
  }

  /** Records that no declared surface could take: foreign, or of an earlier declaration. */
  public long skipped() {
    return skipped.sum();
  }

  /**
   * Takes one record of the topic: registers, replaces or, without a value, removes an item. Seen
   * by readers after {@link #publish}.
   */
  void apply(@Nullable String key, byte @Nullable [] value) {
    int slash = key == null ? -1 : key.indexOf('/');
    DeclaredSurface surface =
        key == null || slash < 0 ? null : surfaces.find(key.substring(0, slash)).orElse(null);
    if (key == null || surface == null) {
      skipped.increment();
      return;
    }
    String id = key.substring(slash + 1);
    Map<String, float[]> known = items.getOrDefault(surface.name(), Map.of());
    if (value == null) {
      known.remove(id);
    } else {
      float[] row = encoded(surface, value);
      if (row.length == 0 && surface.layout().itemWidth() > 0) {
        skipped.increment();
        return;
      }
      known.put(id, row);
    }
    changed.put(surface.name(), known);
  }

  /** Shows readers what was applied since the last call. */
  void publish() {
    changed.forEach(
        (name, known) ->
            surfaces
                .find(name)
                .ifPresent(s -> tables.put(name, ItemTable.of(s.layout().itemWidth(), known))));
    changed.clear();
  }

  /** The item's floats; none where the value does not fit the declaration. */
  private static float[] encoded(DeclaredSurface surface, byte[] value) {
    try {
      JsonNode features = JsonBody.parse(value, Limits.STANDARD.bodyBytes()).path("features");
      float[] row = new float[surface.layout().itemWidth()];
      List<Violation> violations = new ArrayList<>();
      surface.item().encode(features, "#/features", row, 0, violations);
      return violations.isEmpty() ? row : new float[0];
    } catch (ProblemException e) {
      return new float[0];
    }
  }
}
