package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that is true of an experiment after its latest move. Immutable.
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
}
