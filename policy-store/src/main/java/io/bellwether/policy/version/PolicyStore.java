package io.bellwether.policy.version;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.policy.object.ContentStore;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.FolderDepot;
import io.bellwether.policy.object.Journal;
import io.bellwether.policy.object.ObjectId;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of all policies, their evidence and their aliases, under names in one depot:
 *
 * <pre>
 * objects/{2 digits}/{sha256}          manifests, graphs, reports
 * versions/{name}/{sequence}.json      what was published, in order
 * evidence/{version}/{sequence}.json   what was found out about a version
 * log/{sequence}.json                  the release log: moves of aliases, pins, freezes, approvals
 * </pre>
 *
 * <p>Nothing that is written ever changes. A move is the exclusive creation of the log's next
 * number, which makes it a compare-and-set and lets a reader see one value at any time, the old or
 * the new. (A store of an earlier release has {@code moves/{name}/{alias}/{sequence}.json} instead;
 * the first entry of the log takes them over, and nobody looks at them any more.) Order is that of
 * the numbers; clocks are for people. Thread-safe, and safe among processes that share the depot.
 */
public final class PolicyStore {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyStore.class);
  private static final String SCHEMA_DIGEST_PROPERTY = "bellwether.feature_schema_sha256";

  private final Depot depot;
  private final Clock clock;
  private final Consumer<AliasMove> announcement;
  private final @Nullable SigningKey key;
  private final ContentStore objects;
  private final ReleaseLog log;
  private final Releases releases;
  private final Map<VersionId, PolicyVersion> known = new ConcurrentHashMap<>();

  /** A store that announces its moves to nobody; watchers find them on the disk. */
  public PolicyStore(Path root, Clock clock) {
    this(root, clock, move -> {});
  }

  /**
   * @param root folder of the store; made by the first write
   * @param announcement told of each move after it happened; where it fails, the move stands, and
   *     watchers find it on the disk
   */
  public PolicyStore(Path root, Clock clock, Consumer<AliasMove> announcement) {
    this(root, clock, announcement, null);
  }

  /**
   * @param key signs each version that is published here; absent: versions are published unsigned,
   *     to be signed later by whoever has a key
   */
  public PolicyStore(
      Path root, Clock clock, Consumer<AliasMove> announcement, @Nullable SigningKey key) {
    this(new FolderDepot(root), clock, announcement, key);
  }

  /**
   * @param depot where the store's bytes are; not closed here
   * @param announcement told of each move after it happened; where it fails, the move stands, and
   *     watchers find it in the depot
   * @param key signs each version that is published here; absent: versions are published unsigned
   */
  public PolicyStore(
      Depot depot, Clock clock, Consumer<AliasMove> announcement, @Nullable SigningKey key) {
    this(depot, clock, announcement, key, Guard.none());
  }

  private PolicyStore(
      Depot depot,
      Clock clock,
      Consumer<AliasMove> announcement,
      @Nullable SigningKey key,
      Guard guard) {
    this.depot = depot;
    this.clock = clock;
    this.announcement = announcement;
    this.key = key;
    objects = new ContentStore(depot);
    log = new ReleaseLog(depot, guard, key);
    releases = new Releases(this, log, clock);
  }

  /** The same store to somebody who asks whose word the release log is. */
  public PolicyStore guardedBy(Guard guard) {
    return new PolicyStore(depot, clock, announcement, key, guard);
  }

  /** What was released, and what holds releases up. */
  public Releases releases() {
    return releases;
  }

  /**
   * Checks, stores and lists a version. The graph must fit its feature schema and run on batches of
   * several sizes. Publishing the same manifest and files again changes nothing. Where the store
   * has a key, the version is signed with it.
   *
   * @param draft the manifest; its list of files is replaced by the files given here
   * @param files bytes by path, {@link PolicyManifest#GRAPH} among them
   * @throws io.bellwether.policy.scoring.GraphMismatchException where the graph does not fit
   * @throws io.bellwether.policy.scoring.ScoringException where the graph does not run
   */
  public PolicyVersion publish(PolicyManifest draft, Map<String, byte[]> files) {
    checkGraph(draft, files.get(PolicyManifest.GRAPH));
    for (String form : PolicyManifest.SMALLER_GRAPHS) {
      if (files.containsKey(form)) {
        checkGraph(draft, files.get(form));
      }
    }
    List<PolicyFile> stored = new ArrayList<>();
    files.forEach(
        (path, bytes) -> {
          ObjectId object = objects.put(bytes);
          stored.add(new PolicyFile(path, object.sha256(), object.size()));
        });
    ObjectId manifest = objects.put(draft.withFiles(stored).canonicalBytes());
    PolicyVersion version = list(draft.name(), manifest);
    if (key != null) {
      sign(version.id(), key, draft.createdBy());
    }
    return version;
  }

  /** The names of all policies that have a version. */
  public List<String> names() {
    return depot.folders("versions");
  }

  /**
   * The versions of a policy, in the order in which they were published.
   *
   * @throws BrokenLogException where an entry is not as it was written
   */
  public List<PolicyVersion> versions(String name) {
    List<RuntimeException> broken = new ArrayList<>();
    List<PolicyVersion> versions = versions(name, broken::add);
    if (!broken.isEmpty()) {
      throw broken.get(0);
    }
    return versions;
  }

  private List<PolicyVersion> versions(String name, Consumer<RuntimeException> broken) {
    Journal journal = versionJournal(name);
    List<PolicyVersion> versions = new ArrayList<>();
    long last = journal.last();
    for (long sequence = 1; sequence <= last; sequence++) {
      try {
        PolicyVersion version = CanonicalJson.read(journal.read(sequence), PolicyVersion.class);
        if (version.sequence() != sequence
            || !version.name().equals(name)
            || !version.id().equals(VersionId.of(version.manifest()))) {
          throw new BrokenLogException(
              "entry %d of the versions of %s names another manifest, policy or number"
                  .formatted(sequence, name));
        }
        versions.add(version);
        known.putIfAbsent(version.id(), version);
      } catch (RuntimeException e) {
        broken.accept(e);
      }
    }
    return versions;
  }

  /**
   * The entry of a version.
   *
   * @throws UnknownVersionException where it was never published
   * @throws BrokenLogException where it may be an entry that is not as it was written
   */
  public PolicyVersion version(VersionId id) {
    List<RuntimeException> broken = new ArrayList<>();
    if (!known.containsKey(id)) {
      names().forEach(name -> versions(name, broken::add));
    }
    PolicyVersion version = known.get(id);
    if (version == null && !broken.isEmpty()) {
      throw broken.get(0);
    }
    if (version == null) {
      throw new UnknownVersionException("version " + id + " was never published");
    }
    return version;
  }

  /**
   * The manifest of a version, verified.
   *
   * @throws io.bellwether.policy.object.CorruptObjectException where its bytes are not intact
   */
  public PolicyManifest manifest(VersionId id) {
    return PolicyManifest.fromBytes(objects.read(version(id).manifest()));
  }

  /**
   * A file of a version, verified against the manifest.
   *
   * @throws io.bellwether.policy.object.CorruptObjectException where its bytes are not intact
   */
  public byte[] file(VersionId id, String path) {
    return fileOf(manifest(id), path);
  }

  /**
   * A version's graph, verified, opened and ready to score; the caller closes it. It is not yet
   * warm: {@link io.bellwether.policy.scoring.LivePolicy} or {@link Scorer#warmUp} sees to that.
   */
  public Scorer open(VersionId id) {
    PolicyManifest manifest = manifest(id);
    return Scorer.open(fileOf(manifest, PolicyManifest.GRAPH), manifest.features());
  }

  /**
   * Adds a piece of evidence to a version.
   *
   * @param content for {@link EvidenceKind#VERDICT} a JSON object whose field {@code verdict} is
   *     {@code pass}, {@code fail} or {@code not-enough-evidence}; the latest verdict counts
   */
  public Evidence attach(VersionId id, EvidenceKind kind, byte[] content, String who) {
    version(id);
    GateVerdict verdict = kind == EvidenceKind.VERDICT ? verdictIn(content) : null;
    ObjectId object = objects.put(content);
    Journal journal = evidenceJournal(id);
    long sequence =
        journal.append(
            number ->
                CanonicalJson.write(
                    new Evidence(number, id, kind, object, verdict, who, clock.instant())));
    return CanonicalJson.read(journal.read(sequence), Evidence.class);
  }

  /** All evidence about a version, in the order in which it was attached. */
  public List<Evidence> evidence(VersionId id) {
    version(id);
    return evidenceJournal(id).readAll().stream()
        .map(bytes -> CanonicalJson.read(bytes, Evidence.class))
        .toList();
  }

  /** The bytes of a piece of evidence, verified. */
  public byte[] content(Evidence evidence) {
    return objects.read(evidence.content());
  }

  /**
   * Signs a version's manifest, and by the hashes in it all its files; does nothing where this key
   * did so before.
   */
  public void sign(VersionId id, SigningKey key, String who) {
    if (!(vouched(id, TrustedKeys.of(key)) instanceof Vouched.By)) {
      manifest(id); // Nobody vouches for what is damaged.
      attach(
          id, EvidenceKind.SIGNATURE, new VersionStatement(version(id)).sign(key).toBytes(), who);
    }
  }

  /** Whether a trusted key vouches for a version. Its files are verified as they are read. */
  public Vouched vouched(VersionId id, TrustedKeys trusted) {
    List<Evidence> signatures =
        evidence(id).stream().filter(each -> each.kind() == EvidenceKind.SIGNATURE).toList();
    return new VersionStatement(version(id)).check(signatures, this::content, trusted);
  }

  /** The latest verdict about a version; empty where the gate has not spoken. */
  public Optional<GateVerdict> verdict(VersionId id) {
    return latestVerdict(id).map(Evidence::verdict);
  }

  /**
   * Whether the latest verdict about a version comes with warnings that nobody has approved: its
   * content has {@code NEEDED} in the field {@code approval}.
   */
  public boolean awaitsApproval(VersionId id) {
    return latestVerdict(id)
        .map(verdict -> CanonicalJson.tree(content(verdict)).path("approval").asText(""))
        .filter("NEEDED"::equals)
        .isPresent();
  }

  private Optional<Evidence> latestVerdict(VersionId id) {
    return evidence(id).stream()
        .filter(evidence -> evidence.verdict() != null)
        .reduce((earlier, later) -> later);
  }

  /**
   * The version that answers by default: the pinned one, or the champion; empty where there is
   * neither.
   *
   * @throws BrokenLogException where not all of the release log can be followed
   */
  public Optional<VersionId> serving(String name) {
    PolicyManifest.checkName(name);
    return log.whole(ledger -> ledger.standing(name).serving());
  }

  /**
   * The version to which an alias points; empty where it points to none.
   *
   * @throws BrokenLogException where not all of the release log can be followed
   */
  public Optional<VersionId> alias(String name, Alias alias) {
    return latestMove(name, alias).flatMap(AliasMove::version);
  }

  /**
   * The latest move of an alias; empty where it never moved.
   *
   * @throws BrokenLogException where not all of the release log can be followed
   */
  public Optional<AliasMove> latestMove(String name, Alias alias) {
    PolicyManifest.checkName(name);
    return log.whole(ledger -> ledger.latest(name, alias));
  }

  /**
   * The latest move of every alias that ever moved, in one look and in no order.
   *
   * @throws BrokenLogException where not all of the release log can be followed
   */
  public List<AliasMove> latestMoves() {
    return log.whole(Ledger::latest);
  }

  /** All moves of an alias, in their order, as far as the release log can be followed. */
  public List<AliasMove> history(String name, Alias alias) {
    PolicyManifest.checkName(name);
    return log.followed(ledger -> ledger.history(name, alias));
  }

  /**
   * Moves an alias, if it points to the expected version. To become challenger or champion, a
   * version needs {@code pass} as its latest verdict, with its warnings approved where it has any,
   * or an override, which is stored as evidence.
   *
   * @throws AliasConflictException where the alias points elsewhere, or somebody else moved first
   * @throws PromotionRefusedException where there is neither {@code pass} nor an override
   */
  public AliasMove move(MoveRequest request) {
    VersionId version = request.version();
    if (version != null) {
      checkName(request.name(), version);
    }
    Evidenced evidenced = new Evidenced(request);
    Release made =
        log.append(
            (ledger, sequence, previous) -> {
              AliasMove move = moveOf(ledger, request);
              String evidence = evidenced.digest();
              if (!ledger.needsApproval(move)) {
                return releases.moving(sequence, previous, ReleaseKind.MOVED, move, evidence);
              }
              refuseIfProposed(ledger, move);
              return releases.moving(sequence, previous, ReleaseKind.PROPOSED, move, evidence);
            });
    if (made.kind() == ReleaseKind.PROPOSED) {
      throw approvalNeeded(made);
    }
    AliasMove move = made.made().orElseThrow();
    announce(move);
    return move;
  }

  /** The verdict or override on which a move rests, looked for once. */
  private final class Evidenced {
    private final MoveRequest request;
    private @Nullable String digest;

    Evidenced(MoveRequest request) {
      this.request = request;
    }

    @Nullable String digest() {
      VersionId version = request.version();
      if (digest == null && version != null && request.alias().needsVerdict()) {
        digest = requirePassOrOverride(request, version);
      }
      return digest;
    }
  }

  private AliasMove moveOf(Ledger ledger, MoveRequest request) {
    Optional<AliasMove> latest = ledger.latest(request.name(), request.alias());
    VersionId found = latest.flatMap(AliasMove::version).orElse(null);
    if (!Objects.equals(found, request.expected())) {
      throw conflict(request.name(), request.alias(), request.expected(), found);
    }
    if (Objects.equals(found, request.version())) {
      throw new IllegalArgumentException(
          "the %s of %s is %s already"
              .formatted(request.alias().word(), request.name(), found == null ? "none" : found));
    }
    Releases.checkNotFrozen(ledger, request.name());
    return new AliasMove(
        latest.map(AliasMove::sequence).orElse(0L) + 1,
        request.name(),
        request.alias(),
        found,
        request.version(),
        false,
        request.who(),
        request.why(),
        clock.instant());
  }

  private static void refuseIfProposed(Ledger ledger, AliasMove move) {
    for (Release open : ledger.proposals()) {
      AliasMove wanted = open.move();
      if (wanted != null
          && wanted.name().equals(move.name())
          && wanted.alias() == move.alias()
          && Objects.equals(wanted.to(), move.to())) {
        throw approvalNeeded(open);
      }
    }
  }

  private static ApprovalNeededException approvalNeeded(Release proposal) {
    AliasMove move = Objects.requireNonNull(proposal.move());
    return new ApprovalNeededException(
        proposal.sequence(),
        "that %s becomes the %s of %s is proposal %d by %s, and waits for a second person"
            .formatted(
                move.to() == null ? "nothing" : move.to(),
                move.alias().word(),
                move.name(),
                proposal.sequence(),
                proposal.who()));
  }

  /**
   * Takes the latest move of an alias back that was not taken back yet; twice goes back two moves.
   * Needs no verdict and no approval: the version was there before.
   *
   * @throws AliasConflictException where there is no such move, or somebody else moved first
   */
  public AliasMove rollback(String name, Alias alias, String who, String why) {
    PolicyManifest.checkName(name);
    AtomicLong seen = new AtomicLong(-1);
    Release made =
        log.append(
            (ledger, sequence, previous) -> {
              long latest = ledger.latest(name, alias).map(AliasMove::sequence).orElse(0L);
              if (!seen.compareAndSet(-1, latest) && seen.get() != latest) {
                throw new AliasConflictException(
                    "somebody else moved the %s of %s first".formatted(alias.word(), name));
              }
              AliasMove last =
                  ledger
                      .lastStanding(name, alias)
                      .orElseThrow(
                          () ->
                              new AliasConflictException(
                                  "no move of the %s of %s is left to take back"
                                      .formatted(alias.word(), name)));
              Releases.checkNotFrozen(ledger, name);
              AliasMove back =
                  new AliasMove(
                      latest + 1,
                      name,
                      alias,
                      last.to(),
                      last.from(),
                      true,
                      who,
                      why,
                      clock.instant());
              return releases.moving(sequence, previous, ReleaseKind.MOVED, back, null);
            });
    AliasMove move = made.made().orElseThrow();
    announce(move);
    return move;
  }

  /** Where a version stands. */
  public VersionState state(VersionId id) {
    String name = version(id).name();
    Standing now = releases.now(name);
    if (now.alias(Alias.CHAMPION).filter(id::equals).isPresent()) {
      return VersionState.CHAMPION;
    }
    if (now.alias(Alias.CHALLENGER).filter(id::equals).isPresent()) {
      return VersionState.CHALLENGER;
    }
    boolean served =
        Stream.of(Alias.CHAMPION, Alias.CHALLENGER)
            .flatMap(alias -> history(name, alias).stream())
            .anyMatch(move -> id.equals(move.to()));
    if (served) {
      return VersionState.RETIRED;
    }
    return verdict(id).filter(GateVerdict.PASS::equals).isPresent()
        ? VersionState.GATED
        : VersionState.CANDIDATE;
  }

  private static void checkGraph(PolicyManifest draft, byte @Nullable [] graph) {
    if (graph == null) {
      throw new IllegalArgumentException(
          "a version of " + draft.name() + " without " + PolicyManifest.GRAPH);
    }
    FeatureSchema features = draft.features();
    try (Scorer scorer = Scorer.open(graph, features)) {
      String digest = scorer.metadata().getOrDefault(SCHEMA_DIGEST_PROPERTY, features.digest());
      if (!digest.equals(features.digest())) {
        throw new IllegalArgumentException(
            "the graph was exported for feature schema %s, the manifest says %s"
                .formatted(digest, features.digest()));
      }
      scorer.warmUp();
    }
  }

  private PolicyVersion list(String name, ObjectId manifest) {
    VersionId id = VersionId.of(manifest);
    Journal journal = versionJournal(name);
    while (true) {
      List<PolicyVersion> versions = versions(name);
      for (PolicyVersion version : versions) {
        if (version.manifest().equals(manifest)) {
          return version;
        }
      }
      PolicyVersion version =
          new PolicyVersion(versions.size() + 1L, name, id, manifest, clock.instant());
      if (journal.append(version.sequence(), CanonicalJson.write(version))) {
        known.put(id, version);
        return version;
      }
    }
  }

  private byte[] fileOf(PolicyManifest manifest, String path) {
    for (PolicyFile file : manifest.files()) {
      if (file.path().equals(path)) {
        return objects.read(file.object());
      }
    }
    throw new IllegalArgumentException(
        "no file %s in this version of %s, there are %s"
            .formatted(
                path, manifest.name(), manifest.files().stream().map(PolicyFile::path).toList()));
  }

  private static GateVerdict verdictIn(byte[] content) {
    JsonNode word = CanonicalJson.tree(content).path("verdict");
    if (!word.isTextual()) {
      throw new IllegalArgumentException(
          "a verdict is a JSON object with the text field verdict, found "
              + new String(Arrays.copyOf(content, Math.min(content.length, 100)), UTF_8));
    }
    return GateVerdict.of(word.asText());
  }

  /** Refuses a version of another policy. */
  void checkName(String name, VersionId version) {
    String owner = version(version).name();
    if (!owner.equals(name)) {
      throw new UnknownVersionException(
          "version %s is one of %s, not of %s".formatted(version, owner, name));
    }
  }

  /** The SHA-256 of the verdict that passes, or else of the override. */
  private String requirePassOrOverride(MoveRequest request, VersionId version) {
    Optional<Evidence> latest = latestVerdict(version);
    Optional<GateVerdict> verdict = latest.map(Evidence::verdict);
    boolean passed = verdict.filter(GateVerdict.PASS::equals).isPresent();
    if (latest.isPresent() && passed && !awaitsApproval(version)) {
      return latest.get().content().sha256();
    }
    String reason = request.override();
    if (reason == null) {
      throw new PromotionRefusedException(
          "%s cannot become the %s of %s: its verdict is %s, expected %s or an override"
              .formatted(
                  version,
                  request.alias().word(),
                  request.name(),
                  verdict.map(GateVerdict::word).orElse("missing"),
                  passed ? "somebody who approves its warnings" : "pass"));
    }
    byte[] override =
        CanonicalJson.write(Map.of("alias", request.alias().word(), "reason", reason));
    return attach(version, EvidenceKind.OVERRIDE, override, request.who()).content().sha256();
  }

  /** Refuses a proposed version whose verdict is no longer what it was, unless overridden. */
  void requireStillReleasable(VersionId version, AliasMove wanted, @Nullable String evidence) {
    boolean overridden =
        evidence(version).stream()
            .anyMatch(
                each ->
                    each.kind() == EvidenceKind.OVERRIDE
                        && each.content().sha256().equals(evidence));
    if (!overridden) {
      requirePassOrOverride(
          new MoveRequest(
              wanted.name(),
              wanted.alias(),
              wanted.from(),
              version,
              wanted.who(),
              wanted.why(),
              null),
          version);
    }
  }

  /** Tells of a move that was made. */
  void announce(AliasMove move) {
    try {
      announcement.accept(move);
    } catch (RuntimeException e) {
      LOG.warn(
          "Move {} of the {} of {} stands but was not announced; watchers will find it later",
          move.sequence(),
          move.alias().word(),
          move.name(),
          e);
    }
  }

  private static AliasConflictException conflict(
      String name, Alias alias, @Nullable VersionId expected, @Nullable VersionId found) {
    return new AliasConflictException(
        "the %s of %s was expected to be %s, found %s"
            .formatted(
                alias.word(),
                name,
                expected == null ? "none" : expected,
                found == null ? "none" : found));
  }

  private Journal versionJournal(String name) {
    return journal("versions/" + PolicyManifest.checkName(name));
  }

  private Journal evidenceJournal(VersionId id) {
    return journal("evidence/" + id.value());
  }

  private Journal journal(String folder) {
    return new Journal(depot, folder);
  }
}
