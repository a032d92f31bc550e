package io.bellwether.trainer.job;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.network.HistoryForm;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What shall be trained, on what, and how long.
 *
 * @param surface that the policy is for
 * @param source of the logged transitions
 * @param method how it is trained
 * @param seed of first weights and of the batch plan: the same data and seed give the same graph
 * @param epochs how often each row is seen; too often, and a learner knows the log's luck by heart
 * @param batchSize rows per step
 * @param historyForm how the networks take in a history
 * @param parallelism of the stage that feeds the learner; changes nothing but the speed
 * @param learners how many share every batch: 1, 2, 4, 8 or 16, all of which give the same graph; 0
 *     for one that has whole batches, and another graph
 * @param heldOutShare share of the subjects that is left to evaluation, in [0, 1)
 * @param parent the version that this one shall replace; absent for a first one
 * @param folder where the run keeps its progress and its result; every task must reach it
 * @param asOf what was known later counts as not known; absent for all that there is
 * @param decidedBefore decisions from this time on are left out; absent for none
 * @param declaration the surface's file, to be kept with the version; empty where it is not at hand
 */
public record TrainingRequest(
    Surface surface,
    TransitionSource source,
    TrainingMethod method,
    long seed,
    double epochs,
    int batchSize,
    HistoryForm historyForm,
    int parallelism,
    int learners,
    double heldOutShare,
    @Nullable VersionId parent,
    Path folder,
    @Nullable Instant asOf,
    @Nullable Instant decidedBefore,
    String declaration) {

  private static final double EPOCHS = 10;
  private static final int BATCH_SIZE = 512;

  public TrainingRequest {
    if (!(epochs > 0) || batchSize < 1 || parallelism < 1) {
      throw new IllegalArgumentException(
          "epochs are more than 0, batch size and parallelism at least 1, found %s, %d and %d"
              .formatted(epochs, batchSize, parallelism));
    }
    if (learners < 0 || (learners > 0 && (16 % learners != 0 || batchSize % 16 != 0))) {
      throw new IllegalArgumentException(
          "%d learners cannot share batches of %d rows; 1, 2, 4, 8 or 16 share multiples of 16"
              .formatted(learners, batchSize));
    }
  }

  /**
   * Seed 1, ten epochs in steps of 512 rows, one feeder, one learner, nothing held out, no parent,
   * histories as means.
   */
  public static TrainingRequest of(
      Surface surface, TransitionSource source, TrainingMethod method, Path folder) {
    return new TrainingRequest(
        surface,
        source,
        method,
        1,
        EPOCHS,
        BATCH_SIZE,
        HistoryForm.MEAN,
        1,
        0,
        0,
        null,
        folder,
        null,
        null,
        "");
  }

  public TrainingRequest withSeed(long other) {
    return changed(draft -> draft.seed = other);
  }

  public TrainingRequest withEpochs(double count) {
    return changed(draft -> draft.epochs = count);
  }

  public TrainingRequest withBatchSize(int rows) {
    return changed(draft -> draft.batchSize = rows);
  }

  public TrainingRequest withHistoryForm(HistoryForm form) {
    return changed(draft -> draft.historyForm = form);
  }

  public TrainingRequest withParallelism(int feeders) {
    return changed(draft -> draft.parallelism = feeders);
  }

  public TrainingRequest withLearners(int sharing) {
    return changed(draft -> draft.learners = sharing);
  }

  public TrainingRequest withHeldOutShare(double share) {
    return changed(draft -> draft.heldOutShare = share);
  }

  public TrainingRequest withParent(VersionId version) {
    return changed(draft -> draft.parent = version);
  }

  /** As of a time; absent for all that is known. */
  public TrainingRequest withAsOf(@Nullable Instant time) {
    return changed(draft -> draft.asOf = time);
  }

  /** Without what was decided from a time on; absent for all. */
  public TrainingRequest withDecidedBefore(@Nullable Instant time) {
    return changed(draft -> draft.decidedBefore = time);
  }

  /** From this source. */
  public TrainingRequest withSource(TransitionSource other) {
    return changed(draft -> draft.source = other);
  }

  /** With the text of the surface's file. */
  public TrainingRequest withDeclaration(String yaml) {
    return changed(draft -> draft.declaration = yaml);
  }

  private TrainingRequest changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.request();
  }

  /** A request in which one thing is changed, so that the others are listed once. */
  private static final class Draft {
    private Surface surface;
    private TransitionSource source;
    private TrainingMethod method;
    private long seed;
    private double epochs;
    private int batchSize;
    private HistoryForm historyForm;
    private int parallelism;
    private int learners;
    private double heldOutShare;
    private @Nullable VersionId parent;
    private Path folder;
    private @Nullable Instant asOf;
    private @Nullable Instant decidedBefore;
    private String declaration;

    Draft(TrainingRequest from) {
      surface = from.surface;
      source = from.source;
      method = from.method;
      seed = from.seed;
      epochs = from.epochs;
      batchSize = from.batchSize;
      historyForm = from.historyForm;
      parallelism = from.parallelism;
      learners = from.learners;
      heldOutShare = from.heldOutShare;
      parent = from.parent;
      folder = from.folder;
      asOf = from.asOf;
      decidedBefore = from.decidedBefore;
      declaration = from.declaration;
    }

    TrainingRequest request() {
      return new TrainingRequest(
          surface,
          source,
          method,
          seed,
          epochs,
          batchSize,
          historyForm,
          parallelism,
          learners,
          heldOutShare,
          parent,
          folder,
          asOf,
          decidedBefore,
          declaration);
    }
  }
}
