package io.bellwether.serving.rule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.bellwether.ingestion.event.RuleTrace;
import io.bellwether.policy.scoring.SlateRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of a surface and of a request come to for the candidates of that request. The
 * array is not copied.
 *
 * @param kept the candidates that are left, ascending; null where all are
 * @param rules what binds the slate of those that are left; some slate keeps it
 * @param trace what is logged; null where nothing was asked for
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Compiled(int @Nullable [] kept, SlateRules rules, @Nullable RuleTrace trace) {

  /** No rules: all candidates are left, and nothing binds the slate. */
  public static final Compiled NONE = new Compiled(null, SlateRules.NONE, null);

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The ids that are left. */
  public List<String> ids(List<String> all) {
    if (kept == null) {
      return all;
    }
    List<String> left = new ArrayList<>(kept.length);
    for (int candidate : kept) {
      left.add(all.get(candidate));
    }
    return left;
  }

  /**
   * The features as they were sent that are left.
   *
   * @param all a JSON array with an element per candidate, or null
   */
  public @Nullable String rawItems(@Nullable String all) {
    if (kept == null || all == null) {
      return all;
    }
    try {
      JsonNode array = JSON.readTree(all);
      ArrayNode left = JSON.createArrayNode();
      for (int candidate : kept) {
        left.add(array.get(candidate));
      }
      return JSON.writeValueAsString(left);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was written as JSON is none", e);
    }
  }
}
