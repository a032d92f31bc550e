package io.bellwether.serving.experiment;

import io.bellwether.ingestion.feature.Violation;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasConflictException;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.BrokenLogException;
import io.bellwether.policy.version.FrozenException;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.surface.Surfaces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * All experiments, and every way to move one. A move is checked against the latest state, appended
 * to the experiment's log, and acknowledged a lease later, when no replica can decide by the state
 * before any more. Calls wait for the disk and not for the lease. Thread-safe, and safe among
 * processes that share the store.
 *
 * <p>Refusals are {@link ProblemException}: {@code not-found}, {@code state-conflict} where the
 * state does not allow the move or somebody else moved first, and those of declarations.
 */
@Singleton
public final class Experiments {

  /** Of moves that only have to happen, whoever else moves; each loss is somebody's success. */
  private static final int MAX_TRIES = 20;

  private final ExperimentReader reader;
  private final Admission admission;
  private final PolicyStore policies;
  private final ExperimentFeed feed;
  private final ExperimentStore store;
  private final Clock clock;
  private final Duration lease;
  private final Executor afterLease;

  @Inject
  Experiments(
      Surfaces surfaces,
      PolicyStore policies,
      ExperimentFeed feed,
      Pseudonyms pseudonyms,
      ServingConfig config,
      Clock clock) {
    this(
        surfaces,
        policies,
        feed,
        clock,
        new Lease(
            config.experimentsLease(),
            CompletableFuture.delayedExecutor(
                config.experimentsLease().toNanos(), TimeUnit.NANOSECONDS)),
        new ExperimentReader(surfaces, pseudonyms));
  }

  /**
   * How long what was read may be used.
   *
   * @param after runs what it is given when that time is over
   */
  record Lease(Duration length, Executor after) {}

  Experiments(
      Surfaces surfaces, PolicyStore policies, ExperimentFeed feed, Clock clock, Lease lease) {
    this(surfaces, policies, feed, clock, lease, new ExperimentReader(surfaces));
  }

  private Experiments(
      Surfaces surfaces,
      PolicyStore policies,
      ExperimentFeed feed,
      Clock clock,
      Lease lease,
      ExperimentReader reader) {
    this.reader = reader;
    admission = new Admission(surfaces, policies);
    this.policies = policies;
    this.feed = feed;
    store = feed.store();
    this.clock = clock;
    this.lease = lease.length();
    afterLease = lease.after();
  }

  /** What this replica knows, and assigns by. */
  public Assignments assignments() {
    return feed.assignments();
  }

  /** Calls back after each change of what is known, on the thread that found it; be short. */
  public void onChange(Runnable listener) {
    feed.onChange(listener);
  }

  /** Where each experiment stands, in the order of their names, archived ones among them. */
  public Collection<ExperimentState> all() {
    return assignments().states();
  }

  /** Where an experiment stands; empty where there is none of this name. */
  public Optional<ExperimentState> find(String name) {
    return assignments().find(name);
  }

  /**
   * Where an experiment stands by its log, however young what is known is.
   *
   * @throws ProblemException 404 where there is none of this name
   */
  public ExperimentState require(String name) {
    return store
        .state(name)
        .orElseThrow(
            () -> ProblemException.of(Slug.NOT_FOUND, "No experiment is named '" + name + "'."));
  }

  /** All moves of an experiment, in their order; empty where there is none of this name. */
  public List<Move> history(String name) {
    return store.history(name);
  }

  /**
   * The experiment that a declaration makes, with all defaults filled in.
   *
   * @throws ProblemException with everything that is wrong in it
   */
  public Experiment validate(byte[] json) {
    feed.refresh();
    ExperimentReader.Draft draft = reader.read(json);
    admission.checkName(draft.experiment(), all(), draft.fields().violations());
    admission.check(draft.experiment(), all(), draft.fields().violations());
    draft.fields().check();
    return draft.experiment();
  }

