package io.bellwether.trainer.data;

import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.policy.version.PolicyManifest;
import java.io.Serializable;

/**
 * Which subjects' decisions are used: a policy must not be judged on the decisions that it learned
 * from. Who belongs to which part is a function of the subject id alone. Immutable.
 *
 * @param part the part that is used
 * @param heldOutShare share of the subjects that training leaves to evaluation, in [0, 1)
 */
public record Subjects(Part part, double heldOutShare) implements Serializable {

  private static final long serialVersionUID = 1;

  /** The metric under which a version keeps the share of subjects that it has not seen. */
  public static final String HELD_OUT_SHARE = "heldOutShare";

  private static final long SPLIT_TAG = 902;

  /** A part of the subjects. */
  public enum Part {
    ALL,
    /** Every subject, where the policy that is judged kept none apart when it learned. */
    SEEN,
    TRAINING,
    HELD_OUT
  }

  public Subjects {
    if (!(heldOutShare >= 0 && heldOutShare < 1)) {
      throw new IllegalArgumentException(
          "the share of held-out subjects is " + heldOutShare + ", expected it in [0, 1)");
    }
  }

  /** Every subject. */
  public static Subjects all() {
    return new Subjects(Part.ALL, 0);
  }

  /** The subjects to learn from. */
  public static Subjects training(double heldOutShare) {
    return new Subjects(Part.TRAINING, heldOutShare);
  }

  /** The subjects that training with this share has left out. */
  public static Subjects heldOut(double heldOutShare) {
    return new Subjects(Part.HELD_OUT, heldOutShare);
  }

  /** The subjects that a version did not learn from; every subject where it kept none apart. */
  public static Subjects notSeenBy(PolicyManifest version) {
    double share = version.metrics().getOrDefault(HELD_OUT_SHARE, 0.0);
    if (share > 0) {
      return heldOut(share);
    }
    return version.data().rows() == 0 ? all() : new Subjects(Part.SEEN, 0);
  }

  /**
   * Those of the subjects that a baseline has not seen either, which would be too good on others.
   * Of two held-out parts the smaller one lies within the larger. Where a policy kept none apart,
   * there are none to choose.
   *
   * @param unseen the subjects that the baseline has not seen
   */
  public Subjects and(Subjects unseen) {
    boolean fewer =
        unseen.part == Part.HELD_OUT
            && (part == Part.ALL || (part == Part.HELD_OUT && unseen.heldOutShare < heldOutShare));
    return fewer ? unseen : this;
  }

  /** Whether a policy may be judged here by the very decisions that it learned from. */
  public boolean maySeeTraining() {
    return part == Part.SEEN;
  }

  /** Whether this subject's decisions are used. */
  public boolean include(String subjectId) {
    if (part == Part.ALL || part == Part.SEEN) {
      return true;
    }
    long seed = DecisionSeed.seedOf(subjectId);
    boolean heldOut = CounterRandom.uniform(seed, SPLIT_TAG, 0, 0, 0) < heldOutShare;
    return heldOut == (part == Part.HELD_OUT);
  }

  /** For reports: all subjects, or which part of them. */
  public String words() {
    return switch (part) {
      case ALL -> "all subjects";
      case SEEN -> "all subjects, none of whom were kept from training";
      case TRAINING -> "all subjects but the held-out " + Math.round(100 * heldOutShare) + " %";
      case HELD_OUT -> "the " + Math.round(100 * heldOutShare) + " % held-out subjects";
    };
  }
}
