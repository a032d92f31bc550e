package io.bellwether.policy.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasConflictException;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Drafts;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.MoveRequest;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.PromotionRefusedException;
import io.bellwether.policy.version.VersionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Publishers, movers and collectors that are killed at any step, alone and a hundred at once. */
class KilledWritersTest {

  private static final List<String> NAMES = List.of("home-feed", "push", "search");
  private static final int DRAFTS = 12;
  private static final int WRITERS = 100;
  private static final int ROUNDS = 3;
  private static final double KILL = 0.01;
  private static final Duration GRACE = Duration.ofMinutes(30);
  private static final byte[] PASS = "{\"verdict\":\"pass\"}".getBytes(UTF_8);

  private static final Map<Integer, Map<String, byte[]>> FILES = new HashMap<>();

  private final Time time = new Time();
  private final TimedDepot depot = new TimedDepot(time);

  /** What writers were told was done. */
  private final ConcurrentLinkedQueue<AliasMove> moved = new ConcurrentLinkedQueue<>();

  private final ConcurrentLinkedQueue<PolicyVersion> published = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Evidence> attached = new ConcurrentLinkedQueue<>();
  private final AtomicInteger killed = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  @BeforeAll
  static void makeGraphs() {
    for (int draft = 0; draft < DRAFTS; draft++) {
      FILES.put(draft, Drafts.files(draft));
    }
  }

  @Test
  void aWriterKilledAtAnyStepLeavesAStoreInWhichTheNextOneSucceeds() {
    int survived = 0;
    for (int last = 0; survived == 0; last++) {
      TimedDepot own = new TimedDepot(time);
      PolicyStore before = store(own);
      VersionId one = Drafts.publishPassed(before, NAMES.get(0), 1);
      before.move(champion(null, one, "first"));
      int fuse = last;
      int[] asked = {0};
      try {
        promoteTwo(store(new MortalDepot(own, () -> asked[0]++ >= fuse)));
        survived = last;
      } catch (MortalDepot.Killed e) {
        // So it was meant.
      }
      requireSound(own);
      promoteTwo(store(own));
      assertEquals(2, store(own).versions(NAMES.get(0)).size());
      requireSound(own);
    }
    assertTrue(survived > 20, "a promotion has more steps than " + survived);
  }

  /** What is to be done whether or not some of it was done before. */
  private static void promoteTwo(PolicyStore store) {
    VersionId two = Drafts.publishPassed(store, NAMES.get(0), 2);
    VersionId now = store.alias(NAMES.get(0), Alias.CHAMPION).orElse(null);
    if (!two.equals(now)) {
      store.move(champion(now, two, "second"));
    }
  }

