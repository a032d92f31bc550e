package io.bellwether.infra.command;

import io.bellwether.evaluation.report.InvalidDataException;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.version.AliasConflictException;
import io.bellwether.policy.version.ApprovalNeededException;
import io.bellwether.policy.version.BrokenLogException;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.UnknownVersionException;
import io.bellwether.trainer.bundle.BundleRefused;
import io.bellwether.trainer.data.InvalidTrainingData;
import io.bellwether.trainer.gate.TargetRefused;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.job.TrainingFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** What the modules refuse, as a command says it: with the exit code, and what to do next. */
final class KnownFailures {
  private KnownFailures() {}

  /** Empty for what no module should ever throw: a mistake in the program. */
  static Optional<CommandFailed> of(Exception e) {
    if (e instanceof CommandFailed failed) {
      return Optional.of(failed);
    }
    String reason = String.valueOf(e.getMessage());
    if (e instanceof IOException || e instanceof UncheckedIOException) {
      return Optional.of(
          CommandFailed.unavailable(
              withRootCause(e), "See that what it names is there and answers, then try again.", e));
    }
    if (e instanceof CorruptObjectException) {
      return Optional.of(
          CommandFailed.unavailable(reason, "Restore the policy store from a copy.", e));
    }
    if (e instanceof TrainingFailed failed) {
      return Optional.of(training(failed, reason));
    }
    if (e instanceof BrokenLogException) {
      return Optional.of(
          CommandFailed.unavailable(
              reason, "`./bellwether policies log` shows how far it can be followed.", e));
    }
    if (e instanceof ApprovalNeededException waiting) {
      return Optional.of(
          CommandFailed.refused(
              reason,
              "Let somebody else approve it: `./bellwether policies approve "
                  + waiting.proposal()
                  + "`."));
    }
    if (e instanceof PromotionRefusedException) {
      return Optional.of(
          CommandFailed.refused(
              reason,
              "Evaluate it first, with --approver where it passes with warnings; or give your"
                  + " reason to do without with --override."));
    }
    return input(e).map(next -> CommandFailed.wrongInput(reason, next));
  }

  private static Optional<String> input(Exception e) {
    if (e instanceof InvalidSurfaceException) {
      return Optional.of("Mend the surface file.");
    }
    if (e instanceof InvalidTrainingData || e instanceof InvalidDataException) {
      return Optional.of("Name a log that holds such decisions with --log.");
    }
    if (e instanceof TargetRefused) {
      return Optional.of("Evaluate it on a log that has what it needs, or train a new version.");
    }
    if (e instanceof ImportRefused) {
      return Optional.of("Nothing was imported. docs/import.md says what each format must have.");
    }
    if (e instanceof BundleRefused) {
      return Optional.of("Nothing was imported. Export it again; what was altered is not taken.");
    }
    if (e instanceof UnknownVersionException) {
      return Optional.of("`./bellwether policies` lists the versions that there are.");
    }
    if (e instanceof AliasConflictException) {
      return Optional.of("`./bellwether policies history NAME` shows the moves that there were.");
    }
    return Optional.empty();
  }

  private static CommandFailed training(TrainingFailed failed, String reason) {
    return switch (failed.kind()) {
      case INVALID_DATA ->
          CommandFailed.wrongInput(reason, "Name a log that holds such decisions with --log.");
      case DIVERGED ->
          CommandFailed.refused(
              reason, "Nothing was published. Try another --seed, or look into the data.");
      case EXPORT_DIFFERS -> CommandFailed.refused(reason, "Nothing was published. Report this.");
    };
  }

  /**
   * What failed outside is often wrapped several times, and only the innermost says what it was.
   */
  private static String withRootCause(Exception e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == e ? e.toString() : e.getMessage() + ": " + root;
  }
}
