package io.bellwether.trainer.survey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.InvalidTrainingData;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a first look at a log found. Immutable.
 *
 * @param refused why the log cannot be evaluated; empty where it can
 * @param later transitions that were joined too late to be looked at
 * @param lastJoinedMicros when the last transition that was looked at was joined
 * @param firstMicros time of the first decision that is used; the next one of the last
 */
public record Survey(
    String refused,
    long read,
    long decisions,
    long rows,
    long outOfRange,
    long later,
    long restated,
    long lastJoinedMicros,
    long firstMicros,
    long lastMicros,
    String digest,
    Map<Finding, Long> findings,
    SortedMap<String, Long> loggers,
    SortedMap<String, Long> degraded) {

  /** Begins the words of a refusal where decisions lack the features that are asked for. */
  public static final String FEATURE_MISSING = "TARGET_FEATURE_MISSING";

  public Survey {
    findings = Map.copyOf(findings);
  }

  static Survey of(
      Findings findings,
      HostileValues hostile,
      Tally tally,
      long outOfRange,
      long later,
      long lastJoinedMicros) {
    Map<Finding, Long> counts = new EnumMap<>(Finding.class);
    counts.putAll(findings.counts());
    if (tally.superseded() > 0) {
      counts.merge(Finding.SUPERSEDED, tally.superseded(), Long::sum);
    }
    return new Survey(
        refusal(findings, hostile, tally),
        findings.read(),
        tally.decisions(),
        tally.rows(),
        outOfRange,
        later,
        tally.restated(),
        lastJoinedMicros,
        tally.firstMicros(),
        tally.lastMicros(),
        tally.digest(),
        counts,
        tally.loggers(),
        tally.degraded());
  }

  private static String refusal(Findings findings, HostileValues hostile, Tally tally) {
    if (!hostile.isEmpty()) {
      return "the log cannot be evaluated; it has\n" + hostile.words();
    }
    if (tally.decisions() > 0) {
      return "";
    }
    if (findings.read() == 0) {
      return "there is no transition";
    }
    boolean otherFeatures = findings.count(Finding.OTHER_FEATURES) == findings.read();
    return (otherFeatures ? FEATURE_MISSING + ": " : "")
        + "none of "
        + findings.read()
        + " transitions can be used:\n"
        + findings.words();
  }

  /**
   * Refuses a log that nothing follows from.
   *
   * @throws InvalidTrainingData where the log cannot be evaluated
   */
  public void requireUsable() {
    if (!refused.isEmpty()) {
      throw new InvalidTrainingData(refused);
    }
  }

  ObjectNode toJson() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("refused", refused);
    json.put("read", read).put("decisions", decisions).put("rows", rows);
    json.put("outOfRange", outOfRange).put("later", later).put("restated", restated);
    json.put("lastJoinedMicros", lastJoinedMicros);
    json.put("firstMicros", firstMicros).put("lastMicros", lastMicros);
    json.put("sha256", digest);
    ObjectNode counts = json.putObject("findings");
    findings.forEach((finding, count) -> counts.put(finding.name(), count));
    ObjectNode versions = json.putObject("loggers");
    loggers.forEach(versions::put);
    ObjectNode reasons = json.putObject("degraded");
    degraded.forEach(reasons::put);
    return json;
  }

  static Survey fromJson(JsonNode json) {
    Map<Finding, Long> findings = new EnumMap<>(Finding.class);
    counts(json.get("findings"))
        .forEach((name, count) -> findings.put(Finding.valueOf(name), count));
    return new Survey(
        json.get("refused").asText(),
        json.get("read").asLong(),
        json.get("decisions").asLong(),
        json.get("rows").asLong(),
        json.get("outOfRange").asLong(),
        json.get("later").asLong(),
        json.get("restated").asLong(),
        json.get("lastJoinedMicros").asLong(),
        json.get("firstMicros").asLong(),
        json.get("lastMicros").asLong(),
        json.get("sha256").asText(),
        findings,
        counts(json.get("loggers")),
        counts(json.get("degraded")));
  }

  private static SortedMap<String, Long> counts(JsonNode json) {
    SortedMap<String, Long> counts = new TreeMap<>();
    json.properties().forEach(each -> counts.put(each.getKey(), each.getValue().asLong()));
    return counts;
  }
}
