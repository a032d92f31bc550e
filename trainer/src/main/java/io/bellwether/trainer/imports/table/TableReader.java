package io.bellwether.trainer.imports.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import io.bellwether.trainer.imports.UnreadableLine;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The rows of a table as decisions, by a mapping. Confined to one thread. */
final class TableReader implements LogReader {

  private final Rows rows;
  private final Mapping mapping;
  private final @Nullable ItemFile itemFile;
  private final Map<String, Feature> contextFeatures;
  private final Map<String, Feature> itemFeatures;

  /**
   * @param rows closed with this
   * @param itemFile where the mapping names one
   */
  TableReader(Rows rows, Mapping mapping, @Nullable ItemFile itemFile, Surface surface) {
    this.rows = rows;
    this.mapping = mapping;
    this.itemFile = itemFile;
    this.contextFeatures = byName(surface.context());
    this.itemFeatures = byName(surface.item());
  }

  private static Map<String, Feature> byName(List<Feature> features) {
    Map<String, Feature> byName = new HashMap<>();
    features.forEach(feature -> byName.put(feature.name(), feature));
    return byName;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    Rows.Row row = rows.next();
    if (row == null) {
      return null;
    }
    Origin origin = new Origin(rows.file(), row.line());
    if (row.problem() != null) {
      return new Rejected(origin, row.problem(), row.text());
    }
    try {
      return new Read(decision(row.values(), origin));
    } catch (UnreadableLine e) {
      return new Rejected(origin, String.valueOf(e.getMessage()), row.text());
    }
  }

  private LoggedDecision decision(ObjectNode row, Origin origin) throws UnreadableLine {
    long time = micros(row);
    List<JsonNode> shown = required(row, mapping.shown().column());
    List<Candidate> candidates = candidates(row, shown);
    List<Integer> chosen = chosen(shown, candidates);
    Propensities kind = kind(row);
    return new LoggedDecision(
        text(row, mapping.decision()).orElse(fileName(origin) + "-" + origin.line()),
        text(row, mapping.subject()).orElse(null),
        time,
        features(row, mapping.context(), contextFeatures),
        candidates,
        slots(row, kind, chosen, candidates.size()),
        weight(row),
        learnable(row),
        kind,
        OptionalInt.empty(),
        text(row, mapping.policy()).orElse(""),
        reactions(row, chosen.size(), time),
        origin);
  }

  /** The file's name without its folder and ending. */
  private static String fileName(Origin origin) {
    String name = origin.file().substring(origin.file().lastIndexOf('/') + 1);
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private long micros(ObjectNode row) throws UnreadableLine {
    Mapping.Time time = mapping.time();
    JsonNode value = at(row, time.column());
    String name = time.column().name();
    if (value == null) {
      throw new UnreadableLine("has no " + name + ", the time of the decision");
    }
    // A time of Parquet knows its unit and comes as a text, whatever the mapping says.
    if (time.unit() == Mapping.Time.Unit.ISO
        || (value.isTextual() && value.textValue().indexOf('T') > 0)) {
      return iso(name, FeatureValues.text(name, value).trim());
    }
    if (value.isIntegralNumber()
        || (value.isTextual() && value.textValue().matches("-?[0-9]{1,18}"))) {
      try {
        return Math.multiplyExact(Long.parseLong(value.asText()), time.unit().micros());
      } catch (ArithmeticException | NumberFormatException e) {
        throw new UnreadableLine(
            name + " is " + value.asText() + ", too large for unit " + unit(time));
      }
    }
    double micros = FeatureValues.number(name, value) * time.unit().micros();
    if (Math.abs(micros) > 1e18) {
      throw new UnreadableLine(
          name + " is " + value.asText() + ", too large for unit " + unit(time));
    }
    return Math.round(micros);
  }

  private static String unit(Mapping.Time time) {
    return time.unit().name().toLowerCase(Locale.ROOT);
  }

  private static long iso(String column, String text) throws UnreadableLine {
    String strict =
        text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text;
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, OffsetDateTime.parse(strict).toInstant());
    } catch (DateTimeException | ArithmeticException e) {
      try {
        return ChronoUnit.MICROS.between(
            Instant.EPOCH, LocalDateTime.parse(strict).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException | ArithmeticException again) {
        throw new UnreadableLine(
            column
                + " is '"
                + (text.length() <= 40 ? text : text.substring(0, 40) + "...")
                + "', must be like 2026-11-30T18:05:00Z; numbers need a unit in the mapping");
      }
    }
  }

