package io.bellwether.policy.version;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.GraphMismatchException;
import io.bellwether.policy.scoring.PolicyGraphs;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyStoreTest {

  private static final String FEED = "home-feed";
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-30T09:00:00Z"), ZoneOffset.UTC);

  @TempDir Path root;
  private PolicyStore store;

  @BeforeEach
  void openStore() {
    store = new PolicyStore(root, CLOCK);
  }

  @Test
  void aPublishedVersionComesBackWholeInAnotherProcess() {
    PolicyManifest draft = Drafts.manifest(FEED, 1);
    PolicyVersion version = store.publish(draft, Drafts.files(1));
    PolicyStore other = new PolicyStore(root, CLOCK);
    PolicyManifest manifest = other.manifest(version.id());
    assertEquals(draft, manifest.withFiles(List.of()));
    assertEquals(
        List.of("MODEL_CARD.md", "model.onnx"),
        manifest.files().stream().map(PolicyFile::path).toList());
    assertArrayEquals(
        Drafts.files(1).get(PolicyManifest.GRAPH), other.file(version.id(), PolicyManifest.GRAPH));
    assertEquals(List.of(version), other.versions(FEED));
    assertEquals(List.of(FEED), other.names());
    try (Scorer scorer = other.open(version.id())) {
      assertEquals(PolicyGraphs.SCHEMA, scorer.schema());
    }
  }

  @Test
  void theIdIsTheHeadOfTheHashOfTheManifest() {
    PolicyVersion version = store.publish(Drafts.manifest(FEED, 1), Drafts.files(1));
    assertEquals("v" + version.manifest().sha256().substring(0, 12), version.id().value());
    assertArrayEquals(
        store.manifest(version.id()).canonicalBytes(),
        PolicyManifest.fromBytes(store.manifest(version.id()).canonicalBytes()).canonicalBytes());
  }

  @Test
  void publishingTheSameAgainChangesNothing() {
    VersionId first = Drafts.publish(store, FEED, 1);
    VersionId second = Drafts.publish(store, FEED, 2);
    assertEquals(first, Drafts.publish(store, FEED, 1));
    assertNotEquals(first, second);
    assertEquals(
        List.of(first, second), store.versions(FEED).stream().map(PolicyVersion::id).toList());
  }

  @Test
  void theSamePolicyPublishedByManyThreadsIsListedOnce() throws Exception {
    inParallel(8, i -> Drafts.publish(new PolicyStore(root, CLOCK), FEED, i % 2));
    assertEquals(2, store.versions(FEED).size());
  }

  @Test
  void aGraphThatDoesNotFitIsNotPublished() {
    PolicyManifest draft = Drafts.manifest(FEED, 1);
    byte[] other = PolicyGraphs.graph(new FeatureSchema("f00d", 5, 3, 4, 9, List.of("a")), 1);
    GraphMismatchException e =
        assertThrows(
            GraphMismatchException.class,
            () -> store.publish(draft, Map.of(PolicyManifest.GRAPH, other)));
    assertTrue(
        e.toString().contains("items: expected float [any, 6], found float [any, 9]"),
        e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> store.publish(draft, Map.of()));
    FeatureSchema renamed = new FeatureSchema("0ff", 5, 3, 4, 6, PolicyGraphs.SCHEMA.signals());
    byte[] stale = PolicyGraphs.graph(renamed, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> store.publish(draft, Map.of(PolicyManifest.GRAPH, stale)));
    assertEquals(List.of(), store.versions(FEED));
  }

  @Test
  void aDamagedVersionIsRefusedAndOthersStay() throws IOException {
    VersionId damaged = Drafts.publish(store, FEED, 1);
    VersionId whole = Drafts.publish(store, FEED, 2);
    PolicyFile graph = store.manifest(damaged).files().get(1);
    Path file =
        root.resolve("objects").resolve(graph.sha256().substring(0, 2)).resolve(graph.sha256());
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length * 4 / 5));
    assertThrows(CorruptObjectException.class, () -> store.open(damaged));
    store.open(whole).close();
  }

  @Test
  void evidenceIsAddedInOrderAndLeavesTheIdAlone() {
    VersionId id = Drafts.publish(store, FEED, 1);
    byte[] report = "{\"value\":1}".getBytes(UTF_8);
    store.attach(id, EvidenceKind.REPORT, report, "evaluation");
    store.attach(id, EvidenceKind.VERDICT, verdict("fail"), "gate");
    assertEquals(Optional.of(GateVerdict.FAIL), store.verdict(id));
    store.attach(id, EvidenceKind.VERDICT, verdict("pass"), "gate");
    List<Evidence> evidence = new PolicyStore(root, CLOCK).evidence(id);
    assertEquals(List.of(1L, 2L, 3L), evidence.stream().map(Evidence::sequence).toList());
    assertArrayEquals(report, store.content(evidence.get(0)));
    assertEquals(Optional.of(GateVerdict.PASS), store.verdict(id));
    assertEquals(id, Drafts.publish(store, FEED, 1));
  }

  @Test
  void aPassWithWarningsNeedsSomebodyWhoApprovesThem() {
    VersionId id = Drafts.publish(store, FEED, 1);
    store.attach(
        id,
        EvidenceKind.VERDICT,
        "{\"verdict\":\"pass\",\"approval\":\"NEEDED\"}".getBytes(UTF_8),
        "gate");
    assertTrue(store.awaitsApproval(id));
    PromotionRefusedException refusal =
        assertThrows(PromotionRefusedException.class, () -> move(Alias.CHAMPION, null, id, null));
    assertTrue(refusal.toString().contains("approves its warnings"), refusal.toString());
    store.attach(
        id,
        EvidenceKind.VERDICT,
        "{\"verdict\":\"pass\",\"approval\":\"GIVEN\",\"approver\":\"ann\"}".getBytes(UTF_8),
        "gate");
    assertFalse(store.awaitsApproval(id));
    move(Alias.CHAMPION, null, id, null);
  }

  @Test
  void aVerdictInOtherWordsIsRefused() {
    VersionId id = Drafts.publish(store, FEED, 1);
    for (String bad :
        List.of("{\"verdict\":\"PASS\"}", "pass", "", "{}", "[]", "{\"verdict\":1}")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> store.attach(id, EvidenceKind.VERDICT, bad.getBytes(UTF_8), "gate"));
    }
    assertEquals(List.of(), store.evidence(id));
  }

  @Test
  void nothingIsPromotedWithoutPassOrOverride() {
    VersionId id = Drafts.publish(store, FEED, 1);
    for (Alias alias : List.of(Alias.CHALLENGER, Alias.CHAMPION)) {
      assertThrows(PromotionRefusedException.class, () -> move(alias, null, id, null));
    }
    store.attach(id, EvidenceKind.VERDICT, verdict("not-enough-evidence"), "gate");
    assertThrows(PromotionRefusedException.class, () -> move(Alias.CHAMPION, null, id, null));
    move(Alias.SHADOW, null, id, null);
    move(Alias.CHAMPION, null, id, "the first policy of all");
    Evidence override = store.evidence(id).get(1);
    assertEquals(EvidenceKind.OVERRIDE, override.kind());
    assertEquals(
        "{\"alias\":\"champion\",\"reason\":\"the first policy of all\"}",
        new String(store.content(override), UTF_8));
  }

  @Test
  void aVerdictThatTurnedToFailNoLongerPromotes() {
    VersionId id = Drafts.publishPassed(store, FEED, 1);
    store.attach(id, EvidenceKind.VERDICT, verdict("fail"), "gate");
    assertThrows(PromotionRefusedException.class, () -> move(Alias.CHAMPION, null, id, null));
  }

  @Test
  void aMoveFromAnotherVersionThanExpectedIsRefused() {
    VersionId first = Drafts.publishPassed(store, FEED, 1);
    VersionId second = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, null, first, null);
    AliasConflictException e =
        assertThrows(AliasConflictException.class, () -> move(Alias.CHAMPION, null, second, null));
    assertEquals(
        "the champion of home-feed was expected to be none, found " + first, e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> move(Alias.CHAMPION, first, first, null));
    assertEquals(Optional.of(first), store.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void aVersionOfAnotherPolicyIsRefused() {
    VersionId push = Drafts.publishPassed(store, "push", 1);
    assertThrows(UnknownVersionException.class, () -> move(Alias.CHAMPION, null, push, null));
    VersionId unknown = new VersionId("v000000000000");
    assertThrows(UnknownVersionException.class, () -> store.manifest(unknown));
  }

  @Test
  void rollbackTakesMovesBackOneByOne() {
    VersionId first = Drafts.publishPassed(store, FEED, 1);
    VersionId second = Drafts.publishPassed(store, FEED, 2);
    VersionId third = Drafts.publishPassed(store, FEED, 3);
    move(Alias.CHAMPION, null, first, null);
    move(Alias.CHAMPION, first, second, null);
    move(Alias.CHAMPION, second, third, null);
    store.attach(second, EvidenceKind.VERDICT, verdict("fail"), "gate");
    assertEquals(second, rollback().to());
    assertEquals(first, rollback().to());
    move(Alias.CHAMPION, first, third, null);
    assertEquals(first, rollback().to());
    assertEquals(Optional.empty(), rollback().version());
    assertThrows(AliasConflictException.class, this::rollback);
    List<AliasMove> history = store.history(FEED, Alias.CHAMPION);
    assertEquals(8, history.size());
    for (int i = 1; i < history.size(); i++) {
      assertEquals(history.get(i - 1).to(), history.get(i).from());
      assertEquals(i + 1, history.get(i).sequence());
    }
  }

  @Test
  void statesFollowEvidenceAndAliases() {
    VersionId id = Drafts.publish(store, FEED, 1);
    assertEquals(VersionState.CANDIDATE, store.state(id));
    store.attach(id, EvidenceKind.VERDICT, verdict("pass"), "gate");
    assertEquals(VersionState.GATED, store.state(id));
    move(Alias.SHADOW, null, id, null);
    assertEquals(VersionState.GATED, store.state(id));
    move(Alias.CHALLENGER, null, id, null);
    assertEquals(VersionState.CHALLENGER, store.state(id));
    move(Alias.CHAMPION, null, id, null);
    move(Alias.CHALLENGER, id, null, null);
    assertEquals(VersionState.CHAMPION, store.state(id));
    move(Alias.CHAMPION, id, Drafts.publishPassed(store, FEED, 2), null);
    assertEquals(VersionState.RETIRED, store.state(id));
  }

  @Test
  void orderFollowsNumbersWhenTheClockStepsBack() {
    VersionId first = Drafts.publishPassed(store, FEED, 1);
    move(Alias.CHAMPION, null, first, null);
    store = new PolicyStore(root, Clock.offset(CLOCK, Duration.ofHours(-1)));
    VersionId second = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, first, second, null);
    assertEquals(
        List.of(first, second), store.versions(FEED).stream().map(PolicyVersion::id).toList());
    assertEquals(Optional.of(second), store.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void ofEightMoversOneWins() throws Exception {
    VersionId start = Drafts.publishPassed(store, FEED, 100);
    move(Alias.CHAMPION, null, start, null);
    List<VersionId> versions = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      versions.add(Drafts.publishPassed(store, FEED, i));
    }
    CountDownLatch go = new CountDownLatch(8);
    List<Optional<AliasMove>> moves =
        inParallel(
            8,
            i -> {
              PolicyStore own = new PolicyStore(root, CLOCK);
              own.version(start);
              go.countDown();
              go.await();
              try {
                return Optional.of(own.move(request(Alias.CHAMPION, start, versions.get(i), null)));
              } catch (AliasConflictException e) {
                return Optional.<AliasMove>empty();
              }
            });
    List<AliasMove> won = moves.stream().flatMap(Optional::stream).toList();
    assertEquals(1, won.size());
    assertEquals(won.get(0).version(), store.alias(FEED, Alias.CHAMPION));
    assertEquals(2, store.history(FEED, Alias.CHAMPION).size());
  }

  @Test
  void readersSeeExactlyOneVersionWhileAnAliasMoves() throws Exception {
    VersionId one = Drafts.publishPassed(store, FEED, 1);
    VersionId two = Drafts.publishPassed(store, FEED, 2);
    move(Alias.CHAMPION, null, one, null);
    int moves = 200;
    AtomicBoolean done = new AtomicBoolean();
    List<Long> reads =
        inParallel(
            9,
            i -> {
              if (i == 0) {
                for (int n = 0; n < moves; n++) {
                  move(Alias.CHAMPION, n % 2 == 0 ? one : two, n % 2 == 0 ? two : one, null);
                }
                done.set(true);
                return 0L;
              }
              PolicyStore own = new PolicyStore(root, CLOCK);
              long latest = 0;
              while (!done.get()) {
                AliasMove seen = own.latestMove(FEED, Alias.CHAMPION).orElseThrow();
                assertTrue(seen.sequence() >= latest, "an older value after a newer one");
                assertEquals(seen.sequence() % 2 == 1 ? one : two, seen.to());
                latest = seen.sequence();
              }
              return latest;
            });
    assertEquals(9, reads.size());
    assertEquals(moves + 1, store.history(FEED, Alias.CHAMPION).size());
  }

  @Test
  void aMoveThatNobodyOwnsOrExplainsIsRefused() {
    VersionId id = Drafts.publishPassed(store, FEED, 1);
    MoveRequest nobody = new MoveRequest(FEED, Alias.CHAMPION, null, id, " ", "test", null);
    assertThrows(IllegalArgumentException.class, () -> store.move(nobody));
    move(Alias.CHAMPION, null, id, null);
    assertThrows(
        IllegalArgumentException.class, () -> store.rollback(FEED, Alias.CHAMPION, "operator", ""));
    assertEquals(1, store.history(FEED, Alias.CHAMPION).size());
  }

  @Test
  void aFailedAnnouncementLeavesTheMove() {
    store =
        new PolicyStore(
            root,
            CLOCK,
            move -> {
              throw new IllegalStateException("nobody listens");
            });
    VersionId id = Drafts.publishPassed(store, FEED, 1);
    move(Alias.CHAMPION, null, id, null);
    assertEquals(Optional.of(id), store.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void filesThatOthersLeaveAmongTheFoldersAreNoPolicies() throws IOException {
    VersionId id = Drafts.publishPassed(store, FEED, 1);
    Files.createFile(root.resolve("versions").resolve(".DS_Store"));

    assertEquals(List.of(FEED), store.names());
    assertEquals(id, new PolicyStore(root, CLOCK).version(id).id());
  }

  @Test
  void namesThatWouldLeaveTheFolderAreRefused() {
    for (String name : List.of("", "..", "../x", "a/b", ".hidden", "a b")) {
      assertThrows(IllegalArgumentException.class, () -> store.versions(name));
      assertThrows(IllegalArgumentException.class, () -> store.alias(name, Alias.CHAMPION));
      assertThrows(
          IllegalArgumentException.class, () -> new PolicyFile(name + "/", "0".repeat(64), 1));
    }
  }

  @Test
  void aStoreWithAKeySignsWhatItPublishesAndOnce() {
    SigningKey key = SigningKey.generate();
    PolicyStore signing = new PolicyStore(root, CLOCK, move -> {}, key);
    VersionId id = Drafts.publish(signing, FEED, 1);
    assertEquals(id, Drafts.publish(signing, FEED, 1));
    assertEquals(
        List.of(EvidenceKind.SIGNATURE), store.evidence(id).stream().map(Evidence::kind).toList());
    assertEquals(new Vouched.By(key.id()), store.vouched(id, TrustedKeys.of(key)));
    assertInstanceOf(
        Vouched.Nobody.class, store.vouched(id, TrustedKeys.of(SigningKey.generate())));
    assertEquals(Optional.empty(), store.verdict(id));
  }

  @Test
  void aVersionIsSignedLaterByWhoeverHasAKey() {
    SigningKey key = SigningKey.generate();
    VersionId id = Drafts.publish(store, FEED, 1);
    TrustedKeys trusted = TrustedKeys.of(key);
    assertInstanceOf(Vouched.Nobody.class, store.vouched(id, trusted));
    store.sign(id, SigningKey.generate(), "somebody");
    assertInstanceOf(Vouched.Nobody.class, store.vouched(id, trusted));
    store.sign(id, key, "somebody");
    assertEquals(new Vouched.By(key.id()), store.vouched(id, trusted));
  }

  @Test
  void aSignatureOfAnotherVersionOrOneThatWasAlteredVouchesForNothing() throws Exception {
    SigningKey key = SigningKey.generate();
    PolicyStore signing = new PolicyStore(root, CLOCK, move -> {}, key);
    VersionId signed = Drafts.publish(signing, FEED, 1);
    VersionId other = Drafts.publish(store, FEED, 2);
    byte[] envelope = store.content(store.evidence(signed).get(0));
    store.attach(other, EvidenceKind.SIGNATURE, envelope, "mallory");
    assertInstanceOf(Vouched.Broken.class, store.vouched(other, TrustedKeys.of(key)));

    VersionId third = Drafts.publish(store, FEED, 3);
    String text = new String(envelope, UTF_8);
    int at = text.indexOf("\"sig\":\"") + 10;
    char letter = text.charAt(at) == 'A' ? 'B' : 'A';
    store.attach(
        third,
        EvidenceKind.SIGNATURE,
        (text.substring(0, at) + letter + text.substring(at + 1)).getBytes(UTF_8),
        "mallory");
    assertInstanceOf(Vouched.Broken.class, store.vouched(third, TrustedKeys.of(key)));
    // What is broken is no reason to refuse a version for which somebody else vouches.
    store.sign(third, key, "somebody");
    assertInstanceOf(Vouched.By.class, store.vouched(third, TrustedKeys.of(key)));
  }

  private AliasMove move(
      Alias alias,
      @Nullable VersionId expected,
      @Nullable VersionId to,
      @Nullable String override) {
    return store.move(request(alias, expected, to, override));
  }

  private AliasMove rollback() {
    return store.rollback(FEED, Alias.CHAMPION, "operator", "worse");
  }

  private static MoveRequest request(
      Alias alias,
      @Nullable VersionId expected,
      @Nullable VersionId to,
      @Nullable String override) {
    return new MoveRequest(FEED, alias, expected, to, "operator", "test", override);
  }

  private static byte[] verdict(String word) {
    return ("{\"verdict\":\"" + word + "\"}").getBytes(UTF_8);
  }

  private interface IndexedTask<T> {
    T run(int index) throws Exception;
  }

  private static <T> List<T> inParallel(int threads, IndexedTask<T> task) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<T>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int index = i;
        tasks.add(() -> task.run(index));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> result : executor.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }
}
