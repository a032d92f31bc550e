package io.bellwether.serving.ofrep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A flag's value for one subject, as the protocol writes it.
 *
 * @param key of the flag
 * @param reason why it has this value
 * @param variant whose payload the value is
 * @param value as it was declared; {@code 1} and {@code 1.0} are two types to some clients
 * @param metadata texts, numbers and truth values only, which is what clients let through
 */
public record FlagAnswer(
    String key, Reason reason, String variant, JsonNode value, Map<String, Object> metadata) {

  /** The member of the metadata that says that the value stands in for another. */
  static final String DEGRADED = "degraded";

  /** Whether it stands in for what was not known, or nothing could be kept of it. */
  @JsonIgnore
  boolean degraded() {
    return Boolean.TRUE.equals(metadata.get(DEGRADED));
  }

  /** Why a flag has a value. */
  public enum Reason {
    /** The same for everybody, or for whoever the experiment leaves out. */
    STATIC,
    /** By a rule: an override, or conditions that hold, without chance. */
    TARGETING_MATCH,
    /** By the subject's bucket. */
    SPLIT,
    /** The experiment does not run, or it is not known whether it does: the control's value. */
    DISABLED
  }
}
