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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Every surface's registered items. Readers see immutable tables, swapped as a whole. One thread,
 * the feed's, may call {@link #apply} and {@link #publish}; everybody may read.
 */
@Singleton
public final class Catalogue {

  /** Field of a record: when the item was registered first, milliseconds since the epoch. */
  static final String REGISTERED_AT = "registeredAtMillis";

  private final Surfaces surfaces;

  /** The items of each surface, as they change; touched by the feed's thread only. */
  private final Map<String, ItemRows> items = new HashMap<>();

  private final Set<String> changed = new HashSet<>();
  private final Map<String, ItemTable> tables = new ConcurrentHashMap<>();
  private final LongAdder skipped = new LongAdder();

  Catalogue(Surfaces surfaces) {
    this.surfaces = surfaces;
    for (DeclaredSurface surface : surfaces.all()) {
      ItemRows rows = new ItemRows(surface.surface().item());
      items.put(surface.name(), rows);
      tables.put(surface.name(), rows.table());
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
   *
   * @param writtenAtMillis when the record was written, milliseconds since the epoch
   */
  void apply(@Nullable String key, byte @Nullable [] value, long writtenAtMillis) {
    int slash = key == null ? -1 : key.indexOf('/');
    DeclaredSurface surface =
        key == null || slash < 0 ? null : surfaces.find(key.substring(0, slash)).orElse(null);
    ItemRows rows = surface == null ? null : items.get(surface.name());
    if (key == null || surface == null || rows == null) {
      skipped.increment();
      return;
    }
    String id = key.substring(slash + 1);
    if (value == null) {
      rows.remove(id);
    } else if (!put(surface, rows, id, value, writtenAtMillis)) {
      skipped.increment();
      return;
    }
    changed.add(surface.name());
  }

  /** Shows readers what was applied since the last call. */
  void publish() {
    for (String name : changed) {
      ItemRows rows = items.get(name);
      if (rows != null) {
        tables.put(name, rows.table());
      }
    }
    changed.clear();
  }

  /** Whether the value fits the declaration, and its item is registered now. */
  private static boolean put(
      DeclaredSurface surface, ItemRows rows, String id, byte[] value, long writtenAtMillis) {
    try {
      JsonNode item = JsonBody.parse(value, Limits.STANDARD.bodyBytes());
      JsonNode features = item.path("features");
      float[] row = new float[surface.layout().itemWidth()];
      List<Violation> violations = new ArrayList<>();
      surface.item().encode(features, "#/features", row, 0, violations);
      if (!violations.isEmpty()) {
        return false;
      }
      rows.put(id, features, row, item.path(REGISTERED_AT).asLong(writtenAtMillis));
      return true;
    } catch (ProblemException e) {
      return false;
    }
  }
}
