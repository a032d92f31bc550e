package io.bellwether.serving.deadletter;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads which letters a request means. */
final class LetterQueries {

  private static final int USUAL_SIZE = 50;
  private static final int MOST = 200;

  /** In one transaction. */
  private static final int MOST_REPLAYED = 100;

  /** Far more partitions than such a topic has. */
  private static final int MOST_PLACES = 1000;

  private LetterQueries() {}

  static DeadLetters.Query of(
      @Nullable String reason,
      @Nullable String surface,
      @Nullable String topic,
      @Nullable String after,
      @Nullable String pageSize,
      @Nullable String pageToken) {
    Predicate<Letter> wanted =
        letter ->
            (reason == null || reason.equals(letter.reason()))
                && (topic == null || topic.equals(letter.topic()))
                && (surface == null || surface.equals(surface(letter).orElse(null)));
    return new DeadLetters.Query(wanted, time(after), places(pageToken), size(pageSize));
  }

  static Optional<String> surface(Letter letter) {
    return EventKind.of(letter.topic()).flatMap(kind -> kind.surface(letter.value()));
  }

  static LetterId id(String text) {
    return LetterId.read(text)
        .orElseThrow(
            () ->
                ProblemException.of(
                    Slug.INVALID_REQUEST,
                    "A dead letter's id is PARTITION-OFFSET, two numbers such as 0-17."));
  }

  /** The letters that a body names. */
  static List<LetterId> ids(byte[] body) {
    JsonFields fields =
        JsonFields.ofRequest(JsonBody.parse(body, Limits.STANDARD.bodyBytes())).only(Set.of("ids"));
    JsonNode listed = fields.get("ids");
    if (!listed.isArray() || listed.isEmpty() || listed.size() > MOST_REPLAYED) {
      fields.refuse(
          "ids",
          "is %s, must be an array of 1 to %d ids"
              .formatted(JsonFields.found(listed), MOST_REPLAYED));
    }
    fields.check();
    List<LetterId> ids = new ArrayList<>();
    listed.forEach(each -> ids.add(id(each.asText(""))));
    return ids;
  }

  private static Instant time(@Nullable String after) {
    try {
      return after == null ? Instant.EPOCH : Instant.parse(after);
    } catch (DateTimeException e) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST, "after is no time such as 2026-11-30T12:00:00Z.");
    }
  }

  private static int size(@Nullable String text) {
    if (text == null) {
      return USUAL_SIZE;
    }
    if (!text.matches("\\d{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST) {
      throw ProblemException.of(
          Slug.VALUE_OUT_OF_RANGE, "pageSize must be a number from 1 to %d.".formatted(MOST));
    }
    return Integer.parseInt(text);
  }

  private static Map<Integer, Long> places(@Nullable String token) {
    Map<Integer, Long> places = new TreeMap<>();
    if (token == null) {
      return places;
    }
    for (String place : token.split("\\.", MOST_PLACES)) {
      LetterId at =
          LetterId.read(place)
              .orElseThrow(
                  () ->
                      ProblemException.of(
                          Slug.INVALID_REQUEST, "pageToken is none that a page gave."));
      places.put(at.partition(), at.offset());
    }
    return places;
  }

  /** What a later request may send to go on. */
  static String token(Map<Integer, Long> next) {
    return next.entrySet().stream()
        .map(place -> new LetterId(place.getKey(), place.getValue()).toString())
        .collect(Collectors.joining("."));
  }
}
