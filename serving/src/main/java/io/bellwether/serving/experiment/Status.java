package io.bellwether.serving.experiment;

import java.util.Set;

/** Where an experiment stands. */
public enum Status {
  /** It can still be edited. */
  DRAFT(MoveKind.EDIT, MoveKind.START, MoveKind.ARCHIVE),
  /** Its treatments are scored and not shown. */
  SHADOW(
      MoveKind.ADVANCE,
      MoveKind.RAMP,
      MoveKind.PAUSE,
      MoveKind.RESUME,
      MoveKind.ROLLBACK,
      MoveKind.STOP),
  /** Units are assigned. */
  RUNNING(
      MoveKind.ADVANCE,
      MoveKind.RAMP,
      MoveKind.REALLOCATE,
      MoveKind.PAUSE,
      MoveKind.RESUME,
      MoveKind.ROLLBACK,
      MoveKind.STOP,
      MoveKind.CONCLUDE),
  /** It ended without a winner. */
  STOPPED(MoveKind.CONCLUDE, MoveKind.ARCHIVE),
  /** It ended because a treatment did harm. */
  ROLLED_BACK(MoveKind.ARCHIVE),
  /** It ended with a winner. */
  SHIPPED(MoveKind.ARCHIVE),
  /** It is out of sight; its numbers and moves are kept. */
  ARCHIVED();

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<MoveKind> possible;

  Status(MoveKind... possible) {
    this.possible = Set.of(possible);
  }

  /** What can be done in this state. */
  public Set<MoveKind> possible() {
    return possible;
  }

  /** Whether units are assigned or versions scored. */
  public boolean live() {
    return this == SHADOW || this == RUNNING;
  }

  /** Whether it holds its slice of the layer: it runs or may still start. */
  public boolean unfinished() {
    return this == DRAFT || live();
  }
}
