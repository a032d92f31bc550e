package io.bellwether.trainer.imports;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Surface;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All items of a campaign, encoded once: {@code template[item * width + column]}, with the affinity
 * of no user. The items' three hashed categories are left out, since they differ between the copies
 * of the data set. Immutable.
 */
final class OpenBanditItems {

  private static final String AFFINITY = "affinity";

  private final List<String> ids;
  private final int width;
  private final float[] template;
  private final int affinityColumn;

  private OpenBanditItems(List<String> ids, int width, float[] template, int affinityColumn) {
    this.ids = List.copyOf(ids);
    this.width = width;
    this.template = template;
    this.affinityColumn = affinityColumn;
  }

  /**
   * Reads an {@code item_context.csv}.
   *
   * @throws ImportRefused when its items are not numbered 0, 1, 2 and so on, in order, or are not
   *     what the surface declares
   */
  static OpenBanditItems read(Path file, Surface surface) throws IOException {
    List<Double> features = new ArrayList<>();
    try (BufferedReader lines = OpenBanditFiles.open(file)) {
      List<String> names = CsvLine.split(String.valueOf(lines.readLine()));
      int item = names.indexOf("item_id");
      int feature = names.indexOf("item_feature_0");
      if (item < 0 || feature < 0) {
        throw new ImportRefused(file + " must have the columns item_id and item_feature_0");
      }
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> fields = CsvLine.split(line);
        if (fields.size() != names.size()) {
          throw new UnreadableLine("has " + fields.size() + " fields, not " + names.size());
        }
        CsvLine.integer("item_id", fields.get(item), features.size(), features.size());
        features.add(CsvLine.number("item_feature_0", fields.get(feature)));
      }
    } catch (UnreadableLine e) {
      throw new ImportRefused(file + ", line " + (features.size() + 2) + ": " + e.getMessage());
    }
    if (features.isEmpty()) {
      throw new ImportRefused(file + " has no item");
    }
    return encode(features, file, surface);
  }

  private static OpenBanditItems encode(List<Double> features, Path file, Surface surface) {
    FeatureEncoder encoder = new FeatureEncoder(surface.item());
    float[] template = new float[features.size() * encoder.width()];
    List<String> ids = new ArrayList<>();
    List<Violation> violations = new ArrayList<>();
    for (int i = 0; i < features.size(); i++) {
      String id = Integer.toString(i);
      ids.add(id);
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("item", id).put("item_feature_0", features.get(i));
      encoder.encode(json, "#/items/" + i, template, i * encoder.width(), violations);
    }
    List<String> columns =
        FeatureLayout.of(surface).item().stream().map(column -> column.name()).toList();
    int affinity = columns.indexOf(AFFINITY);
    if (!violations.isEmpty() || affinity < 0) {
      throw new ImportRefused(
          "the surface "
              + surface.name()
              + " does not fit "
              + file
              + ": "
              + (violations.isEmpty()
                  ? "it declares no item number " + AFFINITY
                  : violations.get(0)));
    }
    return new OpenBanditItems(ids, encoder.width(), template, affinity);
  }

  int count() {
    return ids.size();
  }

  /** The items' ids: their numbers, in order. */
  List<String> ids() {
    return ids;
  }

  /** The items as one user sees them: {@code [count, width]}. */
  float[] encoded(float[] affinities) {
    float[] items = Arrays.copyOf(template, template.length);
    for (int i = 0; i < affinities.length; i++) {
      if (!Float.isNaN(affinities[i])) {
        items[i * width + affinityColumn] = affinities[i] + 0f;
        items[i * width + affinityColumn + 1] = 1f;
      }
    }
    return items;
  }
}
