package io.bellwether.serving.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
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
                  // As exact as Java's own, and makes no text of each number.
                  .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(LEVELS_AROUND_FEATURES + Limits.STANDARD.nesting())
                          .maxStringLength(Limits.STANDARD.stringChars())
                          .maxNameLength(Limits.STANDARD.nameChars())
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  /** What the parser says to whoever configures it, and not to who wrote the body. */
  private static final Pattern PARSER_ADVICE =
      Pattern.compile(
          ": enable `[^`]*` to allow|( for `[^`]*`)?: not allowed (as per|when) `[^`]*`( enabled)?"
              + "| \\(bound as `[^`]*`\\)|, from `[^`]*`| \\(start marker at .*");

  private static final ObjectReader VALUES = MAPPER.readerFor(JsonNode.class);

  private JsonBody() {}

  /**
   * Parses a body.
   *
   * @param maxBytes largest body that is accepted
   * @throws ProblemException when the body is too large or not JSON
   */
  public static JsonNode parse(byte[] body, int maxBytes) {
    return parse(body, maxBytes, JsonBody::value);
  }

  /**
   * Parses a body whose one value a reader takes from the parser.
   *
   * @param reader called with the parser at the value's first token; leaves it at the last
   * @throws ProblemException when the body is too large or not JSON
   */
  public static <T> T parse(byte[] body, int maxBytes, ValueReader<T> reader) {
    if (body.length > maxBytes) {
      throw ProblemException.of(
          Slug.PAYLOAD_TOO_LARGE,
          "The body has %d bytes, at most %d are accepted.".formatted(body.length, maxBytes));
    }
    try (JsonParser parser = MAPPER.createParser(body)) {
      if (parser.nextToken() == null) {
        throw ProblemException.of(
            Slug.INVALID_REQUEST, "The body is empty, a JSON value was expected.");
      }
      T value = reader.read(parser);
      JsonToken trailing = parser.nextToken();
      if (trailing != null) {
        throw refusal(parser, "Trailing token (of type " + trailing + ") found after value");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          where(e.getLocation()) + PARSER_ADVICE.matcher(e.getOriginalMessage()).replaceAll(""));
    } catch (IOException e) {
      throw ProblemException.of(Slug.INVALID_REQUEST, "The body is not JSON: " + e.getMessage());
    }
  }

  /** Reads one value from a parser. */
  public interface ValueReader<T> {

    /** Reads the value at whose first token the parser is; leaves it at the last. */
    T read(JsonParser parser) throws IOException;
  }

  /** The value at whose first token a parser is, as a tree. */
  public static JsonNode value(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_STRING
        ? TextNode.valueOf(parser.getText())
        : VALUES.readTree(parser);
  }

  /** Adds fields to an object: from the one at whose name a parser is, to the object's end. */
  public static void addFields(JsonParser parser, ObjectNode object) throws IOException {
    for (; parser.currentToken() != JsonToken.END_OBJECT; parser.nextToken()) {
      String name = parser.currentName();
      if (object.has(name)) {
        throw duplicate(parser, name);
      }
      parser.nextToken();
      object.set(name, value(parser));
    }
  }

  /** Why a body is refused in which a name stands twice in one object. */
  public static ProblemException duplicate(JsonParser parser, String name) {
    return refusal(parser, "Duplicate field '" + name + "'");
  }

  /** The value as compact JSON. */
  public static String write(JsonNode node) {
    return node.toString();
  }

  private static ProblemException refusal(JsonParser parser, String why) {
    return ProblemException.of(Slug.INVALID_REQUEST, where(parser.currentLocation()) + why);
  }

  private static String where(JsonLocation location) {
    return location == null
        ? "The body is not JSON: "
        : "The body is not JSON, line %d column %d: "
            .formatted(location.getLineNr(), location.getColumnNr());
  }
}
