package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.UnreadableLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The items of a log with their features, in the order of their file. Unlike a line of the log, a
 * line of this file that cannot be read is an error of the file: no decision would be complete
 * without it. Immutable.
 */
public final class ItemFile {

  /** Each takes about a kilobyte. */
  private static final int MAX_ITEMS = 1_000_000;

  private final Map<String, Candidate> byId;
  private final List<Candidate> all;

  private ItemFile(Map<String, Candidate> byId) {
    this.byId = byId;
    this.all = List.copyOf(byId.values());
  }

  /**
   * A feature of the surface and the column of its value.
   *
   * @param separator of a list that is a text
   */
  public record Source(Feature feature, String column, String separator) {}

  /**
   * Reads a CSV file.
   *
   * @param idColumn column of the item's id
   * @param wanted which items are kept
   */
  public static ItemFile read(
      Path file, String idColumn, List<Source> features, Predicate<String> wanted)
      throws IOException {
    Map<String, Candidate> byId = new LinkedHashMap<>();
    try (CsvRows rows = CsvRows.open(file, ',')) {
      requireColumns(file, rows, idColumn, features);
      for (Rows.Row row = rows.next(); row != null; row = rows.next()) {
        if (row.problem() != null) {
          throw refused(file, row, row.problem());
        }
        JsonNode id = row.values().get(idColumn);
        if (id == null) {
          throw refused(file, row, "has no " + idColumn);
        }
        if (!wanted.test(id.textValue())) {
          continue;
        }
        Candidate item = new Candidate(id.textValue(), features(file, row, features));
        if (byId.put(item.itemId(), item) != null) {
          throw refused(file, row, "has item '" + item.itemId() + "' again");
        }
        if (byId.size() > MAX_ITEMS) {
          throw new ImportRefused(
              file + " has more than " + MAX_ITEMS + " items that the log needs");
        }
      }
    }
    if (byId.isEmpty()) {
      throw new ImportRefused(file + " has no item that the log needs");
    }
    return new ItemFile(byId);
  }

  private static void requireColumns(
      Path file, CsvRows rows, String idColumn, List<Source> features) {
    List<String> columns = rows.columns().orElseThrow();
    List<String> needed = new java.util.ArrayList<>(List.of(idColumn));
    features.forEach(feature -> needed.add(feature.column()));
    for (String column : needed) {
      if (!columns.contains(column)) {
        throw new ImportRefused(
            "%s has no column %s; it has %s".formatted(file, column, String.join(", ", columns)));
      }
    }
  }

  private static ObjectNode features(Path file, Rows.Row row, List<Source> features) {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    for (Source source : features) {
      JsonNode value = row.values().get(source.column());
      if (value != null) {
        try {
          values.set(
              source.feature().name(),
              FeatureValues.of(source.feature(), source.column(), value, source.separator()));
        } catch (UnreadableLine e) {
          throw refused(file, row, String.valueOf(e.getMessage()));
        }
      }
    }
    return values;
  }

  private static ImportRefused refused(Path file, Rows.Row row, String why) {
    return new ImportRefused(file + " line " + row.line() + ": " + why);
  }

  /** All items. */
  public List<Candidate> all() {
    return all;
  }

  /** The item of an id, null where it is none. */
  public @Nullable Candidate get(String id) {
    return byId.get(id);
  }
}
