package io.bellwether.serving.experiment;

import io.bellwether.policy.version.PolicyStore;
import io.bellwether.serving.surface.Surfaces;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Experiments on a folder, without a service around them: moves are acknowledged at once. */
public final class ExperimentsFixture {

  private ExperimentsFixture() {}

  /**
   * What was opened.
   *
   * @param refresh reads what others have moved
   */
  public record Opened(Experiments experiments, Runnable refresh) {}

  /** No experiments at all. */
  public static Assignments none() {
    return new Assignments(List.of(), Set.of(), () -> false);
  }

  public static Opened open(Path store, Surfaces surfaces, PolicyStore policies, Clock clock) {
    ExperimentFeed feed =
        new ExperimentFeed(
            new ExperimentStore(store), Duration.ofSeconds(1), Duration.ofSeconds(1), () -> 0);
    Experiments experiments =
        new Experiments(
            surfaces, policies, feed, clock, new Experiments.Lease(Duration.ZERO, Runnable::run));
    return new Opened(experiments, feed::refresh);
  }
}
