package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a request for a decision, parsed: a tree of all but a context that is encoded as it
 * comes, and a list of candidates, of which {@link ListedCandidates} keep only what they need.
 * Confined to one thread and one request.
 */
final class DecisionBody {

  private static final String CANDIDATES = "candidates";
  private static final String CONTEXT = "context";

  private final byte[] body;
  private final ListedCandidates listed;
  private final @Nullable Surfaces surfaces;
  private final JsonNode fields;
  private int contextFrom = -1;
  private int contextTo = -1;
  private float @Nullable [] context;
  private boolean irregular;

  private DecisionBody(byte[] body, ListedCandidates listed, @Nullable Surfaces surfaces) {
    this.body = body;
    this.listed = listed;
    this.surfaces = surfaces;
    fields = JsonBody.parse(body, Limits.STANDARD.bodyBytes(), this::read);
  }

  /**
   * Parses a body. Where the surface is named first, the context and features of candidates are
   * encoded as they come; a body in which something is not as it should be is parsed again as a
   * tree, which can tell what.
   *
   * @param memory for its candidates, until the next body is parsed
   * @throws io.bellwether.serving.problem.ProblemException 400 or 413
   */
  static DecisionBody parse(byte[] body, ListedCandidates memory, Surfaces surfaces) {
    memory.clear();
    DecisionBody parsed = new DecisionBody(body, memory, isUtf8(body) ? surfaces : null);
    if (!memory.irregular() && !parsed.irregular) {
      return parsed;
    }
    memory.clear();
    return new DecisionBody(body, memory, null);
  }

  /** Other encodings have a mark or a zero there. */
  private static boolean isUtf8(byte[] body) {
    return body.length > 1 && body[0] > 0 && body[1] > 0;
  }

  /** All other fields than those below; not an object where the body is none. */
  JsonNode fields() {
    return fields;
  }

  /** The body. */
  byte[] bytes() {
    return body;
  }

  /** The candidates, where they were listed. */
  ListedCandidates listed() {
    return listed;
  }

  /** The context, encoded, if it could be as it came; it is no field then. */
  float @Nullable [] context() {
    return context;
  }

  /** The context as it was sent. */
  SentContext sentContext() {
    if (context != null) {
      return new SentContext(rawContext());
    }
    JsonNode tree = fields.path(CONTEXT);
    if (!tree.isObject()) {
      return new SentContext("{}", MissingNode.getInstance());
    }
    return new SentContext(contextIsFound() ? rawContext() : JsonBody.write(tree), tree);
  }

  private String rawContext() {
    return new String(body, contextFrom, contextTo - contextFrom, UTF_8);
  }

  /** In another encoding than UTF-8 the parser counts no bytes. */
  private boolean contextIsFound() {
    return contextFrom >= 0
        && contextTo <= body.length
        && contextFrom < contextTo
        && body[contextFrom] == '{'
        && body[contextTo - 1] == '}';
  }

  private JsonNode read(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return JsonBody.value(parser);
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (object.has(name)
          || (listed.present() && name.equals(CANDIDATES))
          || (context != null && name.equals(CONTEXT))) {
        throw JsonBody.duplicate(parser, name);
      }
      JsonToken first = parser.nextToken();
      if (first == JsonToken.START_ARRAY && name.equals(CANDIDATES)) {
        readCandidates(parser, object);
      } else if (first == JsonToken.START_OBJECT && name.equals(CONTEXT)) {
        readContext(parser, object);
      } else {
        object.set(name, JsonBody.value(parser));
      }
    }
    return object;
  }

  private void readContext(JsonParser parser, ObjectNode before) throws IOException {
    DeclaredSurface surface = surface(before);
    contextFrom = (int) parser.currentTokenLocation().getByteOffset();
    if (surface == null) {
      before.set(CONTEXT, JsonBody.value(parser));
    } else {
      context = new float[surface.layout().contextWidth()];
      irregular = !surface.context().encode(parser, context, 0);
    }
    contextTo = (int) parser.currentLocation().getByteOffset();
    irregular |= context != null && !contextIsFound();
  }

  /** The surface, if it is known already. */
  private @Nullable DeclaredSurface surface(ObjectNode before) {
    String name = before.path("surface").textValue();
    return surfaces == null || name == null ? null : surfaces.find(name).orElse(null);
  }

  private void readCandidates(JsonParser parser, ObjectNode before) throws IOException {
    DeclaredSurface surface = surface(before);
    if (surface == null) {
      listed.read(parser);
    } else {
      listed.readEncoded(parser, surface.item());
    }
  }
}
