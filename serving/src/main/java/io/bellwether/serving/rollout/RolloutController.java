package io.bellwether.serving.rollout;

import io.bellwether.evaluation.experiment.RolloutRule;
import io.bellwether.evaluation.experiment.Tick;
import io.bellwether.evaluation.experiment.TickMemory;
import io.bellwether.evaluation.experiment.Verdict;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Kind;
import io.bellwether.serving.experiment.Move;
import io.bellwether.serving.experiment.Status;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.ProblemMapper;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.rollout.Readings.Read;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every running experiment once a tick and does what the {@link RolloutRule} says: the
 * next step, nothing, back to the control, or the end with a winner.
 *
 * <p>Every replica judges, so that every one can say what holds a rollout; only the leader moves.
 * What it moves it appends after the state that it judged, with the numbers as evidence: if
 * somebody else moved first, the move is refused and the next tick judges anew. Whoever begins to
 * lead has seen no harm yet. Until all numbers of the past are read it only judges, so that
 * everyone sees what is waited for. Owns its thread. Thread-safe.
 */
@Singleton
public final class RolloutController {

  private static final Logger LOG = Logger.getLogger(RolloutController.class);

  /** Who moved, in an experiment's history. */
  static final String WHO = "controller";

  /** A longer reason is cut: the evidence has all of it. */
  private static final int MAX_REASON_CHARS = 500;

  private static final int MAX_TOLD = 1000;

  private static final Set<Kind> JUDGED =
      Set.of(Kind.AB, Kind.BANDIT, Kind.SHADOW, Kind.INTERLEAVING, Kind.SWITCHBACK);

  private final Experiments experiments;
  private final Readings readings;
  private final RolloutMeters meters;
  private final BooleanSupplier caughtUp;
  private final BooleanSupplier leads;
  private final Duration every;
  private final ConcurrentMap<String, Judged> judged = new ConcurrentHashMap<>();