  @Test
  void ofAHundredKilledPublishersMoversAndCollectorsNothingIsLostNorDangling() throws Exception {
    ChangeFeed feed = new ChangeFeed(depot);
    Set<String> fed = new HashSet<>();
    String place = ChangeFeed.START;
    ExecutorService executor = Executors.newFixedThreadPool(WRITERS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        CountDownLatch go = new CountDownLatch(WRITERS);
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          int number = round * WRITERS + writer;
          writers.add(
              executor.submit(
                  () -> {
                    go.countDown();
                    go.await();
                    write(number);
                    return true;
                  }));
        }
        for (Future<?> writer : writers) {
          writer.get();
        }
        requireSound(depot);
        requireAcknowledged();
        ChangeFeed.Page page = feed.after(place, Integer.MAX_VALUE);
        page.changes().forEach(each -> assertTrue(fed.add(each.journal() + "/" + each.sequence())));
        place = page.next();
        time.pass(GRACE.multipliedBy(2));
      }
    } finally {
      executor.shutdownNow();
    }
    assertTrue(killed.get() > WRITERS / 4, killed + " were killed");
    assertTrue(moved.size() > WRITERS / 4, moved.size() + " moved");
    assertTrue(lost.get() > 0, "nobody was ever too late");
    assertEquals(
        depot.list("versions").size() + depot.list("evidence").size() + depot.list("log").size(),
        fed.size());
    requireNoGarbageIn(depot);
  }

  private void write(int number) {
    Random random = new Random(number);
    PolicyStore store = store(new MortalDepot(depot, () -> random.nextDouble() < KILL));
    try {
      for (int i = 0; i < 3; i++) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        int what = random.nextInt(10);
        if (what < 4) {
          publish(store, name, random.nextInt(DRAFTS));
        } else if (what < 9) {
          move(store, name, random, "writer " + number);
        } else {
          new Garbage(new MortalDepot(depot, () -> random.nextDouble() < KILL / 10), time, GRACE)
              .collect();
        }
      }
    } catch (MortalDepot.Killed e) {
      killed.incrementAndGet();
    }
  }

  private void publish(PolicyStore store, String name, int draft) {
    Map<String, byte[]> files = FILES.get(draft);
    if (files == null) {
      throw new IllegalStateException("no draft " + draft);
    }
    PolicyVersion version = store.publish(Drafts.manifest(name, draft), files);
    published.add(version);
    attached.add(store.attach(version.id(), EvidenceKind.VERDICT, PASS, "gate"));
  }

  private void move(PolicyStore store, String name, Random random, String who) {
    List<PolicyVersion> versions = store.versions(name);
    if (versions.isEmpty()) {
      return;
    }
    Alias alias = Alias.values()[random.nextInt(Alias.values().length)];
    VersionId from = store.alias(name, alias).orElse(null);
    VersionId to = versions.get(random.nextInt(versions.size())).id();
    try {
      moved.add(
          random.nextInt(5) == 0
              ? store.rollback(name, alias, who, "worse")
              : store.move(new MoveRequest(name, alias, from, to, who, "better", null)));
    } catch (AliasConflictException e) {
      lost.incrementAndGet();
    } catch (PromotionRefusedException | IllegalArgumentException e) {
      // It has no verdict yet, or is there already.
    }
  }

  /** The log is whole, each move starts where the one before ended, and all is there to read. */
  private static void requireSound(Depot depot) {
    PolicyStore store = store(depot);
    assertEquals(Optional.empty(), store.releases().audit());
    for (String name : store.names()) {
      Set<VersionId> known = new HashSet<>();
      for (PolicyVersion version : store.versions(name)) {
        assertTrue(known.add(version.id()), "a version is listed twice");
        for (PolicyFile file : store.manifest(version.id()).files()) {
          store.file(version.id(), file.path());
        }
        store.evidence(version.id()).forEach(store::content);
      }
      for (Alias alias : Alias.values()) {
        VersionId before = null;
        for (AliasMove move : store.history(name, alias)) {
          assertEquals(before, move.from());
          before = move.to();
          assertTrue(before == null || known.contains(before));
        }
      }
    }
  }

  private void requireAcknowledged() {
    PolicyStore store = store(depot);
    for (AliasMove move : moved) {
      assertEquals(move, store.history(move.name(), move.alias()).get((int) move.sequence() - 1));
    }
    for (PolicyVersion version : published) {
      assertEquals(version, store.versions(version.name()).get((int) version.sequence() - 1));
    }
    for (Evidence evidence : attached) {
      assertEquals(evidence, store.evidence(evidence.version()).get((int) evidence.sequence() - 1));
    }
  }

  private void requireNoGarbageIn(Depot depot) {
    for (int i = 0; i < 3; i++) {
      new Garbage(depot, time, GRACE).collect();
      time.pass(GRACE.multipliedBy(2));
    }
    Garbage.Collected left = new Garbage(depot, time, GRACE).look();
    assertEquals(Set.of(), left.missing());
    assertEquals(Set.of(), left.trashed());
    assertEquals(List.of(), depot.list("trash"));
    assertEquals(depot.list("objects").size(), left.references().size());
    requireSound(depot);
  }

  private static MoveRequest champion(@Nullable VersionId from, VersionId to, String why) {
    return new MoveRequest(NAMES.get(0), Alias.CHAMPION, from, to, "operator", why, null);
  }

  private static PolicyStore store(Depot depot) {
    return new PolicyStore(depot, Clock.systemUTC(), move -> {}, null);
  }

  /** The time of the depot, which passes when it is told to. */
  private static final class Time extends Clock {
    private volatile Instant now = Instant.parse("2026-11-30T08:00:00Z");

    void pass(Duration duration) {
      now = now.plus(duration);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
