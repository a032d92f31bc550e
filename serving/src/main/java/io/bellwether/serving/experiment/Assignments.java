package io.bellwether.serving.experiment;

import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a replica knew of all experiments when it last read their logs, and the assignment by it. An
 * assignment is a few hashes and no I/O; the same unit gets the same variant wherever and whenever
 * it is asked for. Knowledge that is older than the lease assigns nobody. Immutable.
 *
 * <p>The checks, in their order; the first one that fails is the reason: the age of what is known,
 * overrides (which pass at once), state, time, unit, holdouts, targeting, the layer's slice.
 */
public final class Assignments {

  private static final OfSurface NOTHING = new OfSurface(List.of(), List.of(), List.of());

  private final SortedMap<String, ExperimentState> states;
  private final Map<String, OfSurface> surfaces;
  private final Map<String, Contender> flags;
  private final Set<String> unread;
  private final BooleanSupplier stale;

  /** The live experiments of one surface that choose policies, in the order of their names. */
  private record OfSurface(
      List<Contender> holdouts, List<Contender> experiments, List<Contender> scored) {}

  /**
   * @param unread the experiments whose logs could not be read: they assign nobody
   * @param stale whether this knowledge is too old by now
   */
  Assignments(Collection<ExperimentState> known, Set<String> unread, BooleanSupplier stale) {
    this.unread = Set.copyOf(unread);
    this.stale = stale;
    SortedMap<String, ExperimentState> byName = new TreeMap<>();
    known.forEach(state -> byName.put(state.name(), state));
    states = Collections.unmodifiableSortedMap(byName);
    flags = new HashMap<>();
    surfaces = new HashMap<>();
    for (ExperimentState state : states.values()) {
      Contender.of(state).ifPresent(this::add);
    }
  }

  private Assignments(Assignments same, BooleanSupplier stale) {
    this.stale = stale;
    unread = same.unread;
    states = same.states;
    surfaces = same.surfaces;
    flags = same.flags;
  }

  /** The same knowledge, found to be still true. */
  Assignments confirmed(BooleanSupplier staleFromNow) {
    return new Assignments(this, staleFromNow);
  }

