package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.trainer.report.ReportDiff.Change;
import io.bellwether.trainer.report.ReportDiff.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds everything in which two reports differ. */
record ReportChanges(StoredReport first, StoredReport second) {

  private static final List<String> DATA =
      List.of(
          "source",
          "subjects",
          "askedFrom",
          "askedTo",
          "from",
          "to",
          "asOf",
          "read",
          "decisions",
          "rows",
          "units",
          "outOfRange",
          "restated",
          "degradedShare",
          "sha256");

  private static final List<String> PLAN =
      List.of(
          "target",
          "baseline",
          "surface",
          "surfaceDigest",
          "alpha",
          "minLift",
          "primary",
          "looks",
          "simultaneous",
          "estimators",
          "segments",
          "clusterFeature",
          "replicates",
          "seed",
          "modelSteps",
          "codeVersion");

  List<Change> all() {
    List<Change> changes = new ArrayList<>();
    text(changes, Part.VERDICT, "verdict", first.verdict(), second.verdict());
    text(changes, Part.VERDICT, "reason", first.code(), second.code());
    DATA.forEach(field -> node(changes, Part.DATA, field, first.data(field), second.data(field)));
    counts(changes, "left out: ", first.data("findings"), second.data("findings"));
    counts(changes, "made by ", first.data("loggers"), second.data("loggers"));
    PLAN.forEach(field -> node(changes, Part.PLAN, field, first.meta(field), second.meta(field)));
    values(changes);
    comparisons(changes);
    promises(changes);
    checks(changes);
    return changes;
  }

  private static void node(
      List<Change> changes, Part part, String what, JsonNode before, JsonNode after) {
    if (before.isNumber() && after.isNumber()) {
      number(changes, part, what, before, after);
    } else {
      text(changes, part, what, words(before), words(after));
    }
  }

  private static String words(JsonNode node) {
    if (node.isArray()) {
      return String.join(", ", StoredReport.texts(node));
    }
    return node.isNumber() ? Figures.number(node) : node.asText("");
  }

  private static void text(
      List<Change> changes, Part part, String what, String before, String after) {
    if (!before.equals(after)) {
      changes.add(new Change(part, what, orNone(before), orNone(after), ""));
    }
  }

  private static String orNone(String text) {
    return text.isEmpty() || text.equals("null") ? Figures.NONE : text;
  }

  private static void number(
      List<Change> changes, Part part, String what, JsonNode before, JsonNode after) {
    double from = before.doubleValue();
    double to = after.doubleValue();
    if (from != to) {
      changes.add(
          new Change(part, what, words(before, from), words(after, to), Figures.signed(to - from)));
    }
  }

  private static String words(JsonNode node, double value) {
    return node.isIntegralNumber() ? Figures.count(node) : Figures.number(value);
  }

  private static void counts(List<Change> changes, String prefix, JsonNode before, JsonNode after) {
    Set<String> names = new LinkedHashSet<>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      long from = before.path(name).asLong();
      long to = after.path(name).asLong();
      if (from != to) {
        changes.add(
            new Change(
                Part.DATA,
                prefix + name,
                Figures.count(from),
                Figures.count(to),
                Figures.signed(to - (double) from)));
      }
    }
  }

  private void values(List<Change> changes) {
    Map<String, JsonNode> before = byName(estimates(first), ReportChanges::estimate);
    Map<String, JsonNode> after = byName(estimates(second), ReportChanges::estimate);
    each(
        before,
        after,
        (name, from, to) ->
            value(changes, Part.VALUES, name, from.path("value"), to.path("value")));
  }

  private static List<JsonNode> estimates(StoredReport report) {
    return report.signals().stream().flatMap(each -> report.overall(each).stream()).toList();
  }

  private static String estimate(JsonNode node) {
    return "%s of the %s, %s"
        .formatted(
            node.path("signal").asText(),
            node.path("policy").asText(),
            node.path("estimator").asText());
  }

  private void comparisons(List<Change> changes) {
    each(
        byName(first.list("comparisons"), ReportChanges::comparison),
        byName(second.list("comparisons"), ReportChanges::comparison),
        (name, from, to) ->
            value(
                changes,
                Part.VALUES,
                name,
                from.path("difference").path("value"),
                to.path("difference").path("value")));
  }

  private static String comparison(JsonNode node) {
    return "%s against %s, %s"
        .formatted(
            node.path("signal").asText(),
            node.path("against").asText("the baseline"),
            node.path("estimator").asText());
  }

  private void promises(List<Change> changes) {
    each(
        byName(first.list("constraints"), each -> each.path("promise").asText()),
        byName(second.list("constraints"), each -> each.path("promise").asText()),
        (name, from, to) -> {
          text(
              changes,
              Part.PROMISES,
              name,
              from.path("status").asText(""),
              to.path("status").asText(""));
          value(
              changes,
              Part.PROMISES,
              name + ", margin",
              from.path("margin").path("value"),
              to.path("margin").path("value"));
        });
  }

  private void checks(List<Change> changes) {
    each(
        byName(checks(first), each -> each.path("name").asText()),
        byName(checks(second), each -> each.path("name").asText()),
        (name, from, to) -> {
          text(
              changes,
              Part.CHECKS,
              name + ", status",
              from.path("status").asText(""),
              to.path("status").asText(""));
          value(changes, Part.CHECKS, name, from.path("observed"), to.path("observed"));
        });
  }

  private static List<JsonNode> checks(StoredReport report) {
    return StoredReport.list(report.root().at("/gate/checks"), all -> true);
  }

  private static void value(
      List<Change> changes, Part part, String name, JsonNode before, JsonNode after) {
    if (before.isNumber() && after.isNumber()) {
      number(changes, part, name, before, after);
    } else {
      text(changes, part, name, Figures.number(before), Figures.number(after));
    }
  }

  private interface Pairs {
    void compare(String name, JsonNode before, JsonNode after);
  }

  private static void each(Map<String, JsonNode> before, Map<String, JsonNode> after, Pairs pairs) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      pairs.compare(
          name,
          before.getOrDefault(name, StoredReport.NOTHING),
          after.getOrDefault(name, StoredReport.NOTHING));
    }
  }

  private interface Naming {
    String of(JsonNode node);
  }

  private static Map<String, JsonNode> byName(List<JsonNode> nodes, Naming naming) {
    Map<String, JsonNode> named = new LinkedHashMap<>();
    nodes.forEach(node -> named.putIfAbsent(naming.of(node), node));
    return named;
  }
}