  /**
   * What a start would refuse now, without starting.
   *
   * @throws ProblemException with everything that is in its way, or that is no longer to be started
   */
  public Experiment checkStart(String name) {
    ExperimentState state = require(name);
    state.require(MoveKind.START);
    feed.refresh();
    List<Violation> violations = new ArrayList<>();
    admission.check(state.declaration(), all(), violations);
    admission.checkEnd(state.declaration(), clock.instant(), violations);
    ProblemException.throwIfAny(violations);
    return state.declaration();
  }

  /** A new experiment, in the state DRAFT. */
  public CompletionStage<Move> create(byte[] json, By by) {
    return created(validate(json), by);
  }

  /** The same experiment under another name and so with another seed, in the state DRAFT. */
  public CompletionStage<Move> copy(String name, String newName, By by) {
    Experiment copied = require(name).declaration().cloned(newName);
    feed.refresh();
    List<Violation> violations = new ArrayList<>();
    if (!ExperimentStore.NAME.matcher(newName).matches()) {
      violations.add(
          new Violation(
              Slug.INVALID_REQUEST.text(),
              "#/name",
              "is '" + newName + "', must be " + ExperimentReader.NAME_WORDS));
    }
    admission.checkName(copied, all(), violations);
    admission.check(copied, all(), violations);
    ProblemException.throwIfAny(violations);
    return created(copied, by);
  }

  private CompletionStage<Move> created(Experiment experiment, By by) {
    return CompletableFuture.completedFuture(
        append(MoveKind.CREATE, by, ExperimentState.created(experiment)));
  }

  /** Replaces the declaration of a draft; it cannot take another name. */
  public CompletionStage<Move> edit(String name, byte[] json, By by) {
    ExperimentState state = seen(name, by);
    state.require(MoveKind.EDIT);
    feed.refresh();
    ExperimentReader.Draft draft = reader.read(json);
    if (!draft.experiment().name().equals(name)) {
      draft.fields().refuse("name", "is not '" + name + "'; clone it to give it another name");
    }
    admission.check(draft.experiment(), all(), draft.fields().violations());
    draft.fields().check();
    return CompletableFuture.completedFuture(
        append(MoveKind.EDIT, by, state.edited(draft.experiment())));
  }

  /**
   * Pins the versions and begins, a lease from now, when replicas have their versions open, or at
   * the declared time if that is later.
   */
  public CompletionStage<Move> start(String name, By by) {
    ExperimentState state = seen(name, by);
    checkStart(name);
    List<Violation> violations = new ArrayList<>();
    Map<String, String> versions = admission.pins(state.declaration(), violations);
    ProblemException.throwIfAny(violations);
    Instant soonest = clock.instant().plus(lease);
    Instant from = state.declaration().startAt().filter(soonest::isBefore).orElse(soonest);
    return acknowledged(append(MoveKind.START, by, state.started(versions, from)));
  }

  /** Goes to the plan's next step. */
  public CompletionStage<Move> advance(String name, By by) {
    return moved(name, MoveKind.ADVANCE, by, state -> state.advanced(clock.instant()));
  }

