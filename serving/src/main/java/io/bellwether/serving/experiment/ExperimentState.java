package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that is true of an experiment after its latest move, and what the next one would make of it.
 * A move that is not possible in this state is refused with {@code state-conflict}. Immutable.
 *
 * @param sequence of that move; whoever moves next must name it
 * @param declaration frozen when it started
 * @param status where it stands
 * @param paused whether no step is taken; assignment goes on
 * @param phases in order; empty before the start
 * @param step index in the plan; 0 before the start and without a plan
 * @param endedAt when it stopped, was rolled back or shipped
 * @param reason of that
 * @param winner the variant that was shipped
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record ExperimentState(
    long sequence,
    Experiment declaration,
    Status status,
    boolean paused,
    List<Phase> phases,
    int step,
    Optional<Instant> endedAt,
    Optional<String> reason,
    Optional<String> winner) {

  public ExperimentState {
    phases = List.copyOf(phases);
  }

  static ExperimentState created(Experiment declaration) {
    return new ExperimentState(
        1,
        declaration,
        Status.DRAFT,
        false,
        List.of(),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public String name() {
    return declaration.name();
  }

  /** The current or last phase; empty before the start. */
  @JsonIgnore
  public Optional<Phase> phase() {
    return phases.isEmpty() ? Optional.empty() : Optional.of(phases.get(phases.size() - 1));
  }

  /** The step of the plan that it is at; empty without a plan. */
  @JsonIgnore
  public Optional<Step> currentStep() {
    List<Step> plan = declaration.plan();
    return plan.isEmpty() ? Optional.empty() : Optional.of(plan.get(step));
  }

  /** Whether the plan has no further step. */
  @JsonIgnore
  public boolean lastStep() {
    return step >= declaration.plan().size() - 1;
  }

  ExperimentState edited(Experiment edited) {
    require(MoveKind.EDIT);
    return new ExperimentState(
        sequence + 1, edited, status, paused, phases, step, endedAt, reason, winner);
  }

  /**
   * @param versions what each variant is pinned to
   * @param from when assignment begins
   */
  ExperimentState started(Map<String, String> versions, Instant from) {
    require(MoveKind.START);
    boolean scoredOnly =
        declaration.kind() == Kind.SHADOW || currentStep().filter(Step::shadow).isPresent();
    Map<String, Integer> shares =
        currentStep()
            .map(first -> Places.shares(declaration, first.share()))
            .orElseGet(() -> Places.weights(declaration));
    return next(
        scoredOnly ? Status.SHADOW : Status.RUNNING,
        paused,
        List.of(new Phase(1, from, shares, versions)),
        0);
  }

  ExperimentState advanced(Instant now) {
    require(MoveKind.ADVANCE);
    requirePlan("advance");
    if (lastStep()) {
      throw conflict("is at the last step of its plan, which can be concluded or taken back");
    }
    return atShare(declaration.plan().get(step + 1).share(), step + 1, now);
  }

  /**
   * @param share of all treatments together, basis points
   */
  ExperimentState ramped(int share, Instant now) {
    require(MoveKind.RAMP);
    requirePlan("ramp");
    int reached = 0;
    List<Step> plan = declaration.plan();
    for (int i = 0; i < plan.size(); i++) {
      reached = plan.get(i).share() <= share ? i : reached;
    }
    return atShare(share, reached, now);
  }

  private ExperimentState atShare(int share, int atStep, Instant now) {
    return next(
        share == 0 ? Status.SHADOW : Status.RUNNING,
        paused,
        withPhase(Places.shares(declaration, share), now),
        atStep);
  }

  ExperimentState reallocated(Map<String, Integer> shares, Instant now) {
    require(MoveKind.REALLOCATE);
    if (declaration.kind() != Kind.BANDIT) {
      throw conflict("is no BANDIT, and only those move shares by themselves");
    }
    int sum = shares.values().stream().mapToInt(Integer::intValue).sum();
    List<String> names = declaration.variants().stream().map(Variant::name).toList();
    double least = declaration.floor() * Bucket.COUNT - 1; // A share is a whole number.
    boolean fits =
        sum == Bucket.COUNT
            && shares.keySet().equals(Set.copyOf(names))
            && shares.values().stream().allMatch(share -> share >= least);
    if (!fits) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "The shares %s must name %s, add up to %d and be at least %s of it each."
              .formatted(shares, names, Bucket.COUNT, declaration.floor()));
    }
    return next(status, paused, withPhase(shares, now), step);
  }

  ExperimentState paused(boolean pause) {
    require(pause ? MoveKind.PAUSE : MoveKind.RESUME);
    if (paused == pause) {
      throw conflict(pause ? "is paused already" : "is not paused");
    }
    return next(status, pause, phases, step);
  }

  ExperimentState rolledBack(Instant now, String why) {
    require(MoveKind.ROLLBACK);
    return ended(Status.ROLLED_BACK, now, why, winner);
  }

  ExperimentState stopped(Instant now, String why) {
    require(MoveKind.STOP);
    return ended(Status.STOPPED, now, why, winner);
  }

  ExperimentState shipped(String variant, Instant now, String why) {
    require(MoveKind.CONCLUDE);
    return ended(Status.SHIPPED, now, why, Optional.of(variant));
  }

  ExperimentState archived() {
    require(MoveKind.ARCHIVE);
    return next(Status.ARCHIVED, false, phases, step);
  }

  private ExperimentState ended(
      Status ended, Instant now, String why, Optional<String> shippedVariant) {
    return new ExperimentState(
        sequence + 1,
        declaration,
        ended,
        false,
        phases,
        step,
        Optional.of(now),
        Optional.of(why),
        shippedVariant);
  }

  private ExperimentState next(
      Status nextStatus, boolean nextPaused, List<Phase> nextPhases, int nextStep) {
    return new ExperimentState(
        sequence + 1,
        declaration,
        nextStatus,
        nextPaused,
        nextPhases,
        nextStep,
        endedAt,
        reason,
        winner);
  }

  /** The versions stay as they were pinned. */
  private List<Phase> withPhase(Map<String, Integer> shares, Instant now) {
    Phase last = phases.get(phases.size() - 1);
    List<Phase> longer = new ArrayList<>(phases);
    longer.add(new Phase(last.number() + 1, now, shares, last.versions()));
    return longer;
  }

  /** Refuses what is not possible in this state. */
  void require(MoveKind move) {
    if (!status.possible().contains(move)) {
      throw conflict("cannot " + word(move));
    }
  }

  private void requirePlan(String word) {
    if (declaration.plan().isEmpty()) {
      throw conflict(
          "cannot "
              + word
              + ": it has no plan, and with fixed shares units would change variants; clone it with"
              + " a plan");
    }
  }

  private ProblemException conflict(String problem) {
    List<String> possible =
        status.possible().isEmpty()
            ? List.of("nothing")
            : EnumSet.copyOf(status.possible()).stream().map(ExperimentState::word).toList();
    return ProblemException.of(
        Slug.STATE_CONFLICT,
        "Experiment '%s' is %s%s after move %d and %s. Possible is: %s."
            .formatted(
                name(),
                status,
                paused ? " (paused)" : "",
                sequence,
                problem,
                String.join(", ", possible)));
  }

  private static String word(MoveKind move) {
    return move.name().toLowerCase(Locale.ROOT);
  }
}
