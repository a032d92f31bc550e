package io.bellwether.serving.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was done about a dead letter so far. The array is not copied.
 *
 * @param value what is to be sent in the place of the original bytes; absent where it was not fixed
 * @param fixed when, by whom and why that was changed
 * @param replayed when and by whom it was sent to its topic again; after that nothing changes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@SuppressWarnings("ArrayRecordComponent") // never compared
record Action(byte @Nullable [] value, @Nullable Done fixed, @Nullable Done replayed) {

  /** Nothing. */
  static final Action NONE = new Action(null, null, null);

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Somebody's deed. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Done(Instant at, String by, @Nullable String why) {}

  /** How far a dead letter has come. */
  enum Status {
    OPEN,
    FIXED,
    REPLAYED
  }

  Status status() {
    if (replayed != null) {
      return Status.REPLAYED;
    }
    return fixed == null ? Status.OPEN : Status.FIXED;
  }

  Action fixedBy(byte[] bytes, Done done) {
    return new Action(bytes, done, replayed);
  }

  Action replayedBy(Done done) {
    return new Action(value, fixed, done);
  }

  byte[] write() {
    try {
      return MAPPER.writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write an action", e);
    }
  }

  /** Reads a record; empty for what is none of ours. */
  static Optional<Action> read(byte @Nullable [] bytes) {
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(MAPPER.readValue(bytes, Action.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
