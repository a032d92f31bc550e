package io.bellwether.serving.experiment;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A live experiment with what its assignment needs at hand. Immutable.
 *
 * @param state of the experiment, which has a phase
 * @param phase the current one
 * @param places of the variants in it
 */
record Contender(ExperimentState state, Phase phase, Places places) {

  private static final Variant INTERLEAVED =
      new Variant(Variant.INTERLEAVED, Bucket.COUNT, new Arm.Interleaved());

  static Optional<Contender> of(ExperimentState state) {
    return state
        .phase()
        .map(phase -> new Contender(state, phase, Places.of(state.declaration(), phase.shares())));
  }

  Experiment experiment() {
    return state.declaration();
  }

  /** The variant that somebody wants this subject to have; absent where there is no such wish. */
  Assigned.@Nullable ToVariant forced(Occasion occasion) {
    String subject = occasion.subjectId();
    if (subject == null || !state.status().live()) {
      return null;
    }
    String wanted = experiment().overrides().get(subject);
    if (wanted == null) {
      return null;
    }
    Variant variant = experiment().variant(wanted).orElseThrow();
    return new Assigned.ToVariant(
        state, phase, variant, phase.version(wanted), subject, -1, 1, true, "");
  }

  /**
   * Makes the checks in their order.
   *
   * @param subject that can be a unit; absent where there is none
   * @param heldOut whether a holdout has it
   */
  Assigned assign(Occasion occasion, @Nullable String subject, boolean heldOut) {
    Assigned.Reason closed = closed(occasion.now());
    if (closed != null) {
      return new Assigned.None(closed);
    }
    Experiment experiment = experiment();
    if (subject == null && experiment.unit() == UnitKind.SUBJECT) {
      return new Assigned.None(Assigned.Reason.NO_UNIT);
    }
    if (heldOut) {
      return new Assigned.None(Assigned.Reason.HOLDOUT);
    }
    if (!occasion.fits(experiment.targeting())) {
      return new Assigned.None(Assigned.Reason.TARGETING);
    }
    // The gate asks for the subject whatever is randomised behind it: otherwise two experiments
    // of one layer with different units could both have it.
    if (!inSlice(subject == null ? occasion.decisionId() : subject)) {
      return new Assigned.None(Assigned.Reason.OUTSIDE_SLICE);
    }
    return switch (experiment.unit()) {
      case SUBJECT -> toVariant(Objects.requireNonNull(subject));
      case REQUEST -> toVariant(occasion.decisionId());
      case BLOCK -> inBlock(occasion.now());
    };
  }

  /** Why it assigns nobody at this time; absent where it does. */
  Assigned.@Nullable Reason closed(Instant now) {
    return state.status() == Status.SHADOW ? Assigned.Reason.SHADOW : closedBesidesShadow(now);
  }

  Assigned.@Nullable Reason closedBesidesShadow(Instant now) {
    if (!state.status().live()) {
      return Assigned.Reason.NOT_RUNNING;
    }
    // Later phases begin when they are read: a clock that is behind must not take anybody out.
    boolean early = phase.number() == 1 && now.isBefore(phase.startedAt());
    if (early || experiment().startAt().filter(now::isBefore).isPresent()) {
      return Assigned.Reason.NOT_STARTED;
    }
    return experiment().endAt().filter(end -> !now.isBefore(end)).isPresent()
        ? Assigned.Reason.ENDED
        : null;
  }

  private boolean inSlice(String gated) {
    Slice slice = experiment().slice();
    return slice.size() == Bucket.COUNT || slice.holds(Bucket.of(experiment().layerSalt(), gated));
  }

  private Assigned.ToVariant toVariant(String unit) {
    Experiment experiment = experiment();
    int bucket = Bucket.of(experiment.salt(), unit);
    if (experiment.kind() == Kind.INTERLEAVING) {
      List<Variant> teams = experiment.variants();
      String versions =
          phase.version(teams.get(0).name()) + "+" + phase.version(teams.get(1).name());
      return new Assigned.ToVariant(
          state, phase, INTERLEAVED, versions, unit, bucket, 1, false, "");
    }
    Variant variant = experiment.variants().get(places.variantAt(bucket));
    return new Assigned.ToVariant(
        state,
        phase,
        variant,
        phase.version(variant.name()),
        unit,
        bucket,
        phase.share(variant.name()),
        false,
        "");
  }

  /** Blocks come in pairs that have each variant once; the pair's bucket says which one first. */
  private Assigned.ToVariant inBlock(Instant now) {
    Experiment experiment = experiment();
    long length = experiment.blockLength().toMillis();
    long block = Math.floorDiv(now.toEpochMilli(), length);
    int bucket = Bucket.of(experiment.salt(), "pair-" + Math.floorDiv(block, 2L));
    boolean controlFirst = bucket < Bucket.COUNT / 2;
    boolean first = Math.floorMod(block, 2L) == 0;
    Variant variant = experiment.variants().get(controlFirst == first ? 0 : 1);
    Instant start = Instant.ofEpochMilli(block * length);
    boolean washout = Duration.between(start, now).compareTo(experiment.washout()) < 0;
    return new Assigned.ToVariant(
        state,
        phase,
        variant,
        phase.version(variant.name()),
        start.toString(),
        bucket,
        phase.share(variant.name()),
        washout,
        start.toString());
  }
}
