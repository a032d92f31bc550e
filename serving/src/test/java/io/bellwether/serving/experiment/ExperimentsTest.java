package io.bellwether.serving.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.LinearPolicy;
import io.bellwether.serving.problem.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentsTest {

  private static final String ROLLOUT =
      "{'name':'exp-1','surface':'feed','variants':[{'name':'control'},"
          + "{'name':'treatment','policy':'challenger'}],'plan':[{'share':0},{'share':100},"
          + "{'share':5000},{'share':10000}]}";
  private static final String UNIFORM =
      "{'name':'exp-1','surface':'feed','variants':[{'name':'control'},"
          + "{'name':'treatment','policy':'uniform'}]";

  @TempDir Path folder;
  private Lab lab;
  private Experiments experiments;

  @BeforeEach
  void open() {
    lab = new Lab(folder);
    experiments = lab.experiments;
  }

  @Test
  void aRolloutGoesStepByStepToItsWinner() {
    VersionId champion = crown(1);
    VersionId challenger = challenge(2);
    lab.running(ROLLOUT);
    assertEquals(Status.SHADOW, state().status());
    assertEquals(new Assigned.None(Assigned.Reason.SHADOW), lab.assign("user-1"));
    Shadow shadow =
        experiments.assignments().shadows(lab.surface(), lab.occasion("a", "{}")).get(0);
    assertEquals(challenger.value(), shadow.version());
    assertEquals(
        Set.of(champion.value(), challenger.value()),
        experiments.assignments().versionsInUse(lab.surface()));
    done(experiments.advance("exp-1", Lab.by()));
    assertEquals(Status.RUNNING, state().status());
    assertEquals(Map.of("control", 9900, "treatment", 100), phase().shares());
    assertEquals(2, phase().number());
    done(experiments.advance("exp-1", Lab.by()));
    done(experiments.advance("exp-1", Lab.by()));
    assertEquals(Map.of("control", 0, "treatment", 10_000), phase().shares());
    refused("is at the last step", () -> experiments.advance("exp-1", Lab.by()));
    done(experiments.conclude("exp-1", "treatment", Lab.by()));
    assertEquals(Status.SHIPPED, state().status());
    assertEquals(Optional.of("treatment"), state().winner());
    assertEquals(Optional.of(challenger), lab.policies.alias("feed", Alias.CHAMPION));
    assertEquals(Set.of(), experiments.assignments().versionsInUse(lab.surface()));
    assertInstanceOf(Assigned.None.class, lab.assign("user-1"));
    done(experiments.archive("exp-1", Lab.by()));
    assertEquals(
        List.of(
            MoveKind.CREATE,
            MoveKind.START,
            MoveKind.ADVANCE,
            MoveKind.ADVANCE,
            MoveKind.ADVANCE,
            MoveKind.CONCLUDE,
            MoveKind.ARCHIVE),
        experiments.history("exp-1").stream().map(Move::kind).toList());
  }

  @Test
  void versionsStayAsTheyWerePinned() {
    VersionId champion = crown(1);
    VersionId challenger = challenge(2);
    lab.running(ROLLOUT);
    challenge(3);
    done(experiments.advance("exp-1", Lab.by()));
    assertEquals(
        Map.of("control", champion.value(), "treatment", challenger.value()), phase().versions());
  }

  @Test
  void aWinnerThatWasComparedWithAnotherChampionIsNotShipped() {
    crown(1);
    challenge(2);
    lab.running(ROLLOUT);
    done(experiments.ramp("exp-1", 50, Lab.by()));
    VersionId other = crown(3);
    refused(
        "was not compared with the champion of today",
        () -> experiments.conclude("exp-1", "treatment", Lab.by()));
    assertEquals(Optional.of(other), lab.policies.alias("feed", Alias.CHAMPION));
    assertEquals(Status.RUNNING, state().status());
  }

  @Test
  void aConclusionThatBrokeOffAfterTheAliasCanBeRepeated() {
    VersionId champion = crown(1);
    VersionId challenger = challenge(2);
    lab.running(ROLLOUT);
    done(experiments.ramp("exp-1", 50, Lab.by()));
    lab.policies.move(
        new MoveRequest("feed", Alias.CHAMPION, champion, challenger, "controller", "won", null));
    done(experiments.conclude("exp-1", "treatment", Lab.by()));
    assertEquals(Status.SHIPPED, state().status());
  }

  @Test
  void aRollbackTakesTheCrownBackThatABrokenConclusionLeft() {
    VersionId champion = crown(1);
    VersionId challenger = challenge(2);
    lab.running(ROLLOUT);
    done(experiments.ramp("exp-1", 50, Lab.by()));
    String why = "experiment exp-1, variant treatment: it is better";
    lab.policies.move(
        new MoveRequest("feed", Alias.CHAMPION, champion, challenger, "controller", why, null));
    done(experiments.rollback("exp-1", Lab.by()));
    assertEquals(Optional.of(champion), lab.policies.alias("feed", Alias.CHAMPION));
  }

  @Test
  void aRollbackLeavesAChampionThatOthersMade() {
    VersionId champion = crown(1);
    VersionId challenger = challenge(2);
    lab.running(ROLLOUT);
    lab.policies.move(
        new MoveRequest(
            "feed", Alias.CHAMPION, champion, challenger, "anna", "experiment exp-10 won", null));
    done(experiments.rollback("exp-1", Lab.by()));
    assertEquals(Optional.of(challenger), lab.policies.alias("feed", Alias.CHAMPION));
  }

  @Test
  void aLogThatCannotBeReadHoldsNoOtherUp() throws IOException {
    lab.running(UNIFORM + ",'slice':{'from':0,'to':5000}}");
    lab.running(UNIFORM.replace("exp-1", "exp-2") + ",'slice':{'from':5000,'to':10000}}");
    Files.writeString(folder.resolve("experiments/exp-1/00000003.json"), "{");
    assertThrows(UncheckedIOException.class, lab.feed::refresh);
    List<Assigned> assigned = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      assigned.add(lab.assign("user-" + i));
    }
    assertTrue(
        assigned.stream()
            .allMatch(
                a -> !(a instanceof Assigned.ToVariant to) || to.state().name().equals("exp-2")));
    assertTrue(assigned.stream().anyMatch(Assigned.ToVariant.class::isInstance));
    assertEquals(
        Optional.of(new Assigned.None(Assigned.Reason.STALE)),
        experiments.assignments().explain("exp-1", lab.occasion("user-1", "{}")));
    assertThrows(UncheckedIOException.class, () -> experiments.stopAll("feed", Lab.by()));
    assertEquals(Status.STOPPED, experiments.require("exp-2").status());
  }

  @Test
  void aStoreThatIsGoneAssignsNobody() throws IOException {
    lab.running(UNIFORM + "}");
    Files.move(folder.resolve("experiments"), folder.resolve("elsewhere"));
    assertThrows(IllegalStateException.class, lab.feed::refresh);
    assertInstanceOf(Assigned.None.class, lab.assign("user-1"));
    Files.move(folder.resolve("elsewhere"), folder.resolve("experiments"));
    lab.feed.refresh();
    assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
  }

  @Test
  void aMoveThatIsMadeIsToldWhateverAnotherLogIsLike() throws IOException {
    lab.running(UNIFORM + ",'slice':{'from':0,'to':5000}}");
    lab.running(UNIFORM.replace("exp-1", "exp-2") + ",'slice':{'from':5000,'to':10000}}");
    Files.writeString(folder.resolve("experiments/exp-1/00000003.json"), "{");
    Move move = done(experiments.rollback("exp-2", Lab.by()));
    assertEquals(Status.ROLLED_BACK, move.after().status());
    assertThrows(
        UncheckedIOException.class,
        () -> experiments.create(Lab.bytes(UNIFORM.replace("exp-1", "exp-3") + "}"), Lab.by()),
        "it may hold what the new one wants");
  }

  @Test
  void aPhaseBeginsAtTheDeclaredStart() {
    lab.running(UNIFORM + ",'startAt':'2026-12-01T08:00:00Z'}");
    assertEquals(Instant.parse("2026-12-01T08:00:00Z"), phase().startedAt());
    assertEquals(new Assigned.None(Assigned.Reason.NOT_STARTED), lab.assign("user-1"));
    lab.pass(Duration.ofDays(1));
    assertInstanceOf(Assigned.ToVariant.class, lab.assign("user-1"));
  }

  @Test
  void whatWouldBeOverIsNotStarted() {
    lab.created(UNIFORM + ",'endAt':'2026-11-30T13:00:00Z'}");
    lab.pass(Duration.ofHours(1));
    refusedAt("#/endAt", () -> experiments.start("exp-1", Lab.by()));
    assertEquals(Status.DRAFT, state().status());
  }

  @Test
  void aVersionIsNotComparedWithItself() {
    VersionId version = crown(1);
    lab.policies.move(
        new MoveRequest("feed", Alias.CHALLENGER, null, version, "test", "a test", null));
    ProblemException refused =
        refusedAt("#/variants/1/policy", () -> experiments.create(Lab.bytes(ROLLOUT), Lab.by()));
    assertTrue(
        refused
            .problem()
            .detail()
            .contains("version " + version + " like 'champion' of variant 'control'"),
        refused::getMessage);
    done(experiments.create(Lab.bytes(ROLLOUT.replace("challenger", "champion")), Lab.by()));
  }

  @Test
  void controlCanWin() {
    VersionId champion = crown(1);
    challenge(2);
    lab.running(ROLLOUT);
    done(experiments.ramp("exp-1", 50, Lab.by()));
    done(experiments.conclude("exp-1", "control", Lab.by()));
    assertEquals(Optional.of(champion), lab.policies.alias("feed", Alias.CHAMPION));
    refusedAt("#/winner", () -> experiments.conclude("exp-1", "nobody", Lab.by()));
  }

  @Test
  void aRollbackGivesEverybodyTheDefaultAgainForGood() {
    lab.running(UNIFORM + "}");
    Move move = done(experiments.rollback("exp-1", By.of("controller", "harm")));
    assertEquals(Status.ROLLED_BACK, move.after().status());
    assertEquals(Optional.of("harm"), move.after().reason());
    assertEquals(new Assigned.None(Assigned.Reason.NO_EXPERIMENT), lab.assign("user-1"));
    ProblemException refused = refused("cannot start", () -> experiments.start("exp-1", Lab.by()));
    assertTrue(
        refused.problem().detail().contains("is ROLLED_BACK after move 3"), refused::getMessage);
    assertTrue(refused.problem().detail().contains("Possible is: archive."), refused::getMessage);
  }

  @Test
  void aMoveIsAcknowledgedWhenTheLeaseIsOver() {
    List<Runnable> waiting = new ArrayList<>();
    Experiments slow =
        new Experiments(
            lab.surfaces,
            lab.policies,
            lab.feed,
            Clock.systemUTC(),
            new Experiments.Lease(Lab.LEASE, waiting::add));
    lab.running(UNIFORM + "}");
    CompletableFuture<Move> rollback = slow.rollback("exp-1", Lab.by()).toCompletableFuture();
    assertFalse(rollback.isDone());
    assertEquals(Status.ROLLED_BACK, state().status());
    waiting.forEach(Runnable::run);
    assertEquals(MoveKind.ROLLBACK, rollback.join().kind());
  }

  @Test
  void anotherReplicaSeesAMoveAtItsNextLookOrAssignsNobody() {
    lab.running(UNIFORM + "}");
    Lab other = new Lab(folder);
    other.pass(Lab.LEASE);
    assertInstanceOf(Assigned.ToVariant.class, other.assign("user-1"));
    done(experiments.rollback("exp-1", Lab.by()));
    other.nanos.addAndGet(Lab.LEASE.toNanos() + 1);
    assertEquals(new Assigned.None(Assigned.Reason.STALE), other.assign("user-1"));
    other.feed.refresh();
    assertEquals(new Assigned.None(Assigned.Reason.NO_EXPERIMENT), other.assign("user-1"));
  }

  @Test
  void everythingIsThereAfterARestart() {
    crown(1);
    challenge(2);
    lab.running(ROLLOUT);
    done(experiments.ramp("exp-1", 20, By.of("anna", "go on")));
    done(experiments.pause("exp-1", Lab.by()));
    Lab restarted = new Lab(folder);
    assertEquals(List.copyOf(experiments.all()), List.copyOf(restarted.experiments.all()));
    assertEquals(experiments.history("exp-1"), restarted.experiments.history("exp-1"));
    restarted.pass(Lab.LEASE);
    for (int i = 0; i < 1000; i++) {
      Assigned.ToVariant before = (Assigned.ToVariant) lab.assign("user-" + i);
      Assigned.ToVariant after = (Assigned.ToVariant) restarted.assign("user-" + i);
      assertEquals(before, after);
    }
  }

  @Test
  void whoPausesKeepsTheControllerFromMoving() {
    lab.running(ROLLOUT.replace("challenger", "uniform"));
    ExperimentState seen = state();
    done(experiments.pause("exp-1", Lab.by()));
    refused(
        "and not as it was after move 2",
        () ->
            experiments.advance(
                "exp-1",
                By.seeing(seen, "controller", "all pass", JsonNodeFactory.instance.objectNode())));
    refused("is paused already", () -> experiments.pause("exp-1", Lab.by()));
    assertTrue(state().paused());
    done(experiments.resume("exp-1", Lab.by()));
    assertFalse(state().paused());
  }

  @Test
  void ofManyMoversExactlyOneMakesEachMove() throws InterruptedException, ExecutionException {
    lab.running(ROLLOUT.replace("challenger", "uniform"));
    int movers = 8;
    AtomicInteger won = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(movers);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int mover = 0; mover < movers; mover++) {
        Experiments replica = new Lab(folder).experiments;
        String who = "mover-" + mover;
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    won.addAndGet(toggled(replica, who) ? 1 : 0);
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    List<Move> history = experiments.history("exp-1");
    assertEquals(2 + won.get(), history.size());
    for (int i = 0; i < history.size(); i++) {
      assertEquals(i + 1, history.get(i).sequence());
      assertEquals(i >= 2 && i % 2 == 0, history.get(i).after().paused());
    }
  }

  private static boolean toggled(Experiments replica, String who) {
    try {
      ExperimentState state = replica.require("exp-1");
      By by = By.seeing(state, who, "toggle", JsonNodeFactory.instance.objectNode());
      done(state.paused() ? replica.resume("exp-1", by) : replica.pause("exp-1", by));
      return true;
    } catch (ProblemException e) {
      return false;
    }
  }

  @Test
  void allLiveExperimentsOfASurfaceCanBeStoppedAtOnce() {
    lab.running(UNIFORM + ",'slice':{'from':0,'to':5000}}");
    lab.running(UNIFORM.replace("exp-1", "exp-2") + ",'slice':{'from':5000,'to':10000}}");
    lab.running(UNIFORM.replace("exp-1", "exp-3").replace("'feed'", "'search'") + "}");
    lab.running(
        "{'name':'cta','surface':'feed','variants':[{'name':'a','payload':1},{'name':'b','payload':2}]}");
    List<Move> moves = done(experiments.stopAll("feed", By.of("anna", "the feed is broken")));
    assertEquals(3, moves.size());
    assertEquals(new Assigned.None(Assigned.Reason.NO_EXPERIMENT), lab.assign("user-1"));
    assertEquals(Status.RUNNING, experiments.require("exp-3").status());
    assertEquals(List.of(), done(experiments.stopAll("feed", Lab.by())));
  }

  @Test
  void sharesThatWouldMoveUnitsBetweenVariantsAreNotRamped() {
    lab.running(UNIFORM + "}");
    refused("clone it with a plan", () -> experiments.ramp("exp-1", 10, Lab.by()));
    refusedAt("#/percent", () -> experiments.ramp("exp-1", 101, Lab.by()));
    refused("is no BANDIT", () -> experiments.reallocate("exp-1", Map.of(), Lab.by()));
  }

  @Test
  void aBanditsSharesMoveAboveTheirFloor() {
    lab.running(UNIFORM + ",'kind':'BANDIT','floor':0.1}");
    done(experiments.reallocate("exp-1", Map.of("control", 1000, "treatment", 9000), Lab.by()));
    assertEquals(0.9, phase().share("treatment"));
    assertThrows(
        ProblemException.class,
        () -> experiments.reallocate("exp-1", Map.of("control", 900, "treatment", 9100), Lab.by()));
  }

  @Test
  void onlyADraftCanBeEdited() {
    lab.created(UNIFORM + "}");
    done(experiments.edit("exp-1", Lab.bytes(UNIFORM + ",'owner':'bo'}"), Lab.by()));
    assertEquals("bo", state().declaration().owner());
    refusedAt(
        "#/name",
        () ->
            experiments.edit(
                "exp-1", Lab.bytes(UNIFORM.replace("exp-1", "exp-9") + "}"), Lab.by()));
    done(experiments.start("exp-1", Lab.by()));
    refused("cannot edit", () -> experiments.edit("exp-1", Lab.bytes(UNIFORM + "}"), Lab.by()));
  }

  @Test
  void aNameIsNeverUsedTwice() {
    lab.created(UNIFORM + "}");
    refusedAt("#/name", () -> experiments.create(Lab.bytes(UNIFORM + "}"), Lab.by()));
    done(experiments.archive("exp-1", Lab.by()));
    ProblemException refused =
        refusedAt("#/name", () -> experiments.create(Lab.bytes(UNIFORM + "}"), Lab.by()));
    assertTrue(
        refused
            .problem()
            .detail()
            .contains("the name of an experiment on 'feed' already (ARCHIVED)"),
        refused::getMessage);
  }

  @Test
  void slicesOfOneLayerAreDisjoint() {
    lab.created(UNIFORM + ",'slice':{'from':0,'to':6000}}");
    String other = UNIFORM.replace("exp-1", "exp-2");
    ProblemException refused =
        refusedAt(
            "#/slice",
            () ->
                experiments.create(
                    Lab.bytes(other + ",'slice':{'from':4000,'to':10000}}"), Lab.by()));
    assertTrue(
        refused
            .problem()
            .detail()
            .contains(
                "of 'exp-2' is [4000, 10000) and overlaps 'exp-1' [0, 6000) in layer 'feed';"
                    + " together they want 12000 of the layer's 10000; free is [6000, 10000)"),
        refused::getMessage);
    done(experiments.create(Lab.bytes(other + ",'slice':{'from':6000,'to':10000}}"), Lab.by()));
  }

  @Test
  void experimentsThatChooseThePolicyOfASurfaceAreInOneLayer() {
    lab.created(UNIFORM + ",'slice':{'from':0,'to':6000}}");
    String other = UNIFORM.replace("exp-1", "exp-2");
    refusedAt("#/layer", () -> experiments.create(Lab.bytes(other + ",'layer':'x'}"), Lab.by()));
    done(
        experiments.create(
            Lab.bytes(
                "{'name':'cta','surface':'feed','variants':[{'name':'a','payload':1},"
                    + "{'name':'b','payload':2}]}"),
            Lab.by()));
  }

  @Test
  void twoThatWereDeclaredAtOnceDoNotBothStart() {
    lab.created(UNIFORM + "}");
    Experiment second =
        experiments.validate(
            Lab.bytes(UNIFORM.replace("exp-1", "exp-2").replace("'feed'", "'search'") + "}"));
    Experiment inTheWay =
        ExperimentStore.mapper()
            .convertValue(
                ((ObjectNode) ExperimentStore.mapper().valueToTree(second))
                    .put("surface", "feed")
                    .put("layer", "feed"),
                Experiment.class);
    lab.store.append(
        new Move(
            1,
            "exp-2",
            MoveKind.CREATE,
            "bo",
            lab.now(),
            "at the same moment",
            Optional.empty(),
            ExperimentState.created(inTheWay)));
    refusedAt("#/slice", () -> experiments.checkStart("exp-1"));
    refusedAt("#/slice", () -> experiments.start("exp-1", Lab.by()));
    refusedAt("#/slice", () -> experiments.start("exp-2", Lab.by()));
    done(experiments.archive("exp-2", Lab.by()));
    done(experiments.start("exp-1", Lab.by()));
  }

  @Test
  void saltsAreNotShared() {
    lab.created(UNIFORM + ",'slice':{'from':0,'to':6000}}");
    refusedAt(
        "#/salt",
        () ->
            experiments.create(
                Lab.bytes(
                    UNIFORM.replace("exp-1", "exp-2")
                        + ",'salt':'exp-1','slice':{'from':6000,'to':10000}}"),
                Lab.by()));
    refusedAt(
        "#/salt",
        () ->
            experiments.create(
                Lab.bytes(
                    UNIFORM.replace("exp-1", "exp-2").replace("'feed'", "'search'")
                        + ",'salt':'layer.search'}"),
                Lab.by()));
  }

  @Test
  void aCopyIsSeededAnew() {
    lab.running(UNIFORM + "}");
    refusedAt("#/slice", () -> experiments.copy("exp-1", "exp-2", Lab.by()));
    done(experiments.stop("exp-1", Lab.by()));
    Experiment copy = done(experiments.copy("exp-1", "exp-2", Lab.by())).after().declaration();
    assertEquals("exp-2", copy.salt());
    assertEquals(experiments.require("exp-1").declaration().variants(), copy.variants());
    refusedAt("#/name", () -> experiments.copy("exp-1", "a/b", Lab.by()));
  }

  @Test
  void unknownVersionsAreRefused() {
    ProblemException refused =
        refusedAt("#/variants/1/policy", () -> experiments.create(Lab.bytes(ROLLOUT), Lab.by()));
    assertTrue(
        refused
            .problem()
            .detail()
            .contains("is 'challenger', which names no version of 'feed'; it has none"),
        refused::getMessage);
    VersionId others = publish("search", 1);
    publish("feed", 2);
    refused =
        refusedAt(
            "#/variants/1/policy",
            () ->
                experiments.create(
                    Lab.bytes(ROLLOUT.replace("challenger", others.value())), Lab.by()));
    assertTrue(refused.problem().detail().contains("the latest are v"), refused::getMessage);
  }

  @Test
  void versionsThatDidNotPassAreShownOnlyWithAReason() {
    VersionId failed = publish("feed", 1);
    lab.policies.attach(
        failed,
        EvidenceKind.VERDICT,
        "{\"verdict\":\"fail\"}".getBytes(StandardCharsets.UTF_8),
        "gate");
    String declaration = ROLLOUT.replace("challenger", failed.value());
    ProblemException refused =
        refusedAt(
            "#/variants/1/policy", () -> experiments.create(Lab.bytes(declaration), Lab.by()));
    assertEquals(422, refused.problem().status());
    assertTrue(refused.problem().detail().contains("whose gate says fail"), refused::getMessage);
    done(
        experiments.create(
            Lab.bytes(declaration.replace("'plan'", "'override':'planted','plan'")), Lab.by()));
    done(
        experiments.create(
            Lab.bytes(
                "{'name':'dark','surface':'feed','kind':'SHADOW','variants':[{'name':'s','policy':'"
                    + failed.value()
                    + "'}]}"),
            Lab.by()));
  }

  @Test
  void surfacesMustBeDeclared() {
    ProblemException unknown =
        refusedAt(
            "#/surface",
            () -> experiments.create(Lab.bytes(UNIFORM.replace("'feed'", "'x'") + "}"), Lab.by()));
    assertTrue(
        unknown
            .problem()
            .detail()
            .contains("is 'x', which is not declared; declared are feed, search"),
        unknown::getMessage);
    lab.created(UNIFORM + "}");
    Experiments later = new Lab(folder, "search").experiments;
    ProblemException retired =
        refusedAt(
            "#/surface",
            () -> later.create(Lab.bytes(UNIFORM.replace("exp-1", "exp-2") + "}"), Lab.by()));
    assertTrue(retired.problem().detail().contains("is retired"), retired::getMessage);
    refusedAt("#/surface", () -> later.start("exp-1", Lab.by()));
  }

  @Test
  void whatDoesNotExistCannotBeMoved() {
    ProblemException refused =
        assertThrows(ProblemException.class, () -> experiments.start("nobody", Lab.by()));
    assertEquals(404, refused.problem().status());
    assertThrows(ProblemException.class, () -> experiments.start("../etc", Lab.by()));
    assertEquals(List.of(), experiments.history("../etc"));
  }

  @Test
  void listenersHearOfChangesAndOfNothingElse() {
    AtomicInteger calls = new AtomicInteger();
    experiments.onChange(calls::incrementAndGet);
    lab.feed.refresh();
    assertEquals(0, calls.get());
    lab.created(UNIFORM + "}");
    lab.pass(Duration.ofSeconds(1));
    assertEquals(1, calls.get());
  }

  private ExperimentState state() {
    return experiments.find("exp-1").orElseThrow();
  }

  private Phase phase() {
    return state().phase().orElseThrow();
  }

  private VersionId publish(String surface, float weight) {
    var layout = lab.surfaces.require(surface).layout();
    FeatureSchema schema =
        new FeatureSchema(
            layout.digest(),
            layout.contextWidth(),
            layout.historyLength(),
            layout.historyWidth(),
            layout.itemWidth(),
            List.of());
    float[] weights = new float[layout.itemWidth()];
    weights[0] = weight;
    return LinearPolicy.publish(lab.policies, surface, schema, weights);
  }

  private VersionId crown(float weight) {
    VersionId version = publish("feed", weight);
    LinearPolicy.crown(lab.policies, "feed", version);
    return version;
  }

  private VersionId challenge(float weight) {
    VersionId version = publish("feed", weight);
    lab.policies.move(
        new MoveRequest(
            "feed",
            Alias.CHALLENGER,
            lab.policies.alias("feed", Alias.CHALLENGER).orElse(null),
            version,
            "test",
            "a test",
            null));
    return version;
  }

  private static <T> T done(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static ProblemException refused(String detail, Supplier<?> move) {
    ProblemException refused = assertThrows(ProblemException.class, move::get);
    assertEquals("urn:bellwether:problem:state-conflict", refused.problem().type());
    assertTrue(refused.problem().detail().contains(detail), refused::getMessage);
    return refused;
  }

  private static ProblemException refusedAt(String pointer, Supplier<?> move) {
    ProblemException refused = assertThrows(ProblemException.class, move::get);
    assertEquals(pointer, refused.problem().errors().get(0).pointer(), refused::getMessage);
    return refused;
  }
}
