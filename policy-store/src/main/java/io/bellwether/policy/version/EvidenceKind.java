package io.bellwether.policy.version;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a piece of evidence is. */
public enum EvidenceKind {
  /** An evaluation report. */
  REPORT,
  /** The gate's conclusion: a JSON object with the field {@code verdict}. */
  VERDICT,
  /** The reason for which somebody moved an alias without the verdict {@code pass}. */
  OVERRIDE,
  /**
   * What the policy is for, what it was told to want, and what came of it, as Markdown; the latest
   * one counts.
   */
  REWARD_REPORT,
  /** What the version is, and what is known of it, as Markdown; the latest one counts. */
  MODEL_CARD,
  /** A signature of the version's manifest: a DSSE envelope. */
  SIGNATURE;

  @JsonValue
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
