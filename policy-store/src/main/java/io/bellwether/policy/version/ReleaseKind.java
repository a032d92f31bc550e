package io.bellwether.policy.version;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What one entry of the release log did. */
public enum ReleaseKind {
  /** Took over the moves that were made before there was this log; only ever the first entry. */
  BEGUN,
  /** Moved an alias. */
  MOVED,
  /** Asked for a move, or for fewer approvals, that a second person has to approve. */
  PROPOSED,
  /** Did what somebody else had proposed. */
  APPROVED,
  /** Turned a proposal down, or took it back. */
  DECLINED,
  /** Fixed the version that answers by default, wherever the champion points. */
  PINNED,
  /** Let the champion answer by default again. */
  UNPINNED,
  /** Forbade all moves and pins of one policy, or of all. */
  FROZEN,
  /** Allowed them again. */
  UNFROZEN,
  /** Said which aliases of a policy move only with a second person's approval. */
  RULED,
  /**
   * Vouched with a key for everything before: for logs that were not signed, or with a lost key.
   */
  ADOPTED;

  /** The kind in lower case, as JSON has it. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
