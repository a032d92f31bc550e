package io.bellwether.ingestion.evolution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Feature;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts a row of one list of features into that of another.
 *
 * @param oldWidth floats of a row before
 * @param source per column the one before that it is copied from; -1 for none, which is 0
 * @param ids per column what each id becomes; empty for a column that is copied as it is
 * @param lists features with several ids that are numbered anew, and so stand in another order
 * @param raw features that are encoded anew from what was sent, where that is known
 */
@SuppressWarnings("ArrayRecordComponent") // carried, not compared
record RowTranslation(
    int oldWidth, int[] source, int[][] ids, ArrayList<IdList> lists, ArrayList<FromRaw> raw)
    implements Serializable {

  private static final long serialVersionUID = 1;

  private static final int[] AS_IT_IS = {};

  /**
   * Where the ids of a feature stand: those that were given in ascending order, and then zeros.
   *
   * @param oldAt first column before
   * @param oldColumns how many there were
   * @param at first column after
   * @param columns how many there are
   */
  record IdList(int oldAt, int oldColumns, int at, int columns) implements Serializable {

    private static final long serialVersionUID = 1;

    IdList shifted(int by) {
      return new IdList(oldAt + by, oldColumns, at + by, columns);
    }

    /** Puts what was given into the order in which it would have been encoded. */
    void sort(float[] old, int oldRow, float[] row, int newRow) {
      int given = oldColumns;
      while (given > 0 && old[oldRow + oldAt + given - 1] == 0) {
        given--;
      }
      Arrays.sort(row, newRow + at, newRow + at + Math.min(given, columns));
    }
  }

  /** A feature whose texts have other ids than before. */
  static final class FromRaw implements Serializable {

    private static final long serialVersionUID = 1;

    private final Feature feature;
    private final int at;
    private transient volatile @Nullable FeatureEncoder encoder;

    /**
     * @param at its first column
     */
    FromRaw(Feature feature, int at) {
      this.feature = feature;
      this.at = at;
    }

    private FeatureEncoder encoder() {
      FeatureEncoder made = encoder;
      if (made == null) {
        made = new FeatureEncoder(List.of(feature));
        encoder = made;
      }
      return made;
    }
  }

  /** Between features that differ compatibly. */
  static RowTranslation of(List<Feature> before, List<Feature> after) {
    Map<String, Integer> offsets = new HashMap<>();
    Map<String, Feature> old = new HashMap<>();
    int oldWidth = 0;
    for (Feature feature : before) {
      offsets.put(feature.name(), oldWidth);
      old.put(feature.name(), feature);
      oldWidth += width(feature);
    }
    int width = after.stream().mapToInt(RowTranslation::width).sum();
    int[] source = new int[width];
    Arrays.fill(source, -1);
    int[][] ids = new int[width][];
    Arrays.fill(ids, AS_IT_IS);
    ArrayList<IdList> lists = new ArrayList<>();
    ArrayList<FromRaw> raw = new ArrayList<>();
    int at = 0;
    for (Feature feature : after) {
      Feature was = old.get(feature.name());
      if (was != null) {
        int[] renumbered = renumbered(was, feature);
        for (int i = 0; i < Math.min(width(was), width(feature)); i++) {
          source[at + i] = offsets.getOrDefault(feature.name(), 0) + i;
          ids[at + i] = renumbered;
        }
        if (renumbered.length > 0) {
          raw.add(new FromRaw(feature, at));
        }
        if (renumbered.length > 0 && feature instanceof Feature.Categories) {
          int oldAt = offsets.getOrDefault(feature.name(), 0);
          lists.add(new IdList(oldAt, width(was), at, width(feature)));
        }
      }
      at += width(feature);
    }
    return new RowTranslation(oldWidth, source, ids, lists, raw);
  }

  /** The same columns inside a history row, between others and the signals. */
  RowTranslation inside(
      int lead, List<String> before, List<String> after, int oldWidth, int width) {
    int[] all = new int[width];
    int[][] allIds = new int[width][];
    Arrays.fill(all, -1);
    Arrays.fill(allIds, AS_IT_IS);
    ArrayList<IdList> shifted = new ArrayList<>();
    if (oldWidth > 0 && width > 0) {
      for (int i = 0; i < lead; i++) {
        all[i] = i;
      }
      for (int i = 0; i < source.length; i++) {
        all[lead + i] = source[i] < 0 ? -1 : lead + source[i];
        allIds[lead + i] = ids[i];
      }
      lists.forEach(list -> shifted.add(list.shifted(lead)));
      for (int i = 0; i < after.size(); i++) {
        int was = before.indexOf(after.get(i));
        all[lead + source.length + i] = was < 0 ? -1 : oldWidth - before.size() + was;
      }
    }
    return new RowTranslation(oldWidth, all, allIds, shifted, new ArrayList<>());
  }

  /** Floats of a row after. */
  int width() {
    return source.length;
  }

  boolean readsRaw() {
    return !raw.isEmpty();
  }

  /** Fills a row. */
  void translate(float[] old, int oldAt, float[] row, int at) {
    for (int i = 0; i < source.length; i++) {
      float value = source[i] < 0 ? 0 : old[oldAt + source[i]];
      int[] map = ids[i];
      if (map.length > 0) {
        int id = (int) value;
        value = id >= 0 && id < map.length ? map[id] : 0;
      }
      row[at + i] = value;
    }
    for (IdList list : lists) {
      list.sort(old, oldAt, row, at);
    }
  }

  /** Encodes anew what has other ids now, as far as it was sent and is right still. */
  void encode(JsonNode features, float[] row, int at) {
    List<Violation> violations = new ArrayList<>();
    for (FromRaw each : raw) {
      String name = each.feature.name();
      if (features.has(name)) {
        float[] columns = new float[each.encoder().width()];
        ObjectNode alone = JsonNodeFactory.instance.objectNode();
        alone.set(name, features.get(name));
        violations.clear();
        each.encoder().encode(alone, "", columns, 0, violations);
        if (violations.isEmpty()) {
          System.arraycopy(columns, 0, row, at + each.at, columns.length);
        }
      }
    }
  }

  /** What each id of a feature becomes; empty where ids stay, or it has none. */
  private static int[] renumbered(Feature was, Feature now) {
    if (!(now instanceof Feature.Category || now instanceof Feature.Categories)
        || Categories.of(was).equals(Categories.of(now))) {
      return AS_IT_IS;
    }
    List<String> values = Categories.of(was).values();
    // Of a hash nobody can tell what it was of: every id is missing then.
    int[] ids = new int[Math.max(1, values.size() + 1)];
    Categories to = Categories.of(now);
    FeatureEncoder encoder =
        new FeatureEncoder(
            List.of(new Feature.Category("", to.values(), Math.max(1, to.buckets()))));
    float[] id = new float[1];
    for (int i = 0; i < values.size(); i++) {
      encoder.encode(
          JsonNodeFactory.instance.objectNode().put("", values.get(i)),
          "",
          id,
          0,
          new ArrayList<>());
      ids[i + 1] = (int) id[0];
    }
    return ids;
  }

  private static int width(Feature feature) {
    return new FeatureEncoder(List.of(feature)).width();
  }
}
