package io.bellwether.infra.demo;

import io.bellwether.loadtest.people.Estimate;
import java.util.ArrayList;
import java.util.List;

/**
 * What `bellwether demo --json` writes; the keys are stable.
 *
 * @param run number of the run on its data; from the second on, the champion may be a learned
 *     policy already, and nothing is promised about another one
 * @param value true mean of the objective's discounted sum per session, by Monte Carlo
 * @param constraints true mean per decision of every promised signal under the learned policy
 * @param verdict the gate's word for the learned policy
 * @param live watch seconds per decision that the running system's people had, before and after
 */
public record DemoResult(
    int run,
    Sent sent,
    Joined joined,
    Values value,
    List<Promise> constraints,
    String verdict,
    Versions versions,
    Live live,
    Replayed replay,
    Memory memory,
    Seconds seconds) {

  /** What the simulated product was answered and what was accepted, by distinct id. */
  public record Sent(long decisions, long outcomes) {}

  /** What the streams committed for the same decisions. */
  public record Joined(long transitions, long outcomes, long sameRevisionTwice, long deadLetters) {}

  /** True values, with 95 % intervals. */
  public record Values(Interval uniform, Interval logging, Interval cloned, Interval learned) {}

  /** A 95 % interval around a mean. */
  public record Interval(double mean, double low, double high) {
    static Interval of(Estimate estimate) {
      return new Interval(estimate.mean(), estimate.low(), estimate.high());
    }
  }

  /**
   * @param promise in the words of the surface file
   * @param bound what the promise means in numbers, against the logging policy's true value
   */
  public record Promise(
      String signal, String promise, double bound, double value, double low, double high) {}

  /** The versions that took part. */
  public record Versions(String logging, String cloned, String learned) {}

  /** Watch seconds per decision. */
  public record Live(double before, double after) {}

  /** Decisions drawn again from their log. */
  public record Replayed(long checked, long equal) {}

  /** Largest resident memory that was seen, in MiB, of all processes together. */
  public record Memory(long peakMebibytes) {}

  /** Wall-clock seconds since the command began. */
  public record Seconds(double toFirstDecision, double total) {}

  /** Whether the loop closed as it should; what did not is named. */
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    check(joined.transitions == sent.decisions, "transitions and decisions differ", failures);
    check(joined.outcomes == sent.outcomes, "joined and sent outcomes differ", failures);
    check(joined.sameRevisionTwice == 0, "a transition was committed twice", failures);
    check(joined.deadLetters == 0, "something became a dead letter", failures);
    check(replay.checked > 0 && replay.equal == replay.checked, "a replay differs", failures);
    if (run == 1) {
      checkLearning(failures);
    }
    return failures;
  }

  private void checkLearning(List<String> failures) {
    check(verdict.equals("pass"), "the learned policy did not pass its gate", failures);
    double clone = value.cloned.mean / value.logging.mean;
    check(Math.abs(clone - 1) <= 0.03, "the clone is not within 3 % of what it cloned", failures);
    check(value.learned.low > value.cloned.high, "learned is not above cloned", failures);
    check(value.learned.low > value.uniform.high, "learned is not above uniform", failures);
    for (Promise promise : constraints) {
      check(kept(promise), promise.promise + " is not kept", failures);
    }
  }

  private static boolean kept(Promise promise) {
    return promise.promise.contains("at-least")
        ? promise.value >= promise.bound
        : promise.value <= promise.bound;
  }

  private static void check(boolean holds, String failure, List<String> failures) {
    if (!holds) {
      failures.add(failure);
    }
  }
}
