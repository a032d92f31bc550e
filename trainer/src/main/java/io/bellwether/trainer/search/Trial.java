package io.bellwether.trainer.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.algorithm.Setting;
import io.bellwether.trainer.job.TrainingMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One policy that was trained and judged. Better ones come first. Immutable.
 *
 * @param draw its number; -1 for the baseline
 * @param rung how far it was trained, from 0
 * @param method that trained it
 * @param epochs how often it saw each row
 * @param batchSize rows per step
 * @param standing whether it can be taken at all
 * @param value of the objective per decision; absent where there is none
 * @param lower bound of the value, 95 %, as if it were the only one that was looked at; absent
 *     where there is none
 * @param upper bound likewise
 * @param broken signals whose promise it does not keep
 * @param version in the search's own store; empty where training came to nothing
 * @param reason why there is no value; empty where there is
 * @param seconds that it took
 */
public record Trial(
    int draw,
    int rung,
    TrainingMethod method,
    double epochs,
    int batchSize,
    Standing standing,
    @Nullable Double value,
    @Nullable Double lower,
    @Nullable Double upper,
    List<String> broken,
    String version,
    String reason,
    double seconds)
    implements Comparable<Trial> {

  /** Whether a policy can be taken; better ones first. */
  public enum Standing {
    /** By its estimates it keeps every promise. */
    KEEPS,
    /** It does not keep one. */
    BREAKS,
    /** Nothing was trained. */
    FAILED
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  /** By standing, then by the lower bound; equal ones in the order in which they were drawn. */
  private static final Comparator<Trial> BETTER_FIRST =
      Comparator.comparing(Trial::standing)
          .thenComparingDouble(
              trial -> trial.lower == null ? Double.POSITIVE_INFINITY : -trial.lower)
          .thenComparing(Trial::step);

  public Trial {
    broken = List.copyOf(broken);
  }

  Step step() {
    return new Step(draw, rung);
  }

  @Override
  public int compareTo(Trial other) {
    return BETTER_FIRST.compare(this, other);
  }

  /** Method and effort, for a line. */
  public String words() {
    return "%s, %s epochs, batches of %d".formatted(method.text(), Setting.text(epochs), batchSize);
  }

  ObjectNode toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("draw", draw).put("rung", rung).put("method", method.text());
    json.put("epochs", epochs).put("batchSize", batchSize).put("standing", standing.name());
    json.put("value", value).put("lower", lower).put("upper", upper);
    broken.forEach(json.putArray("broken")::add);
    json.put("version", version).put("reason", reason).put("seconds", seconds);
    return json;
  }

  static Trial fromJson(JsonNode json) {
    List<String> broken = new ArrayList<>();
    json.path("broken").forEach(signal -> broken.add(signal.asText()));
    return new Trial(
        json.path("draw").asInt(),
        json.path("rung").asInt(),
        TrainingMethod.of(json.path("method").asText()),
        json.path("epochs").asDouble(),
        json.path("batchSize").asInt(),
        Standing.valueOf(json.path("standing").asText()),
        number(json.path("value")),
        number(json.path("lower")),
        number(json.path("upper")),
        broken,
        json.path("version").asText(),
        json.path("reason").asText(),
        json.path("seconds").asDouble());
  }

  private static @Nullable Double number(JsonNode json) {
    return json.isNumber() ? json.doubleValue() : null;
  }
}
