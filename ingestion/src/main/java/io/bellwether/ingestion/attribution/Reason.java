package io.bellwether.ingestion.attribution;

/** Why a record was refused. */
public enum Reason {
  /** The bytes are no event of a known version. */
  UNDECODABLE("undecodable"),
  /** The event contradicts itself, or lacks an id. */
  INVALID("invalid-request"),
  /** Its time is too long ago, or in the future. */
  OUTSIDE_LOOKBACK("outside-lookback"),
  /** No such surface is declared. */
  UNKNOWN_SURFACE("not-found"),
  /** No such signal is declared, or it does not take this value. */
  VALUE_OUT_OF_RANGE("value-out-of-range"),
  /** The item was not in the decision's slate. */
  DANGLING_ITEM("dangling-item"),
  /** There was nothing to join it to when its window was over. */
  UNKNOWN_DECISION("unknown-decision"),
  /** Its decision has more distinct outcomes than any person can cause. */
  TOO_MANY_OUTCOMES("rate-limited");

  private final String code;

  Reason(String code) {
    this.code = code;
  }

  /** The header {@code x-error} of a dead letter. */
  public String code() {
    return code;
  }
}
