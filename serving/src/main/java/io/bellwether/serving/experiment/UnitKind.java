package io.bellwether.serving.experiment;

/** What is randomised, and over which variances are computed. */
public enum UnitKind {
  /** A subject keeps its variant. */
  SUBJECT,
  /** Each decision anew. */
  REQUEST,
  /** All decisions of a block of time. */
  BLOCK
}
