package io.bellwether.trainer.algorithm;

/** Which state of a row a network looks at. */
enum Moment {
  /** The state in which the row's action was taken. */
  NOW,

  /**
   * The state that followed, with its own candidates; a row that was cut off is followed by itself.
   */
  NEXT
}
