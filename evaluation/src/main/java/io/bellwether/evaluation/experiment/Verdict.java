package io.bellwether.evaluation.experiment;

import java.util.List;

/** What a rollout does at one tick, and why. */
public sealed interface Verdict {

  /** What it rests on, the weightiest first; never empty. */
  List<Reason> reasons();

  /** The word of command and API. */
  String word();

  /** The next step begins. */
  record Advance(int toStep, List<Reason> reasons) implements Verdict {
    public Advance {
      reasons = checked(reasons);
    }

    @Override
    public String word() {
      return "advance";
    }
  }

  /** Nothing moves. */
  record Hold(List<Reason> reasons) implements Verdict {
    public Hold {
      reasons = checked(reasons);
    }

    @Override
    public String word() {
      return "hold";
    }
  }

  /** Everybody gets the control again. */
  record RollBack(List<Reason> reasons) implements Verdict {
    public RollBack {
      reasons = checked(reasons);
    }

    @Override
    public String word() {
      return "roll-back";
    }
  }

  /** The plan is through; the treatment may replace the control. */
  record Complete(List<Reason> reasons) implements Verdict {
    public Complete {
      reasons = checked(reasons);
    }

    @Override
    public String word() {
      return "complete";
    }
  }

  /**
   * One thing that was looked at.
   *
   * @param subject the variant, metric or limit that it is about, or empty
   * @param observed the figure, or why there is none
   * @param limit what it was held against
   */
  record Reason(Code code, String subject, Figure observed, Figure limit, String words) {

    public enum Code {
      LIMIT_CROSSED,
      STALE_NUMBERS,
      NO_NUMBERS,
      SAMPLE_RATIO_MISMATCH,
      HARM,
      HARM_SEEN_ONCE,
      CROSSOVERS,
      PAUSED,
      TOO_SHORT,
      TOO_FEW_UNITS,
      TOO_FEW_EXPOSURES,
      REFUTED,
      NO_BOUND,
      NOT_ESTABLISHED,
      NOTHING_LIMITED,
      WAITS_FOR_A_PERSON,
      ENOUGH_TIME,
      ENOUGH_UNITS,
      NOT_REFUTED,
      ESTABLISHED
    }
  }

  private static List<Reason> checked(List<Reason> reasons) {
    if (reasons.isEmpty()) {
      throw new IllegalArgumentException("a verdict has a reason");
    }
    return List.copyOf(reasons);
  }
}
