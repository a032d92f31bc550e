package io.bellwether.trainer.algorithm;

import java.util.Optional;

/**
 * Where a run leaves what it needs to go on after an interruption, stage by stage. Used by the
 * learner's thread.
 */
public interface Checkpoints {

  /** Nothing is kept. */
  Checkpoints NONE =
      new Checkpoints() {
        @Override
        public boolean areKept() {
          return false;
        }

        @Override
        public boolean isDue() {
          return false;
        }

        @Override
        public Optional<Checkpoint> read(int stage, RunIdentity identity) {
          return Optional.empty();
        }

        @Override
        public void write(int stage, RunIdentity identity, Checkpoint checkpoint) {}
      };

  /** Whether it makes sense to ask for the rest. */
  boolean areKept();

  /** Whether the next one should be written at this report. The end of a stage always is. */
  boolean isDue();

  /** How far stage 0, 1, ... was, if that was this very stage. */
  Optional<Checkpoint> read(int stage, RunIdentity identity);

  /** Replaces what was kept of the stage. */
  void write(int stage, RunIdentity identity, Checkpoint checkpoint);
}
