package io.bellwether.trainer.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A report as it is kept: the JSON that {@link ReportJson} writes, of either version of its schema.
 * What an earlier version did not have is missing here, never guessed. Immutable, as long as nobody
 * changes the tree.
 *
 * @param root the whole document
 */
public record StoredReport(JsonNode root) {

  /** What stands for something that a report does not have. */
  static final JsonNode NOTHING = MissingNode.getInstance();

  private static final ObjectMapper JSON = new ObjectMapper();

  public StoredReport {
    if (!root.path("verdict").isTextual() || !root.path("meta").isObject()) {
      throw new IllegalArgumentException("no evaluation report: it has neither verdict nor meta");
    }
  }

  /**
   * Reads a report.
   *
   * @throws IllegalArgumentException where the bytes are something else
   */
  public static StoredReport read(byte[] json) {
    return find(json)
        .orElseThrow(() -> new IllegalArgumentException("no evaluation report in JSON"));
  }

  /** Reads what may be a report or something else. */
  public static Optional<StoredReport> find(byte[] json) {
    if (json.length == 0 || json[0] != '{') {
      return Optional.empty();
    }
    try {
      JsonNode root = JSON.readTree(json);
      return root.path("verdict").isTextual() && root.has("estimates") && root.has("meta")
          ? Optional.of(new StoredReport(root))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** {@code pass}, {@code fail} or {@code not-enough-evidence}. */
  public String verdict() {
    return root.get("verdict").asText();
  }

  /** The finer word behind it. */
  String code() {
    return root.at("/gate/code").asText("");
  }

  public String target() {
    return meta("target").asText("");
  }

  /** What it was compared with: a version, or {@code logging policy}. */
  public String baseline() {
    return meta("baseline").asText("");
  }

  public String surface() {
    return meta("surface").asText("");
  }

  JsonNode meta(String field) {
    return root.path("meta").path(field);
  }

  JsonNode data(String field) {
    return meta("data").path(field);
  }

  JsonNode diagnostics(String field) {
    return root.path("diagnostics").path(field);
  }

  /** The signal that decides; the first version of the schema named it by its estimates' order. */
  String objective() {
    String named = meta("objective").path("signal").asText("");
    return named.isEmpty() ? root.at("/estimates/0/signal").asText("") : named;
  }

  /** The estimator that decides. */
  String primary() {
    return meta("primary").asText("");
  }

  /** How the comparisons name the baseline. */
  String against() {
    return baseline().equals("logging policy") ? "logging" : "champion";
  }

  /** The members of an array at the root. */
  List<JsonNode> list(String field) {
    return list(root.path(field), each -> true);
  }

  static List<JsonNode> list(JsonNode array, Predicate<JsonNode> wanted) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode each : array) {
      if (wanted.test(each)) {
        found.add(each);
      }
    }
    return found;
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  /** Values of a signal over the whole log. */
  List<JsonNode> overall(String signal) {
    return list(
        root.path("estimates"),
        each -> is(each, "signal", signal) && isOverall(each.path("scope")));
  }

  /** Values of a signal by position. */
  List<JsonNode> byPosition(String signal) {
    return list(
        root.path("estimates"),
        each -> is(each, "signal", signal) && is(each.path("scope"), "kind", "POSITION"));
  }

  /** Every signal that there is a value of, in the report's order. */
  List<String> signals() {
    return list("estimates").stream().map(each -> each.path("signal").asText()).distinct().toList();
  }

  /** The target's paired difference to its baseline in a signal, under the deciding estimator. */
  Optional<JsonNode> comparison(String signal) {
    return list("comparisons").stream()
        .filter(each -> is(each, "signal", signal) && is(each, "estimator", primary()))
        .filter(each -> !each.has("against") || is(each, "against", against()))
        .findFirst();
  }

  /** The value of a policy in a signal, under the deciding estimator. */
  Optional<JsonNode> estimate(String policy, String signal) {
    return overall(signal).stream()
        .filter(each -> is(each, "policy", policy))
        .filter(each -> is(each, "estimator", primary()) || is(each, "estimator", "logging"))
        .findFirst();
  }

  private static boolean isOverall(JsonNode scope) {
    return scope.isMissingNode() || is(scope, "kind", "ALL");
  }

  static boolean is(JsonNode node, String field, String text) {
    return node.path(field).asText("").equals(text);
  }
}