  /**
   * Goes to a share of the plan or beside it.
   *
   * @param percent of all treatments together, 0 to 100; 0 only scores them
   */
  public CompletionStage<Move> ramp(String name, double percent, By by) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new ProblemException(
          Problem.at(
              Slug.VALUE_OUT_OF_RANGE, "#/percent", "is " + percent + ", must be from 0 to 100"));
    }
    int share = (int) Math.round(percent * Bucket.COUNT / 100);
    return moved(name, MoveKind.RAMP, by, state -> state.ramped(share, clock.instant()));
  }

  /**
   * Moves a bandit's shares.
   *
   * @param shares basis points of every variant
   */
  public CompletionStage<Move> reallocate(String name, Map<String, Integer> shares, By by) {
    return moved(
        name, MoveKind.REALLOCATE, by, state -> state.reallocated(shares, clock.instant()));
  }

  /** Takes no step until it is resumed; everybody keeps the variant. */
  public CompletionStage<Move> pause(String name, By by) {
    ExperimentState state = seen(name, by);
    return CompletableFuture.completedFuture(append(MoveKind.PAUSE, by, state.paused(true)));
  }

  public CompletionStage<Move> resume(String name, By by) {
    ExperimentState state = seen(name, by);
    return CompletableFuture.completedFuture(append(MoveKind.RESUME, by, state.paused(false)));
  }

  /** Gives everybody the default policy again, because a treatment did harm. */
  public CompletionStage<Move> rollback(String name, By by) {
    return taken(name, MoveKind.ROLLBACK, by, state -> state.rolledBack(clock.instant(), by.why()));
  }

  /** Ends without a winner. */
  public CompletionStage<Move> stop(String name, By by) {
    return taken(name, MoveKind.STOP, by, state -> state.stopped(clock.instant(), by.why()));
  }

  /**
   * Stops all live experiments of a surface, whoever else is moving them.
   *
   * @throws RuntimeException where one cannot be stopped; the others are stopped all the same
   */
  public CompletionStage<List<Move>> stopAll(String surface, By by) {
    feed.look();
    List<Move> moves = new ArrayList<>();
    List<RuntimeException> failures = new ArrayList<>();
    for (ExperimentState state : all()) {
      if (state.declaration().surface().equals(surface)) {
        try {
          stopAnyhow(state.name(), by).ifPresent(moves::add);
        } catch (RuntimeException e) {
          failures.add(e);
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
    List<Move> stopped = List.copyOf(moves);
    return CompletableFuture.supplyAsync(() -> stopped, afterLease);
  }

  private Optional<Move> stopAnyhow(String name, By by) {
    By anyhow = new By(by.who(), by.why(), OptionalLong.empty(), by.evidence());
    for (int tried = 1; ; tried++) {
      ExperimentState state = require(name);
      if (!state.status().live()) {
        return Optional.empty();
      }
      try {
        ExperimentState stopped = state.stopped(clock.instant(), by.why());
        uncrown(state, by);
        return Optional.of(append(MoveKind.STOP, anyhow, stopped));
      } catch (ProblemException e) {
        if (tried == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  /**
   * Ends with a winner. Where that is a policy version, it becomes the surface's champion; the gate
   * of the policy store stays, and so does a champion that others have moved meanwhile.
   */
  public CompletionStage<Move> conclude(String name, String winner, By by) {
    ExperimentState state = seen(name, by);
    Instant now = clock.instant();
    if (state.declaration().variant(winner).isEmpty()) {
      throw new ProblemException(
          Problem.at(
              Slug.INVALID_REQUEST,
              "#/winner",
              "is '%s', must be one of the variants %s"
                  .formatted(
                      winner,
                      state.declaration().variants().stream().map(Variant::name).toList())));
    }
    ExperimentState shipped = state.shipped(winner, now, by.why());
    Optional<AliasMove> crowned = crown(shipped, winner, by);
    try {
      return acknowledged(append(MoveKind.CONCLUDE, by, shipped));
    } catch (ProblemException e) {
      // Somebody else ended it otherwise while the alias moved, and that stands.
      crowned.ifPresent(move -> uncrown(move, by));
      throw e;
    }
  }

  private Optional<AliasMove> crown(ExperimentState shipped, String winner, By by) {
    Experiment experiment = shipped.declaration();
    Variant variant = experiment.variant(winner).orElseThrow();
    String version = shipped.phase().map(phase -> phase.version(winner)).orElse(Arm.UNIFORM);
    if (!(variant.arm() instanceof Arm.Policy) || version.equals(Arm.UNIFORM)) {
      return Optional.empty();
    }
    VersionId winning = new VersionId(version);
    try {
      Optional<VersionId> champion = policies.alias(experiment.surface(), Alias.CHAMPION);
      if (champion.filter(winning::equals).isPresent()) {
        return Optional.empty(); // It is the control, or an earlier try got this far.
      }
      return Optional.of(
          policies.move(
              new MoveRequest(
                  experiment.surface(),
                  Alias.CHAMPION,
                  compared(shipped, champion).orElse(null),
                  winning,
                  by.who(),
                  crowning(experiment) + winner + ": " + by.why(),
                  experiment.override().orElse(null))));
    } catch (FrozenException | BrokenLogException e) {
      throw ProblemException.of(
          Slug.STATE_CONFLICT,
          "The winner of '%s' cannot become the champion now: %s"
              .formatted(experiment.name(), e.getMessage()));
    } catch (AliasConflictException e) {
      throw ProblemException.of(
          Slug.STATE_CONFLICT,
          "The winner of '%s' was not compared with the champion of today: %s"
              .formatted(experiment.name(), e.getMessage()));
    } catch (PromotionRefusedException e) {
      throw ProblemException.of(Slug.EVALUATION_NOT_PASSED, String.valueOf(e.getMessage()));
    }
  }

  /** The champion that the winner was compared with; today's where none of the variants was it. */
  private static Optional<VersionId> compared(
      ExperimentState shipped, Optional<VersionId> champion) {
    Variant control = shipped.declaration().control();
    if (!(control.arm() instanceof Arm.Policy policy)
        || !policy.reference().equals(Alias.CHAMPION.word())) {
      return champion;
    }
    return shipped
        .phase()
        .map(phase -> phase.version(control.name()))
        .filter(version -> !version.equals(Arm.UNIFORM))
        .map(VersionId::new);
  }

  /** How the reason of a move of the champion begins that an experiment makes. */
  private static String crowning(Experiment experiment) {
    return "experiment " + experiment.name() + ", variant ";
  }

  private void uncrown(AliasMove crowned, By by) {
    boolean latest =
        policies
            .latestMove(crowned.name(), Alias.CHAMPION)
            .filter(move -> move.sequence() == crowned.sequence())
            .isPresent();
    if (!latest) {
      return;
    }
    try {
      policies.rollback(
          crowned.name(), Alias.CHAMPION, by.who(), "the experiment did not end with this winner");
    } catch (AliasConflictException e) {
      // Somebody moved the champion on at the same moment, and that stands.
    }
  }

  /**
   * Takes a winner's crown back that a conclusion left behind which broke off before it was logged:
   * otherwise the default policy, which everybody is about to get, would be the treatment.
   */
  private void uncrown(ExperimentState unconcluded, By by) {
    Experiment experiment = unconcluded.declaration();
    policies
        .latestMove(experiment.surface(), Alias.CHAMPION)
        .filter(move -> !move.rollback() && move.why().startsWith(crowning(experiment)))
        .ifPresent(crowned -> uncrown(crowned, by));
  }

  /** Takes an experiment that is over out of sight, or gives a draft up. */
  public CompletionStage<Move> archive(String name, By by) {
    ExperimentState state = seen(name, by);
    return CompletableFuture.completedFuture(append(MoveKind.ARCHIVE, by, state.archived()));
  }

  private CompletionStage<Move> moved(
      String name, MoveKind kind, By by, UnaryOperator<ExperimentState> move) {
    return acknowledged(append(kind, by, move.apply(seen(name, by))));
  }

  /** Gives everybody the default policy, and that is none of this experiment's treatments. */
  private CompletionStage<Move> taken(
      String name, MoveKind kind, By by, UnaryOperator<ExperimentState> move) {
    ExperimentState state = seen(name, by);
    ExperimentState after = move.apply(state);
    Move made;
    try {
      uncrown(state, by);
    } finally {
      // Whatever the alias is like, nobody is exposed any more.
      made = append(kind, by, after);
    }
    return acknowledged(made);
  }

  private CompletionStage<Move> acknowledged(Move move) {
    return CompletableFuture.supplyAsync(() -> move, afterLease);
  }

  /** The latest state, if the mover has seen it. */
  private ExperimentState seen(String name, By by) {
    ExperimentState state = require(name);
    if (by.expected().isPresent() && by.expected().getAsLong() != state.sequence()) {
      throw ProblemException.of(
          Slug.STATE_CONFLICT,
          "Experiment '%s' is %s after move %d, and not as it was after move %d."
              .formatted(name, state.status(), state.sequence(), by.expected().getAsLong()));
    }
    return state;
  }

  private Move append(MoveKind kind, By by, ExperimentState after) {
    Move move =
        new Move(
            after.sequence(),
            after.name(),
            kind,
            by.who(),
            clock.instant(),
            by.why(),
            by.evidence(),
            after);
    store.append(move);
    // The move is made: a log that cannot be read must not make it look as if it were not.
    feed.look();
    return move;
  }
}