  private List<Candidate> candidates(ObjectNode row, List<JsonNode> shown) throws UnreadableLine {
    if (mapping.candidates().isEmpty()) {
      return itemFile != null ? itemFile.all() : onlyShown(row, shown);
    }
    List<Candidate> candidates = new ArrayList<>();
    for (JsonNode each : required(row, mapping.candidates().get())) {
      if (each instanceof ObjectNode object && mapping.items().isPresent()) {
        Mapping.Items items = mapping.items().get();
        JsonNode id = at(object, items.id());
        if (id == null) {
          throw new UnreadableLine("has a candidate without " + items.id().name());
        }
        candidates.add(
            new Candidate(
                FeatureValues.text(items.id().name(), id),
                features(object, items.features(), itemFeatures)));
      } else {
        candidates.add(item(FeatureValues.text(mapping.candidates().get().column().name(), each)));
      }
    }
    return candidates;
  }

  private List<Candidate> onlyShown(ObjectNode row, List<JsonNode> shown) throws UnreadableLine {
    List<Candidate> candidates = new ArrayList<>();
    for (JsonNode each : shown) {
      String id = FeatureValues.text(mapping.shown().column().column().name(), each);
      candidates.add(
          shown.size() == 1 && mapping.items().isPresent()
              ? new Candidate(id, features(row, mapping.items().get().features(), itemFeatures))
              : item(id));
    }
    return candidates;
  }

  private Candidate item(String id) throws UnreadableLine {
    if (itemFile == null) {
      return new Candidate(id, JsonNodeFactory.instance.objectNode());
    }
    Candidate item = itemFile.get(id);
    if (item == null) {
      throw new UnreadableLine("has item '" + id + "', which is not in the file of items");
    }
    return item;
  }

  private List<Integer> chosen(List<JsonNode> shown, List<Candidate> candidates)
      throws UnreadableLine {
    String name = mapping.shown().column().column().name();
    List<Integer> chosen = new ArrayList<>();
    for (JsonNode each : shown) {
      if (mapping.shown().byIndex()) {
        double index = FeatureValues.number(name, each);
        if (index != Math.rint(index) || index < 0 || index >= candidates.size()) {
          throw new UnreadableLine(
              "%s is %s, must be a whole number from 0 to %d"
                  .formatted(name, each.asText(), candidates.size() - 1));
        }
        chosen.add((int) index);
        continue;
      }
      String id = FeatureValues.text(name, each);
      int index = indexOf(candidates, id);
      if (index < 0) {
        throw new UnreadableLine(
            "%s is '%s', which is none of the %d candidates"
                .formatted(name, id, candidates.size()));
      }
      chosen.add(index);
    }
    return chosen;
  }

  private static int indexOf(List<Candidate> candidates, String id) {
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.get(i).itemId().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  private Propensities kind(ObjectNode row) throws UnreadableLine {
    if (mapping.propensity().isEmpty() || mapping.propensity().get().kinds().isEmpty()) {
      return mapping.propensity().map(Mapping.Propensity::kind).orElse(Propensities.NONE);
    }
    Mapping.Column column = mapping.propensity().get().kinds().get();
    String kind = text(row, Optional.of(column)).orElseThrow();
    return switch (kind.trim().toUpperCase(Locale.ROOT).replace('-', '_')) {
      case "EXACT" -> Propensities.EXACT;
      case "MONTE_CARLO" -> Propensities.MONTE_CARLO;
      case "ESTIMATED" -> Propensities.ESTIMATED;
      // What was certain was no draw, whatever number stands there.
      case "NONE", "DETERMINISTIC" -> Propensities.NONE;
      default ->
          throw new UnreadableLine(
              "%s is '%s', must be exact, monte-carlo, estimated, deterministic or none"
                  .formatted(column.name(), kind));
    };
  }

  private List<Slot> slots(ObjectNode row, Propensities kind, List<Integer> chosen, int candidates)
      throws UnreadableLine {
    double[] propensities = new double[chosen.size()];
    java.util.Arrays.fill(propensities, Double.NaN);
    if (mapping.propensity().isPresent() && kind != Propensities.NONE) {
      Mapping.Propensity propensity = mapping.propensity().get();
      List<JsonNode> values = required(row, propensity.column());
      String name = propensity.column().column().name();
      if (values.size() != chosen.size()) {
        throw new UnreadableLine(
            "%s has %d values for %d shown items".formatted(name, values.size(), chosen.size()));
      }
      for (int i = 0; i < propensities.length; i++) {
        double logged = FeatureValues.number(name, values.get(i));
        propensities[i] = propensity.scale().probability(logged);
      }
    }
    double[] chances = kind == Propensities.NONE ? null : chances(row, candidates);
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < propensities.length; i++) {
      slots.add(new Slot(chosen.get(i), propensities[i], i == 0 ? chances : null));
    }
    return slots;
  }

