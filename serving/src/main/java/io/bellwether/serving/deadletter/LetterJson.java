package io.bellwether.serving.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as the API shows it.
 *
 * @param key the original key, where it is a text
 * @param surface absent where the event names none, as outcomes do, or is none
 * @param bytes of the original value; absent where it had none
 * @param event what would be sent, field by field; only of one letter, and not where it is no event
 * @param value the original bytes, base64; only of one letter
 * @param fixedValue what would be sent instead, base64; only of one letter that was fixed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LetterJson(
    String id,
    String status,
    String reason,
    String detail,
    String topic,
    int partition,
    long offset,
    @Nullable Instant firstSeen,
    Instant refusedAt,
    @Nullable String key,
    @Nullable String surface,
    @Nullable Integer bytes,
    Action.@Nullable Done fixed,
    Action.@Nullable Done replayed,
    @Nullable ObjectNode event,
    byte @Nullable [] value,
    byte @Nullable [] fixedValue) {

  /**
   * A page of letters.
   *
   * @param nextPageToken absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Listed(List<LetterJson> items, @Nullable String nextPageToken) {
    public Listed {
      items = List.copyOf(items);
    }
  }

  static Listed of(DeadLetters.Page page) {
    return new Listed(
        page.entries().stream().map(LetterJson::brief).toList(),
        page.complete() ? null : LetterQueries.token(page.next()));
  }

  /** Without the event. */
  static LetterJson brief(DeadLetters.Entry entry) {
    return of(entry, false);
  }

  /** With all that is known. */
  static LetterJson whole(DeadLetters.Entry entry) {
    return of(entry, true);
  }

  private static LetterJson of(DeadLetters.Entry entry, boolean whole) {
    Letter letter = entry.letter();
    Action action = entry.action();
    byte[] sent = action.value() == null ? letter.value() : action.value();
    Optional<ObjectNode> event =
        whole
            ? EventKind.of(letter.topic())
                .flatMap(kind -> kind.read(sent))
                .map(EventKind.Read::fields)
            : Optional.empty();
    return new LetterJson(
        letter.id().toString(),
        action.status().name(),
        letter.reason(),
        letter.detail(),
        letter.topic(),
        letter.partition(),
        letter.offset(),
        letter.firstSeen(),
        letter.refusedAt(),
        text(letter.key()),
        LetterQueries.surface(letter).orElse(null),
        letter.value() == null ? null : letter.value().length,
        action.fixed(),
        action.replayed(),
        event.orElse(null),
        whole ? letter.value() : null,
        whole ? action.value() : null);
  }

  private static @Nullable String text(byte @Nullable [] key) {
    if (key == null) {
      return null;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
