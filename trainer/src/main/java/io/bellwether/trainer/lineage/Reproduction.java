package io.bellwether.trainer.lineage;

import java.util.List;

/** What came of training a version again. */
public sealed interface Reproduction {

  /**
   * Every byte came out again.
   *
   * @param files of the version that were compared
   * @param decisions that it was trained on
   * @param dataSha256 of their rows
   * @param how the data was found, in words
   */
  record Equal(List<String> files, long decisions, String dataSha256, String how)
      implements Reproduction {
    public Equal {
      files = List.copyOf(files);
    }
  }

  /**
   * Something is not as it was.
   *
   * @param differences at least one
   */
  record Different(List<Difference> differences) implements Reproduction {
    public Different {
      differences = List.copyOf(differences);
      if (differences.isEmpty()) {
        throw new IllegalArgumentException("different, and nothing differs");
      }
    }
  }

  /** It cannot be told: what it takes is gone, or other code runs. */
  record Impossible(String reason, String next) implements Reproduction {}

  /**
   * One thing that differs.
   *
   * @param what a file of the archive or of the version, or a number of the run
   * @param recorded what it was
   * @param found what it is now
   */
  record Difference(String what, String recorded, String found) {
    /** In one line. */
    public String words() {
      return what + ": was " + recorded + ", is " + found;
    }
  }
}
