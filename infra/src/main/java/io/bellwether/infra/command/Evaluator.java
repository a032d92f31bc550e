package io.bellwether.infra.command;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.LoggingPolicies;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.gate.ScoredTarget;
import io.bellwether.trainer.gate.StoredLoggers;
import io.bellwether.trainer.gate.TableTarget;
import io.bellwether.trainer.gate.TargetPolicy;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Evaluates versions of a store, and tables of chances, each against a version or against the
 * logging policy.
 */
record Evaluator(PolicyStore store, OfflineEvaluation evaluation) {

  /** A version, on people whom neither it nor the baseline has learned from. */
  EvaluationRecord version(
      VersionId version, Optional<VersionId> baseline, EvaluationRequest request)
      throws IOException {
    requireSameFeatures(version, request.surface());
    Subjects subjects = Subjects.notSeenBy(store.manifest(version));
    if (baseline.isPresent()) {
      subjects = subjects.and(Subjects.notSeenBy(store.manifest(baseline.get())));
    }
    try (TargetPolicy target = ScoredTarget.open(store, version, request.surface())) {
      return against(target, baseline, request.withSubjects(subjects));
    }
  }

  /** Opens a table of chances in a file; the caller closes it. */
  static TargetPolicy table(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw CommandFailed.wrongInput(
          "There is no file " + file.toAbsolutePath() + ".", "Name a table of chances.");
    }
    try {
      return TableTarget.read(file);
    } catch (CharacterCodingException e) {
      throw CommandFailed.wrongInput(
          "The table " + file.toAbsolutePath() + " is not written in UTF-8.",
          "Save it as UTF-8 text: one line per item, item_id,pos1,pos2,...");
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          e.getMessage() + ".", "Mend the table: one line per item, item_id,pos1,pos2,...");
    }
  }

  /** Any policy on all that the request selects; a baseline must know the surface's features. */
  EvaluationRecord against(
      TargetPolicy target, Optional<VersionId> baseline, EvaluationRequest request)
      throws IOException {
    LoggingPolicies loggers = new StoredLoggers(store, request.surface());
    if (baseline.isEmpty()) {
      return evaluation.evaluate(request, target, null, loggers);
    }
    requireSameFeatures(baseline.get(), request.surface());
    try (TargetPolicy opened = ScoredTarget.open(store, baseline.get(), request.surface())) {
      return evaluation.evaluate(request, target, opened, loggers);
    }
  }

  /** Refuses a version that was made for another declaration of its surface. */
  void requireSameFeatures(VersionId version, Surface surface) {
    PolicyManifest manifest = store.manifest(version);
    if (!manifest.features().digest().equals(SurfaceSchema.policy(surface).digest())) {
      throw CommandFailed.wrongInput(
          version + " was made for other features than surface " + surface.name() + " declares.",
          "Train a new version for it, or name the folder of its surface with --surfaces.");
    }
  }
}
