package io.bellwether.serving.subject;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was done about an erasure. It names nobody: who knows a subject's id can tell by its hash
 * that it is meant. Immutable.
 *
 * @param sequence its number in the chain of all receipts, 1 first
 * @param previous SHA-256 of the receipt before it, hex; 64 zeros for the first
 * @param subjects hashes of the ids under which the subject was logged
 * @param until what was decided up to then is forgotten
 * @param erased where something was removed at once
 * @param expires what is let go by itself, and by when
 * @param remains what was not removed, and why
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Receipt(
    String job,
    long sequence,
    String previous,
    List<String> subjects,
    String askedBy,
    @Nullable String reason,
    Instant until,
    Instant doneAt,
    List<Removed> erased,
    List<Expiry> expires,
    List<String> remains) {

  public Receipt {
    subjects = List.copyOf(subjects);
    erased = List.copyOf(erased);
    expires = List.copyOf(expires);
    remains = List.copyOf(remains);
  }

  /** So many things of a kind were removed. */
  public record Removed(String where, String what, long count) {}

  /**
   * Something that is let go by itself.
   *
   * @param by the latest moment; absent where it is kept for ever, which is then somebody's to end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Expiry(String where, @Nullable Instant by) {}
}
