package io.bellwether.serving.deadletter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent in the place of a letter's bytes.
 *
 * @param event a merge patch (RFC 7396) of the event's fields; absent where {@code value} is there
 * @param value the bytes in base64; absent where {@code event} is there
 */
record LetterFix(@Nullable ObjectNode event, @Nullable JsonNode value, String why) {

  static LetterFix read(byte[] body) {
    JsonFields fields =
        JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.batchBodyBytes()))
            .only(Set.of("event", "value", "why"));
    String why = fields.requiredText("why");
    if (fields.has("why") && why.isBlank()) {
      fields.refuse("why", "is blank, must say why");
    }
    if (fields.has("event") == fields.has("value")) {
      fields.refuse("event", "must say which fields change, or value the bytes; one of them");
    }
    var unused = fields.object("event"); // Notes what is none.
    fields.check();
    return new LetterFix(
        fields.get("event") instanceof ObjectNode patch ? patch : null,
        fields.has("value") ? fields.get("value") : null,
        why);
  }

  /**
   * The bytes that are to be sent.
   *
   * @throws ProblemException where they would be no event of the letter's topic
   */
  byte[] bytes(DeadLetters.Entry entry) {
    Letter letter = entry.letter();
    EventKind<?> kind =
        EventKind.of(letter.topic())
            .orElseThrow(
                () ->
                    ProblemException.of(
                        Slug.STATE_CONFLICT, "The letter does not say from which topic it came."));
    if (value != null) {
      byte[] bytes = EventJson.bytes(value, "#/value");
      if (kind.read(bytes).isEmpty()) {
        throw ProblemException.of(
            Slug.INVALID_REQUEST, "#/value is no %s of a known version.".formatted(kind.name()));
      }
      return bytes;
    }
    byte[] now = entry.action().value() == null ? letter.value() : entry.action().value();
    EventKind.Read read =
        kind.read(now)
            .orElseThrow(
                () ->
                    ProblemException.of(
                        Slug.STATE_CONFLICT,
                        "The letter holds no %s whose fields could be changed; send all bytes as"
                                .formatted(kind.name())
                            + " value."));
    return kind.write(
        EventJson.merged(read.fields(), event == null ? read.fields() : event), "#/event");
  }
}
