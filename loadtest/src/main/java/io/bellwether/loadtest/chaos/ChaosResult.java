package io.bellwether.loadtest.chaos;

import io.bellwether.loadtest.result.Measurement;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run of {@link ChaosBenchmark} saw. Immutable.
 *
 * @param attempts each answered request for a decision
 * @param retries requests that were sent again
 * @param wrongVersions full answers by another version than the champion
 * @param unexpected an answer that no fault explains; absent where there was none
 * @param patienceSeconds how long recovery was waited for
 */
public record ChaosResult(
    ChaosExtent extent,
    long seed,
    List<Injected> injected,
    List<Attempt> attempts,
    Reckoning reckoning,
    long retries,
    long wrongVersions,
    @Nullable String unexpected,
    double patienceSeconds,
    double seconds)
    implements Measurement {

  private static final long GRACE_NANOS = 10_000_000;
  private static final double RECOVERY_SECONDS = 10;

  public ChaosResult {
    injected = List.copyOf(injected);
    attempts = List.copyOf(attempts);
  }

  /**
   * Answers past their deadline by more than ten milliseconds, as the client's clock has it, where
   * serving ran and the way to it was as usual.
   */
  public long answersLate() {
    return attempts.stream().filter(this::late).count();
  }

  private boolean late(Attempt attempt) {
    return attempt.nanos() > ChaosSurface.DEADLINE.toNanos() + GRACE_NANOS
        && injected.stream().noneMatch(each -> each.excuses(attempt));
  }

  /** Answered requests that had to be in time. */
  public long answersDue() {
    return attempts.stream()
        .filter(attempt -> injected.stream().noneMatch(each -> each.excuses(attempt)))
        .count();
  }

  /** The longest way back to normal, seconds. */
  public double recoverySecondsMax() {
    return injected.stream()
        .mapToDouble(each -> each.recoverySeconds(patienceSeconds))
        .max()
        .orElse(0);
  }

  /** Answers by their status, with the degraded ones among those of 200 apart. */
  Map<String, Long> answers() {
    Map<String, Long> counts = new TreeMap<>();
    for (Attempt attempt : attempts) {
      String kind = attempt.status() + (attempt.degraded() ? ", degraded" : "");
      counts.merge(kind, 1L, Long::sum);
    }
    return counts;
  }

  @Override
  public List<Requirement> requirements() {
    List<Requirement> all = new ArrayList<>();
    all.add(none("decisions lost", reckoning.decisionsLost(), reckoning.decisions()));
    all.add(none("decisions doubled", reckoning.decisionsDoubled(), reckoning.decisions()));
    all.add(none("outcomes lost", reckoning.outcomesLost(), reckoning.outcomes()));
    all.add(none("outcomes doubled", reckoning.outcomesDoubled(), reckoning.outcomes()));
    all.add(none("answers later than their deadline and 10 ms", answersLate(), answersDue()));
    all.add(
        new Requirement(
            "longest recovery",
            String.format(Locale.ROOT, "%.1f s", recoverySecondsMax()),
            "under 10 s",
            Status.of(recoverySecondsMax() < RECOVERY_SECONDS)));
    all.add(none("answers by a damaged version", wrongVersions, attempts.size()));
    all.add(
        new Requirement(
            "answers that no fault explains",
            unexpected == null ? "none" : unexpected,
            "none",
            Status.of(unexpected == null)));
    return all;
  }

  private static Requirement none(String name, long found, long among) {
    return new Requirement(
        name,
        String.format(Locale.ROOT, "%,d of %,d", found, among),
        "none",
        Status.of(found == 0 && among > 0));
  }
}
