package io.bellwether.trainer.algorithm;

/** Hears how training goes, on the learner's thread. */
@FunctionalInterface
public interface ProgressListener {

  /** Nobody listens. */
  ProgressListener NONE = progress -> {};

  void onProgress(Progress progress);

  /** Training goes on after this step, which an earlier attempt had reached. */
  default void onContinued(long step) {}
}
