package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.Limits;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request's context as it was sent. A tree of it is made once, where an experiment aims at a part
 * of it, and not for requests that no experiment asks. Thread-safe.
 */
final class SentContext implements Supplier<JsonNode> {

  private final String json;
  private volatile @Nullable JsonNode tree;

  /**
   * @param json an object that was parsed before
   */
  SentContext(String json) {
    this.json = json;
  }

  /** Where a tree of it was made already. */
  SentContext(String json, JsonNode tree) {
    this.json = json;
    this.tree = tree;
  }

  /** As JSON; an empty object where there was none. */
  String json() {
    return json;
  }

  /** Its fields; a missing node where there was none. */
  @Override
  public JsonNode get() {
    JsonNode made = tree;
    if (made == null) {
      made = JsonBody.parse(json.getBytes(UTF_8), Limits.STANDARD.bodyBytes());
      tree = made;
    }
    return made;
  }
}