  private void add(Contender contender) {
    Experiment experiment = contender.experiment();
    if (!experiment.choosesPolicy()) {
      flags.put(experiment.name(), contender);
      return;
    }
    if (!contender.state().status().live() || unread.contains(experiment.name())) {
      return;
    }
    OfSurface lists =
        surfaces.computeIfAbsent(
            experiment.surface(),
            name -> new OfSurface(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
    if (contender.state().status() == Status.SHADOW) {
      lists.scored().add(contender);
    }
    if (experiment.kind() == Kind.HOLDOUT) {
      lists.holdouts().add(contender);
    } else if (experiment.kind() != Kind.SHADOW) {
      lists.experiments().add(contender);
    }
  }

  /** Whether this is too old to assign by. */
  public boolean stale() {
    return stale.getAsBoolean();
  }

  /** Where each experiment stands, in the order of their names, archived ones among them. */
  public Collection<ExperimentState> states() {
    return states.values();
  }

  /** Where an experiment stands; empty where there is none of this name. */
  public Optional<ExperimentState> find(String name) {
    return Optional.ofNullable(states.get(name));
  }

  /** The variant that a decision comes from. */
  public Assigned assign(DeclaredSurface surface, Occasion occasion) {
    if (stale()) {
      return new Assigned.None(Assigned.Reason.STALE);
    }
    OfSurface live = surfaces.getOrDefault(surface.name(), NOTHING);
    Assigned.ToVariant forced = forced(live, occasion);
    if (forced != null) {
      return forced;
    }
    String subject = occasion.subjectUnit();
    Assigned.ToVariant group = holdoutGroup(live, occasion, subject);
    if (group != null && isHeldOut(group)) {
      return group;
    }
    Assigned.Reason furthest = Assigned.Reason.NO_EXPERIMENT;
    for (int i = 0; i < live.experiments().size(); i++) {
      Assigned assigned = live.experiments().get(i).assign(occasion, subject, false);
      if (assigned instanceof Assigned.ToVariant) {
        return assigned;
      }
      Assigned.Reason reason = ((Assigned.None) assigned).reason();
      furthest = reason.compareTo(furthest) > 0 ? reason : furthest;
    }
    return group != null ? group : new Assigned.None(furthest);
  }

  /**
   * The variant of a holdout with which those who are not held out are compared: a second exposure
   * of a decision that comes from another experiment, so that the held-out can be compared with
   * everybody else, experiments included. Empty where there is no holdout, or it has the subject.
   */
  public Optional<Assigned.ToVariant> comparison(DeclaredSurface surface, Occasion occasion) {
    if (stale()) {
      return Optional.empty();
    }
    OfSurface live = surfaces.getOrDefault(surface.name(), NOTHING);
    return Optional.ofNullable(holdoutGroup(live, occasion, occasion.subjectUnit()))
        .filter(group -> !isHeldOut(group));
  }

  /** What one experiment says, whatever others do; empty where there is none of this name. */
  public Optional<Assigned> explain(String experiment, Occasion occasion) {
    ExperimentState state = states.get(experiment);
    if (state == null) {
      return Optional.empty();
    }
    if (stale() || unread.contains(experiment)) {
      return Optional.of(new Assigned.None(Assigned.Reason.STALE));
    }
    return Optional.of(
        Contender.of(state)
            .map(contender -> alone(contender, occasion))
            .orElse(new Assigned.None(Assigned.Reason.NOT_RUNNING)));
  }

  private Assigned alone(Contender contender, Occasion occasion) {
    Assigned.ToVariant forced = contender.forced(occasion);
    if (forced != null) {
      return forced;
    }
    OfSurface live = surfaces.getOrDefault(contender.experiment().surface(), NOTHING);
    String subject = occasion.subjectUnit();
    boolean exempt = contender.experiment().kind() == Kind.HOLDOUT;
    Assigned.ToVariant group = exempt ? null : holdoutGroup(live, occasion, subject);
    return contender.assign(occasion, subject, group != null && isHeldOut(group));
  }

  /** The variants that are to be scored beside a decision and not shown. */
  public List<Shadow> shadows(DeclaredSurface surface, Occasion occasion) {
    OfSurface live = surfaces.getOrDefault(surface.name(), NOTHING);
    if (live.scored().isEmpty() || stale()) {
      return List.of();
    }
    List<Shadow> shadows = new ArrayList<>();
    for (Contender contender : live.scored()) {
      Experiment experiment = contender.experiment();
      if (contender.closedBesidesShadow(occasion.now()) == null
          && occasion.fits(experiment.targeting())) {
        addScored(shadows, contender, occasion.decisionId());
      }
    }
    return shadows;
  }

  private static void addScored(List<Shadow> shadows, Contender contender, String decisionId) {
    Experiment experiment = contender.experiment();
    boolean sampled = experiment.kind() == Kind.SHADOW;
    int bucket = sampled ? Bucket.of(experiment.salt(), decisionId) : 0;
    for (Variant variant : sampled ? experiment.variants() : experiment.treatments()) {
      if (!sampled || bucket < variant.weight()) {
        Phase phase = contender.phase();
        shadows.add(new Shadow(contender.state(), phase, variant, phase.version(variant.name())));
      }
    }
  }

  /** The experiments that answer as flags: those with payloads that were ever started. */
  public List<ExperimentState> flags() {
    return states.values().stream()
        .filter(state -> flags.containsKey(state.name()) && state.status() != Status.ARCHIVED)
        .toList();
  }

  /**
   * The answer of a flag; empty where no experiment of this name answers as one.
   *
   * @param key the experiment's name
   */
  public Optional<Flag> flag(String key, Occasion occasion) {
    Contender contender = flags.get(key);
    if (contender == null || contender.state().status() == Status.ARCHIVED) {
      return Optional.empty();
    }
    ExperimentState state = contender.state();
    Assigned assigned =
        stale() || unread.contains(key)
            ? new Assigned.None(Assigned.Reason.STALE)
            : alone(contender, occasion);
    Variant variant =
        assigned instanceof Assigned.ToVariant to
            ? to.variant()
            : state
                .winner()
                .flatMap(state.declaration()::variant)
                .orElse(state.declaration().control());
    return Optional.of(new Flag(state, variant, assigned));
  }

  /** The policy versions that live experiments of a surface may ask for. */
  public Set<String> versionsInUse(DeclaredSurface surface) {
    Set<String> versions = new LinkedHashSet<>();
    for (ExperimentState state : states.values()) {
      if (state.status().live() && state.declaration().surface().equals(surface.name())) {
        state.phase().ifPresent(phase -> addVersions(versions, state.declaration(), phase));
      }
    }
    return versions;
  }

  private static void addVersions(Set<String> versions, Experiment experiment, Phase phase) {
    for (Variant variant : experiment.variants()) {
      String version = phase.version(variant.name());
      if (variant.arm() instanceof Arm.Policy && !version.equals(Arm.UNIFORM)) {
        versions.add(version);
      }
    }
  }

  private static Assigned.@Nullable ToVariant forced(OfSurface live, Occasion occasion) {
    for (int i = 0; i < live.experiments().size(); i++) {
      Assigned.ToVariant forced = live.experiments().get(i).forced(occasion);
      if (forced != null) {
        return forced;
      }
    }
    for (int i = 0; i < live.holdouts().size(); i++) {
      Assigned.ToVariant forced = live.holdouts().get(i).forced(occasion);
      if (forced != null) {
        return forced;
      }
    }
    return null;
  }

  /** The first holdout that has the subject, else the first one that compares it; or neither. */
  private static Assigned.@Nullable ToVariant holdoutGroup(
      OfSurface live, Occasion occasion, @Nullable String subject) {
    Assigned.ToVariant compared = null;
    for (int i = 0; i < live.holdouts().size(); i++) {
      if (live.holdouts().get(i).assign(occasion, subject, false)
          instanceof Assigned.ToVariant to) {
        if (isHeldOut(to)) {
          return to;
        }
        compared = compared == null ? to : compared;
      }
    }
    return compared;
  }

  private static boolean isHeldOut(Assigned.ToVariant group) {
    return group.variant().equals(group.state().declaration().control());
  }
}
