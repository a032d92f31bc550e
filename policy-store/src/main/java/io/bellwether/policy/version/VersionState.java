package io.bellwether.policy.version;

/** Where a version stands; derived from its evidence and the moves of its policy's aliases. */
public enum VersionState {
  /** Published; its latest verdict is not {@code pass}, or there is none. */
  CANDIDATE,
  /** Its latest verdict is {@code pass}, and it has served nobody. */
  GATED,
  /** The challenger points to it. */
  CHALLENGER,
  /** The champion points to it. */
  CHAMPION,
  /** Was champion or challenger, and is neither now. */
  RETIRED
}
