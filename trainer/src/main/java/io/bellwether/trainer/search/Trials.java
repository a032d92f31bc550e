package io.bellwether.trainer.search;

import java.io.IOException;

/** Trains and judges what was drawn. */
interface Trials {

  /** The same for the same step and draw, but for the seconds and the version. */
  Trial run(Step step, Draw draw) throws IOException;
}
