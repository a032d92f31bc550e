package io.bellwether.policy.version;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.Journal;
import io.bellwether.policy.object.ObjectId;
import io.bellwether.policy.signature.Envelope;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever can write to the store, and has no trusted key, cannot make a reader follow him. */
class TamperingTest {

  private static final String FEED = "home-feed";
  private static final Instant NOW = Instant.parse("2026-11-30T09:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private final MemoryDepot depot = new MemoryDepot();
  private final SigningKey key = SigningKey.generate();
  private final PolicyStore writer = new PolicyStore(depot, CLOCK, move -> {}, key);
  private TrustedKeys trusted = TrustedKeys.of(key);
  private VersionId one;
  private VersionId two;

  @BeforeEach
  void twoChampions() {
    one = Drafts.publishPassed(writer, FEED, 1);
    two = Drafts.publishPassed(writer, FEED, 2);
    move(writer, null, one);
    move(writer, one, two);
  }

  @Test
  void whatIsWholeIsFollowed() {
    assertEquals(Optional.of(two), reader().alias(FEED, Alias.CHAMPION));
    assertEquals(Optional.empty(), reader().releases().audit());
    assertEquals(2, reader().releases().signers().size());
  }

  @Test
  void noByteOfAMoveCanBeAltered() {
    for (String name : List.of("log/00000001.json", "log/00000002.json")) {
      byte[] bytes = depot.read(name).orElseThrow();
      for (int i = 0; i < bytes.length; i++) {
        byte[] altered = bytes.clone();
        altered[i] ^= (byte) (1 << (i % 8));
        depot.put(name, altered);
        PolicyStore reader = reader();
        int at = i;
        assertThrows(
            BrokenLogException.class,
            () -> reader.alias(FEED, Alias.CHAMPION),
            () -> "byte " + at + " of " + name);
        if (i % 64 == 0) { // The rest is the same for all of them.
          assertThrows(BrokenLogException.class, () -> move(guarded(key), two, one));
          Optional<VersionId> stays = name.endsWith("1.json") ? Optional.empty() : Optional.of(one);
          assertEquals(stays, reader.releases().lastGood(FEED));
        }
      }
      depot.put(name, bytes);
    }
  }

  @Test
  void noByteOfAManifestOrGraphCanBeAltered() {
    PolicyVersion version = writer.version(two);
    List<ObjectId> objects = new ArrayList<>(List.of(version.manifest()));
    writer.manifest(two).files().forEach(file -> objects.add(file.object()));
    for (ObjectId object : objects) {
      String name = "objects/" + object.sha256().substring(0, 2) + "/" + object.sha256();
      byte[] bytes = depot.read(name).orElseThrow();
      for (int i = 0; i < bytes.length; i++) {
        byte[] altered = bytes.clone();
        altered[i] ^= (byte) (1 << (i % 8));
        depot.put(name, altered);
        assertThrows(CorruptObjectException.class, () -> readAll(reader(), two));
      }
      depot.put(name, bytes);
    }
    readAll(reader(), two);
  }

  @Test
  void anOldValueIsNoNewOne() {
    byte[] old = depot.read("log/00000001.json").orElseThrow();
    depot.create("log/00000003.json", old);
    assertRefused("entry 3 of the release log is entry 1 in its place", two);
    depot.delete("log/00000003.json");
    depot.put("log/00000002.json", old);
    assertRefused("entry 2 of the release log is entry 1 in its place", one);
  }

  /** Its entries are all signed, and by a trusted key. */
  @Test
  void theLogOfAnotherStoreIsNoContinuation() {
    MemoryDepot other = new MemoryDepot();
    PolicyStore staging = new PolicyStore(other, CLOCK, move -> {}, key);
    Drafts.publishPassed(staging, FEED, 1);
    Drafts.publishPassed(staging, FEED, 2);
    move(staging, null, two);
    move(staging, two, one);
    depot.put("log/00000002.json", other.read("log/00000002.json").orElseThrow());
    assertRefused("entry 2 of the release log does not follow the entry before it", one);
  }

  @Test
  void whoeverFollowedTheLogNoticesThatItsEndIsGone() {
    PolicyStore reader = reader();
    assertEquals(Optional.of(two), reader.alias(FEED, Alias.CHAMPION));
    byte[] last = depot.read("log/00000002.json").orElseThrow();
    depot.delete("log/00000002.json");
    assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION));
    assertEquals(Optional.of(two), reader.releases().lastGood(FEED));
    depot.put("log/00000002.json", last);
    assertEquals(Optional.of(two), reader.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void whoeverFollowsTheLogNoticesThatAnEarlyEntryIsAltered() {
    PolicyStore reader = reader();
    assertEquals(Optional.of(two), reader.alias(FEED, Alias.CHAMPION));
    byte[] altered = depot.read("log/00000001.json").orElseThrow();
    altered[100] ^= 1;
    depot.put("log/00000001.json", altered);
    assertTrue(IntStream.range(0, 32).anyMatch(look -> reader.releases().defect().isPresent()));
    assertEquals(Optional.of(two), reader.releases().lastGood(FEED));
  }

  @Test
  void aStoreThatWasPutBackIsNoticedAfterARestart(@TempDir Path folder) throws Exception {
    Path memory = folder.resolve("seen.json");
    MemoryDepot copy = depot.copy();
    VersionId three = Drafts.publishPassed(writer, FEED, 3);
    move(writer, two, three);
    assertEquals(Optional.of(three), remembering(depot, memory).alias(FEED, Alias.CHAMPION));
    // Put back to before the last move; then moved on from there, by whoever has a key.
    PolicyStore restarted = remembering(copy, memory);
    BrokenLogException refusal =
        assertThrows(BrokenLogException.class, () -> restarted.alias(FEED, Alias.CHAMPION));
    assertTrue(refusal.toString().contains("ends with entry 2"), refusal.toString());
    assertEquals(Optional.of(three), restarted.releases().lastGood(FEED));
    move(new PolicyStore(copy, CLOCK, move -> {}, key), two, one);
    assertThrows(
        BrokenLogException.class, () -> remembering(copy, memory).alias(FEED, Alias.CHAMPION));
    Files.delete(memory);
    assertEquals(Optional.of(one), remembering(copy, memory).alias(FEED, Alias.CHAMPION));
  }

  @Test
  void aMoveThatNobodyOrSomebodyElseSignedIsRefused() {
    for (SigningKey stranger : new @Nullable SigningKey[] {null, SigningKey.generate()}) {
      MemoryDepot theirs = depot.copy();
      move(new PolicyStore(theirs, CLOCK, move -> {}, stranger), two, one);
      PolicyStore reader = reader(theirs, () -> trusted, true);
      assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION));
      assertEquals(Optional.of(two), reader.releases().lastGood(FEED));
      // Where signatures are not asked for, it is followed.
      assertEquals(
          Optional.of(one), reader(theirs, () -> trusted, false).alias(FEED, Alias.CHAMPION));
    }
  }

  @Test
  void whoeverHasNoTrustedKeyDoesNotWriteWhereSignaturesAreAskedFor() {
    assertThrows(PromotionRefusedException.class, () -> move(guarded(null), two, one));
    assertThrows(
        PromotionRefusedException.class, () -> move(guarded(SigningKey.generate()), two, one));
    move(guarded(key), two, one);
    assertEquals(Optional.of(one), reader().alias(FEED, Alias.CHAMPION));
  }

  /** A signer who breaks the rules is followed no further than others. */
  @Test
  void aSignedEntryAgainstTheRulesIsRefused() {
    AliasMove from =
        new AliasMove(3, FEED, Alias.CHAMPION, one, two, false, "mallory", "test", NOW);
    forge(release(from));
    assertRefused("moves an alias from elsewhere than it was", two);
    depot.delete("log/00000003.json");
    forge(release(new AliasMove(3, FEED, Alias.CHAMPION, two, null, true, "mallory", "test", NOW)));
    assertRefused("takes a move back that was not made", two);
    depot.delete("log/00000003.json");
    writer.releases().freeze(FEED, "ann", "an audit");
    forge(release(new AliasMove(3, FEED, Alias.CHAMPION, two, one, false, "mallory", "test", NOW)));
    assertRefused("which is frozen", two);
  }

  @Test
  void aRotatedKeyStaysGoodUntilItIsRevoked() {
    SigningKey fresh = SigningKey.generate();
    trusted = TrustedKeys.of(key, fresh);
    PolicyStore reader = reader();
    move(new PolicyStore(depot, CLOCK, move -> {}, fresh), two, one);
    assertEquals(Optional.of(one), reader.alias(FEED, Alias.CHAMPION));
    assertInstanceOf(Vouched.By.class, reader.vouched(two, trusted));

    trusted = trusted.revoking(key.id());
    for (boolean required : List.of(true, false)) {
      PolicyStore other = reader(depot, () -> trusted, required);
      BrokenLogException refusal =
          assertThrows(BrokenLogException.class, () -> other.alias(FEED, Alias.CHAMPION));
      assertTrue(refusal.toString().contains("which was revoked"), refusal.toString());
    }
    assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION));
    assertEquals(Optional.of(one), reader.releases().lastGood(FEED));
    assertInstanceOf(Vouched.Broken.class, reader.vouched(two, trusted));

    reader.releases().adopt(fresh, "ann", "looked at all of it");
    reader.sign(two, fresh, "ann");
    assertEquals(Optional.of(one), reader.alias(FEED, Alias.CHAMPION));
    assertEquals(new Vouched.By(fresh.id()), reader.vouched(two, trusted));
  }

  @Test
  void anAdoptionByARevokedKeyIsNone() {
    SigningKey fresh = SigningKey.generate();
    writer.releases().adopt(key, "mallory", "mine");
    trusted = TrustedKeys.of(key, fresh).revoking(key.id());
    assertThrows(BrokenLogException.class, () -> reader().alias(FEED, Alias.CHAMPION));
  }

  @Test
  void anUnsignedStoreOfAnOlderReleaseIsAdoptedWithAKey() {
    MemoryDepot old = new MemoryDepot();
    PolicyStore unsigned = new PolicyStore(old, CLOCK, move -> {}, null);
    Drafts.publishPassed(unsigned, FEED, 1);
    AliasMove move = new AliasMove(1, FEED, Alias.CHAMPION, null, one, false, "ann", "first", NOW);
    new Journal(old, "moves/" + FEED + "/champion").append(1, move.toBytes());
    assertEquals(Optional.of(one), reader(old, () -> trusted, false).alias(FEED, Alias.CHAMPION));
    PolicyStore required = reader(old, () -> trusted, true);
    assertThrows(BrokenLogException.class, () -> required.alias(FEED, Alias.CHAMPION));
    assertEquals(Optional.empty(), required.releases().now(FEED).alias(Alias.CHAMPION));
    required.releases().adopt(key, "ann", "looked at it");
    assertEquals(Optional.of(one), required.alias(FEED, Alias.CHAMPION));
    assertEquals(ReleaseKind.BEGUN, required.releases().all().get(0).kind());
  }

  @Test
  void anUnsignedLogIsAdoptedWithAKey() {
    MemoryDepot old = new MemoryDepot();
    PolicyStore unsigned = new PolicyStore(old, CLOCK, move -> {}, null);
    move(unsigned, null, Drafts.publishPassed(unsigned, FEED, 1));
    PolicyStore required = reader(old, () -> trusted, true);
    assertThrows(BrokenLogException.class, () -> required.alias(FEED, Alias.CHAMPION));
    required.releases().adopt(key, "ann", "looked at it");
    assertEquals(Optional.of(one), required.alias(FEED, Alias.CHAMPION));
    move(unsigned, one, Drafts.publishPassed(unsigned, FEED, 2));
    assertThrows(BrokenLogException.class, () -> required.alias(FEED, Alias.CHAMPION));
  }

  /** An entry that cannot be read stops the look right after the one that was forged. */
  @Test
  void anEntryThatWasReadBeforeTheDepotFailedIsJudgedAllTheSame() {
    PolicyStore reader = reader();
    assertEquals(Optional.of(two), reader.alias(FEED, Alias.CHAMPION));
    move(new PolicyStore(depot, CLOCK, move -> {}, null), two, one);
    depot.refuse("log/00000004.json");
    assertThrows(UncheckedIOException.class, () -> reader.alias(FEED, Alias.CHAMPION));
    depot.refuse(null);
    assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION));
    assertEquals(Optional.of(two), reader.releases().now(FEED).alias(Alias.CHAMPION));
  }

  @Test
  void aKeyThatIsRevokedWhileTheDepotFailsIsRevoked() {
    PolicyStore reader = reader();
    assertEquals(Optional.of(two), reader.alias(FEED, Alias.CHAMPION));
    trusted = TrustedKeys.of(key, SigningKey.generate()).revoking(key.id());
    depot.refuse("log/00000003.json");
    assertThrows(UncheckedIOException.class, () -> reader.alias(FEED, Alias.CHAMPION));
    depot.refuse(null);
    assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION));
  }

  @Test
  void whatIsNoEntryAtAllIsRefused() {
    String third = "log/00000003.json";
    for (String text : List.of("null", "", "[]", "{}", "{\"payload\":null}", "\u0000")) {
      depot.put(third, text.getBytes(UTF_8));
      PolicyStore reader = reader();
      assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION), text);
      assertEquals(Optional.of(two), reader.releases().lastGood(FEED));
    }
    String unnamed =
        new String(
                release(
                        new AliasMove(
                            3, FEED, Alias.CHAMPION, two, one, false, "mallory", "test", NOW))
                    .toBytes(),
                UTF_8)
            .replace("\"alias\":\"champion\",", "");
    depot.put(third, unnamed.getBytes(UTF_8));
    assertThrows(BrokenLogException.class, () -> reader().alias(FEED, Alias.CHAMPION));
  }

  @Test
  void anEntryOfAVersionThatPointsElsewhereIsRefusedAndTheOthersStay() {
    String name = "versions/" + FEED + "/00000002.json";
    String entry = new String(depot.read(name).orElseThrow(), UTF_8);
    String manifest = writer.version(two).manifest().sha256();
    String elsewhere = writer.version(one).manifest().sha256();
    depot.put(name, entry.replace(manifest, elsewhere).getBytes(UTF_8));
    assertThrows(BrokenLogException.class, () -> reader().manifest(two));
    readAll(reader(), one);
  }

  private void assertRefused(String reason, VersionId stays) {
    PolicyStore reader = reader();
    BrokenLogException refusal =
        assertThrows(BrokenLogException.class, () -> reader.alias(FEED, Alias.CHAMPION));
    assertTrue(refusal.toString().contains(reason), refusal.toString());
    assertEquals(Optional.of(stays), reader.releases().lastGood(FEED));
  }

  private static void readAll(PolicyStore reader, VersionId version) {
    reader.manifest(version).files().forEach(file -> reader.file(version, file.path()));
  }

  private void forge(Release release) {
    long sequence = release.sequence();
    byte[] bytes = Envelope.sign(release.toBytes(), ReleaseLog.TYPE, key).toBytes();
    assertTrue(depot.create("log/%08d.json".formatted(sequence), bytes));
  }

  /** After whatever is there. */
  private Release release(AliasMove move) {
    long sequence = writer.releases().all().size() + 1L;
    byte[] last = depot.read("log/%08d.json".formatted(sequence - 1)).orElseThrow();
    return new Release(
        sequence,
        ObjectId.of(last).sha256(),
        "nonce",
        ReleaseKind.MOVED,
        FEED,
        move,
        null,
        null,
        null,
        null,
        null,
        "mallory",
        "test",
        NOW);
  }

  private PolicyStore reader() {
    return reader(depot, () -> trusted, true);
  }

  private PolicyStore guarded(@Nullable SigningKey with) {
    return new PolicyStore(depot, CLOCK, move -> {}, with)
        .guardedBy(new Guard(() -> trusted, true, null));
  }

  private PolicyStore remembering(Depot where, Path memory) {
    return new PolicyStore(where, CLOCK, move -> {}, null)
        .guardedBy(new Guard(() -> trusted, true, memory));
  }

  private PolicyStore reader(Depot where, Supplier<TrustedKeys> keys, boolean required) {
    // Whoever adopts has a key in hand; a reader that writes nothing else needs none.
    return new PolicyStore(where, CLOCK, move -> {}, null)
        .guardedBy(new Guard(keys, required, null));
  }

  private static AliasMove move(PolicyStore store, @Nullable VersionId from, VersionId to) {
    return store.move(new MoveRequest(FEED, Alias.CHAMPION, from, to, "operator", "test", null));
  }
}
