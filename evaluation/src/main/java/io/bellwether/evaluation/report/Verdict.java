package io.bellwether.evaluation.report;

import java.util.List;

/** What the offline gate concluded about one target policy. */
public sealed interface Verdict {

  /** The finer word behind the three of the command. */
  enum Code {
    PASS,
    FAIL,
    FAIL_CONSTRAINT,
    UNDECIDED,
    INSUFFICIENT_SUPPORT
  }

  Evidence evidence();

  Code code();

  /** The word of command and API: {@code pass}, {@code fail} or {@code not-enough-evidence}. */
  String word();

  /** Better than the baseline by the lift asked for, and every promise kept. */
  record Pass(Evidence evidence) implements Verdict {
    @Override
    public Code code() {
      return Code.PASS;
    }

    @Override
    public String word() {
      return "pass";
    }
  }

  /** Shown to break a promise or not to reach the objective. */
  record Fail(Evidence evidence, Code code, List<Breach> breaches) implements Verdict {
    public Fail {
      breaches = List.copyOf(breaches);
      if (code != Code.FAIL && code != Code.FAIL_CONSTRAINT) {
        throw new IllegalArgumentException("no way to fail: " + code);
      }
    }

    @Override
    public String word() {
      return "fail";
    }
  }

  /** Too little evidence or overlap to tell. Never counted as a pass. */
  record Inconclusive(Evidence evidence, Code code, String reason) implements Verdict {
    public Inconclusive {
      if (code != Code.UNDECIDED && code != Code.INSUFFICIENT_SUPPORT) {
        throw new IllegalArgumentException("no way to be inconclusive: " + code);
      }
    }

    @Override
    public String word() {
      return "not-enough-evidence";
    }
  }
}
