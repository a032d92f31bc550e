package io.bellwether.loadtest.result;

import java.util.List;

/** What one run of a benchmark found. */
public interface Measurement {

  /** Of everything random in it. */
  long seed();

  /** That it took. */
  double seconds();

  /** What had to be shown, and whether it was. */
  List<Requirement> requirements();

  /** Whether something was measured that says the opposite of what had to be shown. */
  default boolean isRefuted() {
    return requirements().stream().anyMatch(each -> each.status() == Requirement.Status.NOT_SHOWN);
  }
}
