package io.bellwether.serving.experiment;

/** What was done to an experiment. */
public enum MoveKind {
  CREATE,
  EDIT,
  START,
  /** To the plan's next step. */
  ADVANCE,
  /** To a share that somebody named. */
  RAMP,
  /** To a bandit's new shares. */
  REALLOCATE,
  /** No step is taken until it is resumed; everybody keeps the variant, and harm still ends it. */
  PAUSE,
  RESUME,
  /** A treatment did harm: everybody has the default policy again. */
  ROLLBACK,
  /** It ends without a winner. */
  STOP,
  /** It ends with a winner. */
  CONCLUDE,
  ARCHIVE
}
