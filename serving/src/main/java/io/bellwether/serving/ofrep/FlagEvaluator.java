package io.bellwether.serving.ofrep;

import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Assignments;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Flag;
import io.bellwether.serving.experiment.Occasion;
import io.bellwether.serving.log.EventIds;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the value of a flag for a subject. Logs nothing. Thread-safe. */
@Singleton
final class FlagEvaluator {

  /** What clients that do not encode keys can put into a path. */
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._~-]{1,128}");

  private final Surfaces surfaces;
  private final EventIds ids;

  FlagEvaluator(Surfaces surfaces, EventIds ids) {
    this.surfaces = surfaces;
    this.ids = ids;
  }

  /**
   * Evaluates.
   *
   * @throws ProblemException 404 where no experiment is such a flag, 400 where the context does not
   *     say what is needed
   */
  Evaluation evaluate(Assignments assignments, String key, EvaluationContext context, Instant now) {
    ExperimentState state =
        assignments
            .find(key)
            .filter(found -> !found.declaration().choosesPolicy() && KEY.matcher(key).matches())
            .orElseThrow(() -> notFound(key));
    return evaluate(assignments, state, context, now);
  }

  /** Evaluates one of the {@link Assignments#flags}. */
  Evaluation evaluate(
      Assignments assignments, ExperimentState state, EvaluationContext context, Instant now) {
    DeclaredSurface surface =
        surfaces.find(state.declaration().surface()).orElseThrow(() -> notFound(state.name()));
    var attributes = context.attributes(surface);
    String decisionId = ids.next();
    Optional<Flag> flag =
        assignments.flag(
            state.name(), new Occasion(context.targetingKey(), decisionId, () -> attributes, now));
    if (flag.isEmpty()) {
      throw notFound(state.name());
    }
    if (context.targetingKey() == null && needsUnit(flag.get())) {
      throw ProblemException.of(
          Slug.TARGETING_KEY_MISSING,
          "#/context/targetingKey is missing, must be the id of the subject: '%s' is chosen by it"
              .formatted(state.name()));
    }
    return new Evaluation(flag.get(), surface, attributes, decisionId);
  }

  private static boolean needsUnit(Flag flag) {
    return flag.assigned() instanceof Assigned.None none
        && none.reason() == Assigned.Reason.NO_UNIT;
  }

  private static ProblemException notFound(String key) {
    return ProblemException.of(
        Slug.NOT_FOUND, "No experiment with payloads is named '" + key + "'.");
  }
}
