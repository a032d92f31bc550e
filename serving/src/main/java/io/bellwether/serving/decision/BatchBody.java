package io.bellwether.serving.decision;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The body of a batch: an array of requests, or an object with that array as {@code decisions}. It
 * is cut and not read, so that each request has the very bytes that it would have if it came alone:
 * it is refused for the same reasons, and repeated alone it gets the same answer.
 */
final class BatchBody {

  private static final String FIELD = "decisions";

  /** Bounds that a single request does not reach; its own are those of {@link JsonBody}. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Limits.STANDARD.batchBodyBytes())
                  .maxNameLength(Limits.STANDARD.batchBodyBytes())
                  .build())
          .build();

  private BatchBody() {}

  /**
   * The requests in their order, each as it stands in the body.
   *
   * @throws ProblemException where the body is too large, is not JSON, or is no such array
   */
  static List<byte[]> requests(byte[] body) {
    if (body.length > Limits.STANDARD.batchBodyBytes()) {
      throw ProblemException.of(
          Slug.PAYLOAD_TOO_LARGE,
          "The body has %d bytes, at most %d are accepted for a batch."
              .formatted(body.length, Limits.STANDARD.batchBodyBytes()));
    }
    try (JsonParser parser = FACTORY.createParser(body)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw ProblemException.of(
            Slug.INVALID_REQUEST, "The body is empty, an array of decisions was expected.");
      }
      List<byte[]> requests =
          first == JsonToken.START_OBJECT ? inObject(parser, body) : cut(parser, body, "#");
      if (parser.nextToken() != null) {
        throw ProblemException.of(
            Slug.INVALID_REQUEST, "The body goes on after the batch; it must be one JSON value.");
      }
      return requests;
    } catch (IOException e) {
      // The other reader says in its own words what is no JSON, as for any other body.
      JsonBody.parse(body, Limits.STANDARD.batchBodyBytes());
      throw ProblemException.of(Slug.INVALID_REQUEST, "The body is not JSON that can be read.");
    }
  }

  private static List<byte[]> inObject(JsonParser parser, byte[] body) throws IOException {
    List<byte[]> requests = List.of();
    boolean found = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (!name.equals(FIELD) || found) {
        throw ProblemException.of(
            name.equals(FIELD) ? Slug.INVALID_REQUEST : Slug.UNKNOWN_FIELD,
            "A batch is an object with one field, '" + FIELD + "', or the array itself.");
      }
      parser.nextToken();
      requests = cut(parser, body, "#/" + FIELD);
      found = true;
    }
    if (!found) {
      throw notABatch("#/" + FIELD, "is missing");
    }
    return requests;
  }

  private static List<byte[]> cut(JsonParser parser, byte[] body, String pointer)
      throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw notABatch(pointer, "is no array");
    }
    List<byte[]> requests = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (requests.size() == Limits.STANDARD.decisionsPerBatch()) {
        throw notABatch(pointer, "has more elements");
      }
      int start = (int) parser.currentTokenLocation().getByteOffset();
      parser.skipChildren();
      parser.finishToken();
      requests.add(Arrays.copyOfRange(body, start, (int) parser.currentLocation().getByteOffset()));
    }
    if (requests.isEmpty()) {
      throw notABatch(pointer, "is empty");
    }
    return requests;
  }

  private static ProblemException notABatch(String pointer, String found) {
    return new ProblemException(
        Problem.at(
            Slug.INVALID_REQUEST,
            pointer,
            "%s, must be an array of 1 to %d decisions"
                .formatted(found, Limits.STANDARD.decisionsPerBatch())));
  }
}
