package io.bellwether.serving.ofrep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client asks for, and what it knows of them. Immutable.
 *
 * @param targetingKey the subject; null where the client names none
 * @param members what else the client sent; an object
 */
record EvaluationContext(@Nullable String targetingKey, JsonNode members) {

  private static final String TARGETING_KEY = "targetingKey";

  /**
   * Reads the body of an evaluation. Members beside the context are later versions' of the protocol
   * and are ignored.
   *
   * @throws ProblemException 400 or 413
   */
  static EvaluationContext read(byte[] body) {
    JsonNode request = JsonBody.parse(body, Limits.STANDARD.bodyBytes());
    if (!request.isObject()) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "The body is " + JsonFields.found(request) + ", must be an object with a context.");
    }
    JsonNode context = request.path("context");
    if (context.isMissingNode() || context.isNull()) {
      return new EvaluationContext(null, JsonNodeFactory.instance.objectNode());
    }
    if (!context.isObject()) {
      throw invalid("#/context is " + JsonFields.found(context) + ", must be an object");
    }
    return new EvaluationContext(targetingKey(context.path(TARGETING_KEY)), context);
  }

  /** The same, with what is kept of the subject in the place of its id. */
  EvaluationContext keptAs(Pseudonyms pseudonyms) {
    return targetingKey == null
        ? this
        : new EvaluationContext(pseudonyms.of(targetingKey), members);
  }

  private static @Nullable String targetingKey(JsonNode key) {
    if (key.isMissingNode() || key.isNull()) {
      return null;
    }
    if (!key.isTextual()) {
      throw invalid("#/context/targetingKey is " + JsonFields.found(key) + ", must be a text");
    }
    String subject = key.textValue();
    if (subject.isBlank()) {
      return null;
    }
    if (!JsonFields.isForeignId(subject)) {
      throw invalid(
          "#/context/targetingKey must be valid Unicode of at most "
              + Limits.STANDARD.idBytes()
              + " bytes in UTF-8");
    }
    return subject;
  }

  /**
   * What the surface declares of its context, in the order of the declaration. Clients share one
   * context among all flags, so that the rest is not this surface's business and is left out.
   *
   * @throws ProblemException 400 where a declared feature is not what was declared
   */
  ObjectNode attributes(DeclaredSurface surface) {
    ObjectNode attributes = JsonNodeFactory.instance.objectNode();
    for (Feature feature : surface.surface().context()) {
      JsonNode value = members.path(feature.name());
      if (!value.isMissingNode() && !value.isNull()) {
        attributes.set(feature.name(), value);
      }
    }
    List<Violation> violations = new ArrayList<>();
    float[] row = new float[surface.context().width()];
    surface.context().encode(attributes, "#/context", row, 0, violations);
    if (!violations.isEmpty()) {
      Violation first = violations.get(0);
      throw invalid(first.pointer() + " " + first.detail());
    }
    return attributes;
  }

  private static ProblemException invalid(String detail) {
    return ProblemException.of(Slug.INVALID_CONTEXT, detail);
  }
}
