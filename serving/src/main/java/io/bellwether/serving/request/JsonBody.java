package io.bellwether.serving.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Strict JSON: one value in UTF-8, no trailing text, no field twice, no NaN, bounded depth, names
 * and texts. What is refused is refused with its line and column. Thread-safe.
 */
public final class JsonBody {

  /** Levels of a decision above a feature's value: request, candidates, candidate, features. */
  private static final int LEVELS_AROUND_FEATURES = 4;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(LEVELS_AROUND_FEATURES + Limits.STANDARD.nesting())
                          .maxStringLength(Limits.STANDARD.stringChars())
                          .maxNameLength(Limits.STANDARD.nameChars())
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  /** What the parser says to whoever configures it, and not to who wrote the body. */
  private static final Pattern PARSER_ADVICE =
      Pattern.compile(
          ": enable `[^`]*` to allow|( for `[^`]*`)?: not allowed (as per|when) `[^`]*`( enabled)?"
              + "| \\(bound as `[^`]*`\\)|, from `[^`]*`| \\(start marker at .*");

  private static final ObjectReader READER = MAPPER.readerFor(JsonNode.class);

  private JsonBody() {}

  /**
   * Parses a body.
   *
   * @param maxBytes largest body that is accepted
   * @throws ProblemException when the body is too large or not JSON
   */
  public static JsonNode parse(byte[] body, int maxBytes) {
    if (body.length > maxBytes) {
      throw ProblemException.of(
          Slug.PAYLOAD_TOO_LARGE,
          "The body has %d bytes, at most %d are accepted.".formatted(body.length, maxBytes));
    }
    try {
      JsonNode node = READER.readTree(body);
      if (node.isMissingNode()) {
        throw ProblemException.of(
            Slug.INVALID_REQUEST, "The body is empty, a JSON value was expected.");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          where(e.getLocation()) + PARSER_ADVICE.matcher(e.getOriginalMessage()).replaceAll(""));
    } catch (IOException e) {
      throw ProblemException.of(Slug.INVALID_REQUEST, "The body is not JSON: " + e.getMessage());
    }
  }

  /** The value as compact JSON. */
  public static String write(JsonNode node) {
    return node.toString();
  }

  private static String where(JsonLocation location) {
    return location == null
        ? "The body is not JSON: "
        : "The body is not JSON, line %d column %d: "
            .formatted(location.getLineNr(), location.getColumnNr());
  }
}
