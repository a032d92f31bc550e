package io.bellwether.serving.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.surface.Surfaces;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Experiments with payloads in every state, without a log. */
public final class FlagsFixture {

  private final Surfaces surfaces;

  public FlagsFixture(Surfaces surfaces) {
    this.surfaces = surfaces;
  }

  /** A draft. */
  public ExperimentState draft(String declaration) {
    ExperimentReader.Draft draft =
        new ExperimentReader(surfaces).read(declaration.replace('\'', '"').getBytes(UTF_8));
    draft.fields().check();
    return ExperimentState.created(draft.experiment());
  }

  /** Running since a time. */
  public ExperimentState running(String declaration, Instant since) {
    ExperimentState draft = draft(declaration);
    return draft.started(
        draft.declaration().variants().stream()
            .collect(Collectors.toMap(Variant::name, Variant::name)),
        since);
  }

  /** Ended without a winner. */
  public ExperimentState stopped(ExperimentState running, Instant at) {
    return running.stopped(at, "enough");
  }

  /** Ended with a winner. */
  public ExperimentState shipped(ExperimentState running, String winner, Instant at) {
    return running.shipped(winner, at, "better");
  }

  /** Out of sight. */
  public ExperimentState archived(ExperimentState ended) {
    return ended.archived();
  }

  /** What a replica knows that has just looked. */
  public static Assignments fresh(ExperimentState... states) {
    return new Assignments(List.of(states), Set.of(), () -> false);
  }

  /** What a replica knew that has not looked for too long. */
  public static Assignments stale(ExperimentState... states) {
    return new Assignments(List.of(states), Set.of(), () -> true);
  }
}
