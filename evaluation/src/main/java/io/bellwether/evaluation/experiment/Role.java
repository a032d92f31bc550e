package io.bellwether.evaluation.experiment;

/** What a metric is there for. */
public enum Role {
  /** The experiment is decided on it, so it must not get worse either. */
  PRIMARY,
  /** To be looked at; exploratory. */
  SECONDARY,
  /** Its limit takes a rollout back. */
  GUARDRAIL
}
