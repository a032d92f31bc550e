package io.bellwether.ingestion.surface;

import io.bellwether.ingestion.surface.Rules.FrequencyCap;
import io.bellwether.ingestion.surface.Rules.GroupRule;
import io.bellwether.ingestion.surface.Rules.Kind;
import io.bellwether.ingestion.surface.Shape.Field;
import io.bellwether.ingestion.surface.Shape.Fields;
import io.bellwether.ingestion.surface.Shape.ListOf;
import io.bellwether.ingestion.surface.Shape.Number;
import io.bellwether.ingestion.surface.Shape.Text;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The {@code rules} of a surface file: their shape, and what they mean beside its features. */
final class RulesFile {

  private static final String NUMBER = "n";
  private static final String DISTANCE = "distance";

  private RulesFile() {}

  static Shape shape(Shape name, Shape span) {
    Field feature = new Field("feature", name, true, "An item's category, flag or categories.");
    Field value =
        new Field("value", new Text(".{1,1024}", "a text"), false, "The one value that is meant.");
    Field positions = new Field(NUMBER, new Number(1, 50, true), true, "Positions of one group.");
    return new Fields(
        new Field(
            Kind.AT_LEAST.words(),
            new ListOf(new Fields(feature, value, positions), 0, 16),
            false,
            "Least positions of items with a value."),
        new Field(
            Kind.AT_MOST.words(),
            new ListOf(new Fields(feature, value, positions), 0, 16),
            false,
            "Most positions of items with the same value."),
        new Field(
            Kind.APART.words(),
            new ListOf(
                new Fields(
                    feature,
                    value,
                    new Field(
                        DISTANCE,
                        new Number(1, 49, true),
                        true,
                        "Positions between two of one group.")),
                0,
                16),
            false,
            "Distance of items with the same value."),
        new Field(
            "frequency-cap",
            new ListOf(
                new Fields(
                    new Field("feature", name, false, "A category that makes items the same."),
                    new Field("signal", name, false, "Counts only what it was a reaction to."),
                    new Field(NUMBER, new Number(1, 200, true), true, "So often is enough."),
                    new Field("window", span, true, "How far back.")),
                0,
                16),
            false,
            "How often a subject is shown what it knows."));
  }

  static Rules read(
      Optional<Located> rules,
      List<Feature> item,
      Surface.History history,
      int slateSize,
      List<Problem> problems) {
    if (rules.isEmpty()) {
      return Rules.NONE;
    }
    List<GroupRule> groups = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Set<String> seen = new HashSet<>();
      int quotas = 0;
      for (Located each : elements(rules.get(), kind.words())) {
        GroupRule rule = groupRule(kind, each);
        groups.add(rule);
        rule.refusal(item)
            .ifPresent(right -> problems.add(problem(each, "'" + rule.items() + "'", right)));
        if (!seen.add(rule.items())) {
          problems.add(problem(each, "'" + rule.items() + "' twice", "one number for it"));
        }
        quotas += kind == Kind.AT_LEAST ? rule.number() : 0;
        if (quotas > slateSize) {
          problems.add(
              problem(
                  each,
                  "quotas of " + quotas + " positions",
                  "at most the slate's size, " + slateSize));
        }
      }
    }
    List<FrequencyCap> caps = new ArrayList<>();
    for (Located each : elements(rules.get(), "frequency-cap")) {
      caps.add(cap(each, item, history, problems));
    }
    return new Rules(groups, caps);
  }

  private static List<Located> elements(Located rules, String key) {
    return rules.get(key).map(Located::elements).orElse(List.of());
  }

  private static GroupRule groupRule(Kind kind, Located each) {
    String number = kind == Kind.APART ? DISTANCE : NUMBER;
    return new GroupRule(
        kind,
        each.required("feature").text(),
        each.get("value").map(Located::text),
        (int) each.required(number).number());
  }

  private static FrequencyCap cap(
      Located each, List<Feature> item, Surface.History history, List<Problem> problems) {
    Optional<String> feature = each.get("feature").map(Located::text);
    Optional<String> signal = each.get("signal").map(Located::text);
    int number = (int) each.required(NUMBER).number();
    if (feature.isPresent()
        && !(named(item, feature.get()).orElse(null) instanceof Feature.Category)) {
      problems.add(problem(each, "'" + feature.get() + "'", "a category of the item"));
    }
    if (signal.isPresent() && !history.signals().contains(signal.get())) {
      problems.add(
          problem(
              each,
              "'" + signal.get() + "'",
              "one of history.signals: " + String.join(", ", history.signals())));
    }
    if (number > history.last()) {
      problems.add(problem(each, number + " times", "at most history.last, " + history.last()));
    }
    return new FrequencyCap(
        feature, signal, number, SurfaceFile.duration(each.required("window").text()));
  }

  private static Optional<Feature> named(List<Feature> features, String name) {
    return features.stream().filter(f -> f.name().equals(name)).findFirst();
  }

  private static Problem problem(Located where, String found, String right) {
    return new Problem(where.line(), where.path(), found, right);
  }
}
