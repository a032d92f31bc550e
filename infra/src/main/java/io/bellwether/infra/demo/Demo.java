package io.bellwether.infra.demo;

import io.bellwether.infra.demo.DemoResult.Interval;
import io.bellwether.infra.demo.DemoResult.Joined;
import io.bellwether.infra.demo.DemoResult.Live;
import io.bellwether.infra.demo.DemoResult.Memory;
import io.bellwether.infra.demo.DemoResult.Replayed;
import io.bellwether.infra.demo.DemoResult.Seconds;
import io.bellwether.infra.demo.DemoResult.Sent;
import io.bellwether.infra.demo.DemoResult.Values;
import io.bellwether.infra.demo.DemoResult.Versions;
import io.bellwether.infra.local.LocalStore;
import io.bellwether.infra.local.LocalSystem;
import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.surface.Constraint;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.loadtest.benchmark.ServedPolicy;
import io.bellwether.loadtest.load.TrafficReport;
import io.bellwether.loadtest.load.UndeliveredException;
import io.bellwether.loadtest.people.Estimate;
import io.bellwether.loadtest.people.LinearPolicy;
import io.bellwether.loadtest.people.PolicyValue;
import io.bellwether.loadtest.people.Profile;
import io.bellwether.loadtest.people.ShortVideoWorld;
import io.bellwether.loadtest.people.Signal;
import io.bellwether.loadtest.people.TrueValue;
import io.bellwether.policy.redis.RedisAliasIndex;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.Gate;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.job.Baseline;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.job.TrainingRequest;
import io.bellwether.trainer.replay.Replay;
import io.bellwether.trainer.replay.ReplayResult;
import io.bellwether.trainer.report.EvidenceFiling;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The loop, closed once: a product with its own ranking gets simulated people, a policy learns from
 * what they did, is judged, promoted and served, and every decision is drawn again from its log.
 *
 * <p>One object makes one run. {@link #stop} may be called from any thread.
 */
public final class Demo {

  /** Sessions of the simulator that no log and no training ever sees. */
  private static final int TEST_SESSIONS = 3000;

  private static final int SESSIONS_PER_BATCH = 250;

  /** The last window, the session gap, disorder and a checkpoint, several times over. */
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(120);

  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration FOR_EVER = Duration.ofDays(100);
  private static final String WHO = "demo";

  private final LocalSystem system;
  private final DemoPlan plan;
  private final Instant start;
  private final Clock clock;
  private final Consumer<String> progress;
  private final Path data;
  private final Surface surface;
  private final ShortVideoWorld world = ShortVideoWorld.of(Profile.KUAIRAND);
  private final Traffic traffic;
  private final DemoMemory memory;

  /**
   * @param system that runs already
   * @param start when the command began
   * @param progress takes a line per step
   */
  public Demo(
      LocalSystem system, DemoPlan plan, Instant start, Clock clock, Consumer<String> progress)
      throws IOException, InvalidSurfaceException {
    this.system = system;
    this.plan = plan;
    this.start = start;
    this.clock = clock;
    this.progress = progress;
    this.data = system.settings().data();
    this.surface =
        new SurfaceReader().read(system.settings().surfaces().resolve("short-video.yaml"));
    this.memory = DemoMemory.next(data);
    this.traffic = new Traffic(world, system.url(), memory, clock, progress);
  }

  /** Runs to the end, or until {@link #stop}; the result of a run that was stopped is partial. */
  public DemoResult run() throws IOException, InterruptedException, UndeliveredException {
    try (PeakMemory peak = new PeakMemory();
        RedisAliasIndex aliases = new RedisAliasIndex(system.platform().redis(), REDIS_TIMEOUT);
        JoinedTally tally = new JoinedTally(system.platform().kafka(), this::isOurs)) {
      PolicyStore store = LocalStore.open(data, clock, move -> aliases.record(move));
      VersionId logging = startWithOwnRanking(store);
      traffic.first();
      progress.accept("The first decision was answered; metrics at " + system.url() + "/q/metrics");
      progress.accept(
          "Up to %d people come, for about %d s"
              .formatted(plan.people(), plan.logged().toSeconds()));
      TrafficReport before = traffic.send(plan.logged(), plan.fewest(), plan.people());
      awaitJoined(tally);

      VersionId cloned = train(store, logging, TrainingMethod.BEHAVIOUR_CLONING);
      VersionId learned = train(store, logging, TrainingMethod.CONSTRAINED);
      if (isPromoted(gate(store), learned)) {
        progress.accept("See " + system.url() + "/v1/policies");
      }
      progress.accept("People come for " + plan.live().toSeconds() + " s more");
      TrafficReport after = traffic.send(plan.live(), 0, plan.people());
      progress.accept(
          String.format(
              Locale.ROOT,
              "  they watched %.2f s per decision; before the promotion it was %.2f s",
              watched(after),
              watched(before)));
      awaitJoined(tally);

      Replayed replayed = replay(store);
      progress.accept("Measuring the true values, which only a simulation can know");
      PolicyValue loggingValue = value(store, logging);
      PolicyValue learnedValue = value(store, learned);
      return new DemoResult(
          memory.run(),
          new Sent(traffic.decisions(), traffic.outcomes()),
          new Joined(
              tally.transitions(),
              tally.outcomes(),
              tally.sameRevisionTwice(),
              tally.deadLetters()),
          values(loggingValue, value(store, cloned), learnedValue),
          promises(loggingValue, learnedValue),
          store.verdict(learned).orElseThrow().word(),
          new Versions(logging.toString(), cloned.toString(), learned.toString()),
          new Live(watched(before), watched(after)),
          replayed,
          new Memory(peak.mebibytes()),
          new Seconds(
              traffic.secondsToFirst(start).orElseThrow(),
              Duration.between(start, clock.instant()).toMillis() / 1e3));
    }
  }

  /** Sends people until {@link #stop}. */
  public void goOn() throws InterruptedException, UndeliveredException {
    progress.accept("People keep coming to " + system.url() + "; Ctrl-C stops everything");
    traffic.send(FOR_EVER, 0, Long.MAX_VALUE);
  }

  /** Sends no more people. */
  public void stop() {
    traffic.stop();
  }

  private boolean isOurs(String decisionId) {
    return decisionId.endsWith("-r" + memory.name());
  }

  private VersionId startWithOwnRanking(PolicyStore store) {
    Optional<VersionId> champion = store.alias(surface.name(), Alias.CHAMPION);
    if (champion.isPresent()) {
      progress.accept("Going on with " + champion.get() + ", the champion on this data");
      return champion.get();
    }
    VersionId ranking = new Baseline(clock, CodeVersion.current()).publish(surface, store).id();
    store.move(
        new MoveRequest(
            surface.name(),
            Alias.CHAMPION,
            null,
            ranking,
            WHO,
            "the product's own ranking",
            "it is what the product did before Bellwether"));
    progress.accept("The product's own ranking serves as " + ranking);
    return ranking;
  }

  private Gate gate(PolicyStore store) {
    return new Gate(
        store,
        new OfflineEvaluation(
            clock,
            CodeVersion.current(),
            data.resolve("evaluations"),
            Runtime.getRuntime().availableProcessors(),
            line -> progress.accept("  " + line)),
        new EvidenceFiling(store, WHO),
        WHO);
  }

  private void awaitJoined(JoinedTally tally) throws InterruptedException {
    progress.accept("Waiting until the last windows have closed and everything is joined");
    Instant deadline = clock.instant().plus(JOIN_TIMEOUT);
    while (!isJoined(tally) && clock.instant().isBefore(deadline)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      tally.poll();
    }
    progress.accept(
        String.format(
            Locale.ROOT,
            "  joined %d of %d decisions and %d of %d outcomes",
            tally.transitions(),
            traffic.decisions(),
            tally.outcomes(),
            traffic.outcomes()));
  }

  private boolean isJoined(JoinedTally tally) {
    return tally.transitions() >= traffic.decisions() && tally.outcomes() >= traffic.outcomes();
  }

  private VersionId train(PolicyStore store, VersionId parent, TrainingMethod method)
      throws IOException {
    progress.accept("Training: " + method.word());
    TrainingRequest request =
        TrainingRequest.of(surface, archive(), method, data.resolve("runs").resolve(method.word()))
            .withSeed(plan.seed())
            .withEpochs(plan.epochs())
            .withParallelism(2)
            .withHeldOutShare(plan.heldOutShare())
            .withParent(parent);
    return new Training(store, clock, CodeVersion.current(), line -> progress.accept("  " + line))
        .run(request)
        .id();
  }

  private boolean isPromoted(Gate gate, VersionId learned) throws IOException {
    progress.accept("Judging " + learned + " on the people whom it has not seen");
    EvaluationRecord record =
        gate.judge(
            learned,
            EvaluationRequest.of(surface, archive())
                .withSubjects(Subjects.heldOut(plan.heldOutShare()))
                .withModelSteps(plan.modelSteps())
                .withApprover(WHO)
                .withSeed(plan.seed()));
    record.report().gate().reasons().forEach(reason -> progress.accept("  " + reason));
    if (gate.propose(learned).isEmpty()) {
      progress.accept("The verdict is no pass: the champion stays");
      return false;
    }
    gate.promote(learned, Alias.CHAMPION, "passed its gate", null);
    progress.accept("Promoted " + learned + "; serving swaps it in without a pause");
    return true;
  }

  private ArchiveSource archive() {
    return new ArchiveSource(data.resolve("archive"), surface.name());
  }

  private Replayed replay(PolicyStore store) throws IOException {
    progress.accept("Drawing every decision again from its log");
    try (Replay replay = new Replay(version -> open(store, version));
        TransitionArchive.Transitions transitions =
            new TransitionArchive(data.resolve("archive")).read(surface.name())) {
      transitions.forEachRemaining(replay::add);
      ReplayResult result = replay.result();
      progress.accept(
          String.format(
              Locale.ROOT,
              "  %d of %d equal; scores of %d recomputed, %d within 1e-5, %d to the bit",
              result.equal(),
              result.checked(),
              result.rescored(),
              result.scoresWithin(),
              result.scoresBitEqual()));
      return new Replayed(result.checked(), result.equal());
    }
  }

  private Optional<Scorer> open(PolicyStore store, String version) {
    return store.versions(surface.name()).stream()
        .filter(each -> each.id().toString().equals(version))
        .findFirst()
        .map(each -> store.open(each.id()));
  }

  private PolicyValue value(PolicyStore store, VersionId version) throws InterruptedException {
    try (Scorer scorer = store.open(version)) {
      return trueValue()
          .of(
              new ServedPolicy(surface, world.catalogue(), scorer),
              0,
              TEST_SESSIONS,
              surface.objective().discount());
    }
  }

  private TrueValue trueValue() {
    return new TrueValue(world, Runtime.getRuntime().availableProcessors(), SESSIONS_PER_BATCH);
  }

  private Values values(PolicyValue logging, PolicyValue cloned, PolicyValue learned)
      throws InterruptedException {
    PolicyValue uniform =
        trueValue()
            .of(
                LinearPolicy.uniform(world.catalogue()),
                0,
                TEST_SESSIONS,
                surface.objective().discount());
    return new Values(
        objective(uniform), objective(logging), objective(cloned), objective(learned));
  }

  private Interval objective(PolicyValue value) {
    return Interval.of(value.discounted(signal(surface.objective().signal())));
  }

  private List<DemoResult.Promise> promises(PolicyValue logging, PolicyValue learned) {
    List<DemoResult.Promise> promises = new ArrayList<>();
    for (Constraint constraint : surface.constraints()) {
      Signal signal = signal(constraint.signal());
      double bound =
          constraint.bound() * (constraint.relative() ? logging.perDecision(signal).mean() : 1);
      Estimate value = learned.perDecision(signal);
      promises.add(
          new DemoResult.Promise(
              constraint.signal(),
              constraint.words(),
              bound,
              value.mean(),
              value.low(),
              value.high()));
    }
    return promises;
  }

  private static Signal signal(String name) {
    return Signal.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static double watched(TrafficReport report) {
    return report.watchSeconds() / report.decisions();
  }
}
