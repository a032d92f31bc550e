package io.bellwether.serving.deadline;

import java.time.Duration;

/** Punctuality for tests of other packages. */
public final class PunctualityFixture {

  private PunctualityFixture() {}

  /** This version has been late so often that it is not asked now. */
  public static Punctuality late(String version) {
    Duration deadline = Duration.ofSeconds(1);
    long[] now = {0};
    Punctuality punctuality = new Punctuality(() -> now[0]);
    while (punctuality.allows(version)) {
      now[0] += deadline.toNanos();
      punctuality.ran(version, 1_000_000, deadline);
    }
    return punctuality;
  }
}