  private double @Nullable [] chances(ObjectNode row, int candidates) throws UnreadableLine {
    if (mapping.chances().isEmpty()) {
      return null;
    }
    List<JsonNode> values = required(row, mapping.chances().get());
    String name = mapping.chances().get().column().name();
    if (values.size() != candidates) {
      throw new UnreadableLine(
          "%s has %d values for %d candidates".formatted(name, values.size(), candidates));
    }
    double[] chances = new double[candidates];
    for (int i = 0; i < candidates; i++) {
      chances[i] = FeatureValues.number(name, values.get(i));
      if (chances[i] < 0 || chances[i] > 1) {
        throw new UnreadableLine(name + " has " + chances[i] + ", must be in [0, 1]");
      }
    }
    return chances;
  }

  private double weight(ObjectNode row) throws UnreadableLine {
    if (mapping.weight().isEmpty()) {
      return 1;
    }
    JsonNode value = at(row, mapping.weight().get());
    String name = mapping.weight().get().name();
    if (value == null) {
      throw new UnreadableLine("has no " + name + ", its weight");
    }
    return FeatureValues.number(name, value);
  }

  private boolean learnable(ObjectNode row) throws UnreadableLine {
    if (mapping.learnable().isEmpty()) {
      return true;
    }
    Mapping.Column column = mapping.learnable().get();
    JsonNode value = at(row, column);
    if (value == null) {
      throw new UnreadableLine("has no " + column.name() + ": whether it may be learned from");
    }
    return FeatureValues.flag(column.name(), value);
  }

  private List<Reaction> reactions(ObjectNode row, int shown, long time) throws UnreadableLine {
    List<Reaction> reactions = new ArrayList<>();
    for (Mapping.Signal signal : mapping.signals()) {
      JsonNode value = at(row, signal.column().column());
      if (value == null) {
        continue;
      }
      String name = signal.column().column().name();
      List<JsonNode> values = FeatureValues.list(name, value, signal.column().separator());
      boolean whole = values.size() == 1 && shown > 1;
      if (!whole && values.size() != shown) {
        throw new UnreadableLine(
            "%s has %d values for %d shown items".formatted(name, values.size(), shown));
      }
      for (int i = 0; i < values.size(); i++) {
        JsonNode each = values.get(i);
        if (!each.isNull() && !(each.isTextual() && each.textValue().isEmpty())) {
          double number = number(name, each) * signal.times();
          reactions.add(new Reaction(signal.signal(), whole ? -1 : i, number, time));
        }
      }
    }
    return reactions;
  }

  /** A number, or a truth value as 1 or 0. */
  private static double number(String column, JsonNode value) throws UnreadableLine {
    String text = value.isTextual() ? value.textValue() : "";
    return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")
        ? (FeatureValues.flag(column, value) ? 1 : 0)
        : FeatureValues.number(column, value);
  }

  private static ObjectNode features(
      ObjectNode row, List<Mapping.Named> named, Map<String, Feature> features)
      throws UnreadableLine {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    for (Mapping.Named each : named) {
      JsonNode value = at(row, each.column());
      if (value != null) {
        values.set(
            each.feature(),
            FeatureValues.of(
                Objects.requireNonNull(features.get(each.feature())),
                each.column().name(),
                value,
                each.separator()));
      }
    }
    return values;
  }

  private static List<JsonNode> required(ObjectNode row, Mapping.Listed list)
      throws UnreadableLine {
    String name = list.column().name();
    JsonNode value = at(row, list.column());
    if (value == null) {
      throw new UnreadableLine("has no " + name);
    }
    List<JsonNode> elements = FeatureValues.list(name, value, list.separator());
    if (elements.isEmpty()) {
      throw new UnreadableLine(name + " is an empty list");
    }
    return elements;
  }

  private static Optional<String> text(ObjectNode row, Optional<Mapping.Column> column)
      throws UnreadableLine {
    if (column.isEmpty()) {
      return Optional.empty();
    }
    JsonNode value = at(row, column.get());
    if (value == null) {
      throw new UnreadableLine("has no " + column.get().name());
    }
    return Optional.of(FeatureValues.text(column.get().name(), value));
  }

  /** What stands in a column, null where nothing does. */
  private static @Nullable JsonNode at(ObjectNode row, Mapping.Column column) {
    JsonNode value = row.get(column.name());
    if (value == null && column.name().indexOf('.') > 0) {
      value = row;
      for (String part : column.name().split("\\.", -1)) {
        value = value == null ? null : value.get(part);
      }
    }
    return value == null || value.isNull() ? null : value;
  }

  @Override
  public double progress() {
    return rows.progress();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