  /** By experiment, the state whose move was refused last. */
  private final ConcurrentMap<String, Long> conflicts = new ConcurrentHashMap<>();

  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "rollout-controller");
            made.setDaemon(true);
            return made;
          });
  private boolean led;
  private boolean settled;

  @Inject
  RolloutController(
      Experiments experiments,
      Readings readings,
      RolloutMeters meters,
      NumbersFeed feed,
      Leadership leadership,
      ServingConfig config) {
    this(experiments, readings, meters, feed::caughtUp, leadership::leads, config.rolloutTick());
  }

  /**
   * @param caughtUp whether all numbers that were written before the start are known
   * @param leads whether this is the replica that moves
   */
  RolloutController(
      Experiments experiments,
      Readings readings,
      RolloutMeters meters,
      BooleanSupplier caughtUp,
      BooleanSupplier leads,
      Duration every) {
    this.experiments = experiments;
    this.readings = readings;
    this.meters = meters;
    this.caughtUp = caughtUp;
    this.leads = leads;
    this.every = every;
  }

  /**
   * How an experiment was judged.
   *
   * @param before what looks at other numbers than these had left behind
   * @param after what the next look at other numbers will be told
   */
  private record Judged(
      ExperimentState state, Read read, TickMemory before, TickMemory after, Verdict verdict) {

    /** Nobody is taken out of a holdout, or out of an apprenticeship, by numbers. */
    boolean isActedOn() {
      return JUDGED.contains(state.declaration().kind());
    }

    /** What a look at these numbers is to be told. */
    TickMemory memoryFor(Read next) {
      return next.content() == read.content() ? before : after;
    }
  }

  void start(@Observes StartupEvent event) {
    var unused =
        thread.scheduleWithFixedDelay(
            this::guardedTick, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
  }

  void stop(@Observes ShutdownEvent event) {
    thread.shutdown();
  }

  /**
   * The latest verdict on an experiment whose verdicts are acted on; empty for others and before
   * the first.
   */
  Optional<Verdict> verdict(String experiment) {
    return Optional.ofNullable(judged.get(experiment))
        .filter(Judged::isActedOn)
        .map(Judged::verdict);
  }

  /** What earlier looks at an experiment left behind. */
  TickMemory memory(String experiment) {
    Judged latest = judged.get(experiment);
    return latest == null ? TickMemory.START : latest.after();
  }

  /** Nothing may end the thread: rollouts would stand still and nobody would take them back. */
  private void guardedTick() {
    try {
      tick();
    } catch (RuntimeException | Error e) {
      told("all experiments", e);
    }
  }

  /** One look at everything that runs. */
  void tick() {
    boolean leader = leads.getAsBoolean();
    boolean allRead = caughtUp.getAsBoolean();
    if ((leader && !led) || (allRead && !settled)) {
      judged.clear();
    }
    led = leader;
    settled = allRead;
    meters.ticked(leader);
    List<ExperimentState> running =
        experiments.all().stream().filter(state -> state.status().live()).toList();
    judged.keySet().retainAll(running.stream().map(ExperimentState::name).toList());
    conflicts.keySet().retainAll(judged.keySet());
    running.forEach(this::look);
    meters.ages(ages());
  }

  private void look(ExperimentState state) {
    try {
      Judged now = judge(state);
      Judged earlier = judged.put(state.name(), now);
      // Asked again: looking at all that came before may have taken long.
      if (settled && leads.getAsBoolean()) {
        tell(earlier, now);
        act(now);
      }
    } catch (RuntimeException e) {
      failed(state, e);
    }
  }

  private Judged judge(ExperimentState state) {
    Judged latest = judged.get(state.name());
    Read read = readings.read(state, latest == null ? TickMemory.START : latest.after());
    TickMemory before = latest == null ? TickMemory.START : latest.memoryFor(read);
    Tick tick = RolloutRule.decide(DeclaredPlan.situation(state), read.reading(), before);
    return new Judged(state, read, before, tick.memory(), tick.verdict());
  }

  private void act(Judged now) {
    ExperimentState state = now.state();
    if (state.declaration().endAt().filter(end -> !end.isAfter(now.read().at())).isPresent()) {
      moved(now, "stop", experiments.stop(state.name(), by(now, "its planned end has come")));
      return;
    }
    if (!now.isActedOn()) {
      return;
    }
    Verdict verdict = now.verdict();
    String why = why(verdict);
    if (verdict instanceof Verdict.RollBack) {
      moved(now, "rollback", experiments.rollback(state.name(), by(now, why)));
    } else if (verdict instanceof Verdict.Advance) {
      moved(now, "advance", experiments.advance(state.name(), by(now, why)));
    } else if (verdict instanceof Verdict.Complete) {
      String winner = winner(now);
      moved(now, "conclude", experiments.conclude(state.name(), winner, by(now, why)));
    } else if (isDue(now)) {
      reallocate(now);
    }
  }

  /** Shares that follow the results move once per declared period, and only on good numbers. */
  private static boolean isDue(Judged now) {
    ExperimentState state = now.state();
    return state.declaration().kind() == Kind.BANDIT
        && state.status() == Status.RUNNING
        && !state.paused()
        && state.phases().size() < BanditShares.MAX_PHASES
        && BanditShares.usable(now.read().reading())
        && state
            .phase()
            .filter(
                phase ->
                    !phase.startedAt().plus(state.declaration().every()).isAfter(now.read().at()))
            .isPresent();
  }

  private void reallocate(Judged now) {
    ExperimentState state = now.state();
    Optional<Map<String, Integer>> shares = BanditShares.of(state, now.read().reading());
    if (shares.isPresent()) {
      By by = by(now, "shares follow the chance of being best");
      moved(now, "reallocate", experiments.reallocate(state.name(), shares.get(), by));
    }
  }

  private static By by(Judged now, String why) {
    return By.seeing(
        now.state(),
        WHO,
        why,
        Results.of(
            now.state(),
            now.read(),
            Optional.of(now.verdict()),
            ReadingJson.ReadOut.of(now.state().declaration().analysis().method())));
  }

  private void moved(Judged now, String kind, CompletionStage<Move> move) {
    meters.moved(kind);
    LOG.infof("%s: %s (%s)", now.state().name(), kind, why(now.verdict()));
    var unused =
        move.exceptionally(
            failure -> {
              failed(now.state(), ProblemMapper.unwrapped(failure));
              return null;
            });
  }

  /** The treatment, or of several the one that is ahead on the first primary metric. */
  private static String winner(Judged now) {
    List<String> treatments = DeclaredPlan.treatments(now.state().declaration());
    return BanditShares.ahead(now.state().declaration(), now.read().reading())
        .orElse(treatments.get(0));
  }

  private static String why(Verdict verdict) {
    String words =
        verdict.reasons().stream().map(Verdict.Reason::words).collect(Collectors.joining(" "));
    return words.length() <= MAX_REASON_CHARS
        ? words
        : words.substring(0, MAX_REASON_CHARS) + "...";
  }

  /** Counts each verdict, and logs it where it is another than the one before. */
  private void tell(@Nullable Judged earlier, Judged now) {
    if (!now.isActedOn()) {
      return;
    }
    meters.verdict(Results.word(now.verdict()));
    if (earlier == null || !kind(earlier.verdict()).equals(kind(now.verdict()))) {
      LOG.infof("%s: %s (%s)", now.state().name(), Results.word(now.verdict()), why(now.verdict()));
    }
  }

  private static List<String> kind(Verdict verdict) {
    return Stream.concat(
            Stream.of(verdict.word()),
            verdict.reasons().stream().map(reason -> reason.code() + "/" + reason.subject()))
        .toList();
  }

  private Map<String, Duration> ages() {
    Map<String, Duration> ages = new HashMap<>();
    judged.forEach((name, each) -> each.read().age().ifPresent(age -> ages.put(name, age)));
    return ages;
  }

  /**
   * Somebody else moved first: the ordinary end of a race, after which there is another state. What
   * is refused twice in the same one, such as a winner of a policy that is frozen, stands still.
   */
  private void failed(ExperimentState state, Throwable failure) {
    if (failure instanceof ProblemException refusal
        && refusal.problem().status() == Slug.STATE_CONFLICT.status()) {
      Long before = conflicts.put(state.name(), state.sequence());
      if (before == null || before != state.sequence()) {
        LOG.debugf("%s: %s", state.name(), refusal.getMessage());
        return;
      }
    }
    told(state.name(), failure);
  }

  /** Counts it, and says it once a kind. */
  private void told(String experiment, Throwable failure) {
    String kind =
        failure instanceof ProblemException ? "refused" : failure.getClass().getSimpleName();
    meters.failed(kind);
    if (told.size() >= MAX_TOLD) {
      told.clear(); // Twice is better than a heap full of what was said.
    }
    if (told.add(experiment + "/" + kind + "/" + failure.getMessage())) {
      LOG.errorf(failure, "%s cannot be judged or moved; rollouts go on", experiment);
    }
  }
}
