package io.bellwether.serving.experiment;

/** What an experiment does with the variants that it has. */
public enum Kind {
  /** Two or more variants, each shown to its share of the units. */
  AB,
  /** Every variant is scored on live traffic and none is shown. */
  SHADOW,
  /** The caller's own order is shown, and learned from. */
  APPRENTICE,
  /** Two variants draft one slate in turns; what people take says which one they prefer. */
  INTERLEAVING,
  /** Shares follow the chance of being best, down to a floor. */
  BANDIT,
  /** A few units that no other experiment of the surface gets. */
  HOLDOUT,
  /** Two variants take turns in blocks of time. */
  SWITCHBACK
}
