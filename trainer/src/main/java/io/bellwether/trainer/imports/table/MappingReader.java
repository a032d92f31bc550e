package io.bellwether.trainer.imports.table;

import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Located;
import io.bellwether.ingestion.surface.Problem;
import io.bellwether.ingestion.surface.Shape;
import io.bellwether.ingestion.surface.Shape.Choice;
import io.bellwether.ingestion.surface.Shape.Fields;
import io.bellwether.ingestion.surface.Shape.ListOf;
import io.bellwether.ingestion.surface.Shape.Number;
import io.bellwether.ingestion.surface.Shape.Text;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.YamlDocument;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads mapping files: first their shape, then what must agree with the surface. Every mistake is
 * found before a file is refused, with its line, the field, what was found and what would be right.
 */
final class MappingReader {

  private static final Shape SHAPE = shape();

  private final Surface surface;
  private final List<Problem> problems = new ArrayList<>();

  private MappingReader(Surface surface) {
    this.surface = surface;
  }

  /**
   * The mapping that a file declares.
   *
   * @param surface that features and signals belong to
   * @throws ImportRefused with all mistakes, one a line
   */
  static Mapping read(Path file, Surface surface) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ImportRefused("there is no mapping file " + file);
    }
    List<Problem> problems = new ArrayList<>();
    try {
      Located root = YamlDocument.root(Files.readAllBytes(file), "a mapping");
      SHAPE.check(root, problems);
      if (problems.isEmpty()) {
        MappingReader reader = new MappingReader(surface);
        Mapping mapping = reader.mapping(root);
        problems.addAll(reader.problems);
        if (problems.isEmpty()) {
          return mapping;
        }
      }
    } catch (YamlDocument.NoYaml e) {
      problems.add(e.problem());
    }
    throw refused(file, problems);
  }

  static ImportRefused refused(Path file, List<Problem> problems) {
    return new ImportRefused(
        problems.stream()
            .sorted(Comparator.comparingInt(Problem::line))
            .map(problem -> file + ": " + problem)
            .collect(Collectors.joining(System.lineSeparator())));
  }

  private static Shape shape() {
    Shape text = new Text("(?s).{1,1024}", "the name of a column");
    Shape separator = new Text("(?s).{1,8}", "one to eight characters");
    Shape list =
        new Fields(
            required("column", text, "Column with the list."),
            optional("separator", separator, "Between elements of a text; |."));
    Shape feature =
        new Fields(
            required("feature", text, "As the surface declares it."),
            optional("column", text, "Its column; of the same name."),
            optional("separator", separator, "Between elements of a list; |."));
    return new Fields(
        optional("decision", text, "Column of the decision's id; file and line."),
        optional("subject", text, "Column of the subject's id; each decision is its own."),
        required(
            "time",
            new Fields(
                required("column", text, "When it was decided."),
                optional("unit", new Choice(List.of("s", "ms", "us", "iso")), "Of a number; iso.")),
            "When it was decided."),
        optional("policy", text, "Column that names what decided."),
        optional("weight", text, "Column of the sample weight; 1."),
        optional("learnable", text, "Column, false where nothing may be learned; true."),
        optional("context", new ListOf(feature, 0, 500), "Features of the context."),
        optional(
            "items",
            new Fields(
                optional("file", text, "CSV file of all items, beside the mapping."),
                required("id", text, "Column of the item's id."),
                optional("features", new ListOf(feature, 0, 500), "Features of an item.")),
            "What is known of items."),
        required(
            "shown",
            new Fields(
                required("column", text, "What was shown, in the order of positions."),
                optional("separator", separator, "Between items; |."),
                optional(
                    "by", new Choice(List.of("id", "index")), "Ids, or indices from 0 on; id.")),
            "What was shown."),
        optional("candidates", list, "What could have been shown."),
        optional(
            "propensity",
            new Fields(
                required("column", text, "Chance of each shown item."),
                optional("separator", separator, "Between chances; |."),
                optional(
                    "scale",
                    new Choice(List.of("probability", "percent", "log")),
                    "How a chance is written; probability."),
                optional(
                    "kind",
                    new Choice(List.of("exact", "monte-carlo", "estimated")),
                    "Where chances come from; exact."),
                optional("kinds", text, "Column that says it for each decision, for kind.")),
            "The chances with which it was shown."),
        optional("chances", list, "Chance of each candidate at the first position."),
        required(
            "signals",
            new ListOf(
                new Fields(
                    required("signal", text, "As the surface declares it."),
                    optional("column", text, "Its column; of the same name."),
                    optional("separator", separator, "Between values of a text; |."),
                    optional(
                        "times",
                        new Number(-Double.MAX_VALUE, Double.MAX_VALUE, false),
                        "What values are multiplied with; 1.")),
                1,
                64),
            "What people did."));
  }

  private static Shape.Field required(String name, Shape shape, String says) {
    return new Shape.Field(name, shape, true, says);
  }

  private static Shape.Field optional(String name, Shape shape, String says) {
    return new Shape.Field(name, shape, false, says);
  }

  private Mapping mapping(Located root) {
    Optional<Mapping.Items> items = root.get("items").map(this::items);
    Optional<Mapping.Propensity> propensity = root.get("propensity").map(this::propensity);
    Optional<Mapping.Listed> chances = root.get("chances").map(MappingReader::listed);
    Located shown = root.required("shown");
    boolean byIndex = shown.get("by").map(Located::text).orElse("id").equals("index");
    if (byIndex && root.get("candidates").isEmpty()) {
      problems.add(
          new Problem(
              shown.line(), shown.path(), "by: index, and no candidates", "candidates to count"));
    }
    if (chances.isPresent() && propensity.isEmpty()) {
      problems.add(
          new Problem(
              root.required("chances").line(),
              "chances",
              "chances, and no propensity",
              "propensity beside it: that of what was shown"));
    }
    return new Mapping(
        root.get("decision").map(MappingReader::column),
        root.get("subject").map(MappingReader::column),
        time(root.required("time")),
        root.get("policy").map(MappingReader::column),
        root.get("weight").map(MappingReader::column),
        root.get("learnable").map(MappingReader::column),
        features(root.get("context"), surface.context(), "context"),
        items,
        new Mapping.Shown(listed(shown), byIndex),
        root.get("candidates").map(MappingReader::listed),
        propensity,
        chances,
        root.required("signals").elements().stream().map(this::signal).toList());
  }

  private static Mapping.Time time(Located time) {
    String unit = time.get("unit").map(Located::text).orElse("iso");
    return new Mapping.Time(
        column(time.required("column")), Mapping.Time.Unit.valueOf(unit.toUpperCase(Locale.ROOT)));
  }

  private Mapping.Items items(Located items) {
    return new Mapping.Items(
        items.get("file").map(Located::text),
        column(items.required("id")),
        features(items.get("features"), surface.item(), "item"));
  }

  private List<Mapping.Named> features(
      Optional<Located> list, List<Feature> declared, String place) {
    List<Mapping.Named> features = new ArrayList<>();
    for (Located each : list.map(Located::elements).orElse(List.of())) {
      Located name = each.required("feature");
      List<String> names = declared.stream().map(Feature::name).toList();
      if (!names.contains(name.text())) {
        problems.add(
            new Problem(
                name.line(),
                name.path(),
                name.found(),
                "one of the %s features of surface %s: %s"
                    .formatted(place, surface.name(), String.join(", ", names))));
      }
      if (features.stream().anyMatch(other -> other.feature().equals(name.text()))) {
        problems.add(new Problem(name.line(), name.path(), name.found() + " twice", "given once"));
      }
      features.add(
          new Mapping.Named(
              name.text(),
              each.get("column").map(MappingReader::column).orElse(column(name)),
              separator(each)));
    }
    return features;
  }

  private Mapping.Propensity propensity(Located propensity) {
    Optional<Located> kinds = propensity.get("kinds");
    if (kinds.isPresent() && propensity.get("kind").isPresent()) {
      problems.add(
          new Problem(kinds.get().line(), kinds.get().path(), "kind and kinds", "one of the two"));
    }
    String scale = propensity.get("scale").map(Located::text).orElse("probability");
    String kind = propensity.get("kind").map(Located::text).orElse("exact");
    return new Mapping.Propensity(
        listed(propensity),
        Mapping.Propensity.Scale.valueOf(scale.toUpperCase(Locale.ROOT)),
        Propensities.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_')),
        kinds.map(MappingReader::column));
  }

  private Mapping.Signal signal(Located each) {
    Located name = each.required("signal");
    if (surface.signal(name.text()).isEmpty()) {
      problems.add(
          new Problem(
              name.line(),
              name.path(),
              name.found(),
              "one of the signals of surface %s: %s"
                  .formatted(
                      surface.name(),
                      surface.signals().stream()
                          .map(signal -> signal.name())
                          .collect(Collectors.joining(", ")))));
    }
    Mapping.Column column = each.get("column").map(MappingReader::column).orElse(column(name));
    return new Mapping.Signal(
        name.text(),
        new Mapping.Listed(column, separator(each)),
        each.get("times").map(Located::number).orElse(1.0));
  }

  private static Mapping.Listed listed(Located list) {
    return new Mapping.Listed(column(list.required("column")), separator(list));
  }

  private static String separator(Located map) {
    return map.get("separator").map(Located::text).orElse(Mapping.SEPARATOR);
  }

  private static Mapping.Column column(Located name) {
    return new Mapping.Column(name.text(), name.line(), name.path());
  }
}
