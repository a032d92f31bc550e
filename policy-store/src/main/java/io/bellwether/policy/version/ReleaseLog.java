package io.bellwether.policy.version;

import io.bellwether.policy.object.CorruptObjectException;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.Journal;
import io.bellwether.policy.object.ObjectId;
import io.bellwether.policy.signature.Envelope;
import io.bellwether.policy.signature.KeyId;
import io.bellwether.policy.signature.SigningKey;
import io.bellwether.policy.signature.TrustedKeys;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one log of all releases, {@code log/{sequence}.json}: what was done to any policy, each entry
 * with the hash of the one before, and in a DSSE envelope where its writer has a key. Its sum is
 * where each policy stands.
 *
 * <p>A reader follows the log to its first entry that is not as it must be: altered, out of the
 * chain, against the rules, or vouched for by nobody whose word counts. Beyond it nothing is
 * followed or written, until the log is mended. An entry {@code ADOPTED} vouches for all before it.
 * What was read once is held against what is there later, so that nobody can take the end of the
 * log away or put an earlier one in its place.
 *
 * <p>To write is to create the next number; of any number of writers one does, and the others look
 * again. Thread-safe, and safe among processes that share the depot.
 */
final class ReleaseLog {

  /** The media type of a signed entry. */
  static final String TYPE = "application/vnd.bellwether.release+json";

  private static final String FOLDER = "log";
  private static final String MOVES = "moves";
  private static final byte ENVELOPE_HINT = (byte) 'p';

  /** So often one of the earlier entries is held against what was read, each in its turn. */
  private static final int LOOKS_PER_ROUND = 8;

  private final Depot depot;
  private final Journal journal;
  private final Guard guard;
  private final @Nullable SigningKey key;
  private final LogMemory memory;

  // All below is guarded by this.
  private final List<Entry> entries = new ArrayList<>();
  private List<AliasMove> before = List.of();
  private Ledger ledger = new Ledger();
  private int followed;
  private @Nullable String defect;
  private boolean unvouchedOnly;
  private @Nullable TrustedKeys checkedWith;
  private int looks;

  /**
   * An entry that is in the chain.
   *
   * @param signer absent where nobody who is trusted signed it
   * @param unvouched why nobody vouches for it; absent where somebody does
   * @param revoked whether a revoked key signed it: worse than nobody
   */
  private record Entry(
      Release release,
      String sha256,
      @Nullable KeyId signer,
      @Nullable String unvouched,
      boolean revoked) {}

  /** What to write next, given what there is; refuses by throwing. */
  interface Draft {
    Release of(Ledger ledger, long sequence, String previous);
  }

  ReleaseLog(Depot depot, Guard guard, @Nullable SigningKey key) {
    this.depot = depot;
    this.journal = new Journal(depot, FOLDER);
    this.guard = guard;
    this.key = key;
    this.memory = new LogMemory(guard.memory());
  }

  /**
   * What can be followed of the log, which may be less than there is.
   *
   * @return what the function makes of it, which must not keep the ledger
   */
  synchronized <T> T followed(Function<Ledger, T> use) {
    look();
    return use.apply(ledger);
  }

  /**
   * The whole log.
   *
   * @throws BrokenLogException where not all of it can be followed
   */
  synchronized <T> T whole(Function<Ledger, T> use) {
    look();
    requireSound();
    return use.apply(ledger);
  }

  /** Why the log cannot be followed to its end; empty where it can. */
  synchronized Optional<String> defect() {
    look();
    return Optional.ofNullable(defect);
  }

  /** Reads everything again, and says why it cannot be followed to its end. */
  synchronized Optional<String> audit() {
    entries.clear();
    return defect();
  }

  /** The entries that can be followed, in their order. */
  synchronized List<Release> releases() {
    look();
    return entries.subList(0, followed).stream().map(Entry::release).toList();
  }

  /** By the entry's number, the trusted key that signed it. */
  synchronized Map<Long, KeyId> signers() {
    look();
    Map<Long, KeyId> signers = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.signer() != null) {
        signers.put(entry.release().sequence(), entry.signer());
      }
    }
    return signers;
  }

  /** The moves that were made before there was a log, unless it has taken them over. */
  synchronized List<AliasMove> before() {
    look();
    return defect == null ? before : List.of();
  }

  /** The version that answered by default when the log was last sound, by policy. */
  synchronized Map<String, VersionId> lastGood() {
    look();
    if (memory.mark().sequence() > followed) {
      return memory.mark().serving();
    }
    return serving();
  }

  /**
   * Writes the next entry.
   *
   * @param draft is asked again whenever somebody else has written meanwhile
   * @throws BrokenLogException where the log cannot be followed: nothing is built on that
   * @throws PromotionRefusedException where entries have to be signed and there is no key to do so
   */
  Release append(Draft draft) {
    return append(draft, key, false);
  }

  /** Writes an entry that vouches with a key for everything before it. */
  Release adopt(SigningKey with, Draft draft) {
    return append(draft, with, true);
  }

  private synchronized Release append(Draft draft, @Nullable SigningKey with, boolean adopting) {
    requireKey(with);
    while (true) {
      look();
      if (!adopting || !adoptable()) {
        requireSound();
      }
      boolean begins = entries.isEmpty() && !before.isEmpty();
      long sequence = entries.size() + 1L;
      String previous = entries.isEmpty() ? "" : entries.get(entries.size() - 1).sha256();
      Release release = draft.of(ledger, sequence, previous);
      if (begins) {
        release = beginning(release);
      }
      // An entry that breaks a rule would be followed by nobody, and nothing after it.
      Ledger trial = sumOf(entries.size());
      if (entries.isEmpty() && !begins) {
        trial.takeAll(before);
      }
      trial.apply(release);
      byte[] bytes = bytesOf(release, with);
      if (journal.append(sequence, bytes) || isThere(sequence, bytes)) {
        look();
        if (!begins || adopting) {
          return release;
        }
        // Its draft is still to be written, after the moves of before.
      }
    }
  }

  /** The entry that takes over the moves which were made before there was a log. */
  private Release beginning(Release first) {
    return new Release(
        1,
        "",
        first.nonce(),
        ReleaseKind.BEGUN,
        null,
        null,
        null,
        null,
        null,
        before,
        null,
        first.who(),
        first.why(),
        first.at());
  }

  private void requireKey(@Nullable SigningKey with) {
    if (guard.required() && (with == null || !guard.keys().get().ids().contains(with.id()))) {
      throw new PromotionRefusedException(
          with == null
              ? "releases have to be signed, and there is no key here to sign with"
              : "releases have to be signed by a trusted key, and key " + with.id() + " is none");
    }
  }

  private static byte[] bytesOf(Release release, @Nullable SigningKey with) {
    byte[] bytes = release.toBytes();
    return with == null ? bytes : Envelope.sign(bytes, TYPE, with).toBytes();
  }

  /** A write that was answered by an error may have been done: then this is what was written. */
  private boolean isThere(long sequence, byte[] bytes) {
    return depot.read(name(sequence)).filter(found -> Arrays.equals(found, bytes)).isPresent();
  }

  private void requireSound() {
    if (defect != null) {
      throw new BrokenLogException(defect);
    }
  }

  /** Whether all that ails the log is that nobody vouches for it, which an adoption mends. */
  private boolean adoptable() {
    return defect == null || unvouchedOnly;
  }

  private void look() {
    TrustedKeys trusted = guard.keys().get();
    looks = (looks + 1) & Integer.MAX_VALUE;
    if (defect != null || trusted != checkedWith || !isAsItWas()) {
      entries.clear();
      checkedWith = trusted;
    }
    boolean fresh = entries.isEmpty();
    if (fresh) {
      ledger = new Ledger();
      before = List.of();
    }
    int known = entries.size();
    String broken = readOnOrForget(trusted, fresh);
    if (!fresh && entries.size() == known && broken == null && defect == null) {
      return;
    }
    judge(broken);
  }

  /**
   * What was read before the depot failed was judged by nobody, and must not count as if it was.
   */
  private @Nullable String readOnOrForget(TrustedKeys trusted, boolean fresh) {
    boolean done = false;
    try {
      String broken = readOn(trusted, fresh);
      done = true;
      return broken;
    } finally {
      if (!done) {
        entries.clear();
        before = List.of();
        ledger = new Ledger();
        followed = 0;
      }
    }
  }

  /** Whether the last entry is what was read, and an earlier one, another at each round. */
  private boolean isAsItWas() {
    if (entries.isEmpty()) {
      return true;
    }
    boolean round = looks % LOOKS_PER_ROUND == 0;
    return isAsItWas(entries.get(entries.size() - 1))
        && (!round || isAsItWas(entries.get(looks / LOOKS_PER_ROUND % entries.size())));
  }

  private boolean isAsItWas(Entry entry) {
    return depot
        .read(name(entry.release().sequence()))
        .filter(bytes -> ObjectId.of(bytes).sha256().equals(entry.sha256()))
        .isPresent();
  }

  /** Reads what is new; says why not all of it is in the chain, absent where it is. */
  private @Nullable String readOn(TrustedKeys trusted, boolean fresh) {
    long last = fresh ? journal.last() : 0;
    if (fresh && last == 0) {
      return readBefore();
    }
    while (true) {
      long sequence = entries.size() + 1L;
      Optional<byte[]> bytes = depot.read(name(sequence));
      if (bytes.isEmpty()) {
        return sequence <= last ? "entry " + sequence + " of the release log is missing" : null;
      }
      try {
        Entry entry = read(sequence, bytes.get(), trusted);
        ledger.apply(entry.release());
        entries.add(entry);
      } catch (IllegalArgumentException e) {
        ledger = sumOf(entries.size());
        return "entry %d of the release log %s".formatted(sequence, e.getMessage());
      } catch (RuntimeException e) {
        // Whatever somebody put there is a reason to go no further, and to say so.
        ledger = sumOf(entries.size());
        return "entry %d of the release log cannot be followed: %s".formatted(sequence, e);
      }
    }
  }

  /** The moves of a store from the time when each alias had a journal of its own. */
  private @Nullable String readBefore() {
    List<AliasMove> moves = new ArrayList<>();
    try {
      for (String name : depot.folders(MOVES)) {
        for (Alias alias : Alias.values()) {
          String folder = MOVES + "/" + name + "/" + alias.word();
          for (byte[] bytes : new Journal(depot, folder).readAll()) {
            moves.add(move(bytes));
          }
        }
      }
      ledger.takeAll(moves);
      before = List.copyOf(moves);
      return null;
    } catch (IllegalArgumentException | CorruptObjectException e) {
      ledger = new Ledger();
      return "a move from before there was a release log: " + e.getMessage();
    }
  }

  private static AliasMove move(byte[] bytes) {
    try {
      return AliasMove.fromBytes(bytes);
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException("it cannot be read", e);
    }
  }

  private Entry read(long sequence, byte[] bytes, TrustedKeys trusted) {
    Entry entry = signed(bytes) ? readSigned(bytes, trusted) : readPlain(bytes);
    Release release = entry.release();
    String previous = entries.isEmpty() ? "" : entries.get(entries.size() - 1).sha256();
    if (release.sequence() != sequence) {
      throw new IllegalArgumentException("is entry " + release.sequence() + " in its place");
    }
    if (!release.previous().equals(previous)) {
      throw new IllegalArgumentException("does not follow the entry before it");
    }
    return entry;
  }

  /** An envelope's first field is its payload; an entry's is none that begins so. */
  private static boolean signed(byte[] bytes) {
    return bytes.length > 2 && bytes[2] == ENVELOPE_HINT && bytes.length > 5 && bytes[5] == 'l';
  }

  private static Entry readPlain(byte[] bytes) {
    return new Entry(parse(bytes), ObjectId.of(bytes).sha256(), null, "is not signed", false);
  }

  private static Release parse(byte[] bytes) {
    try {
      return Release.fromBytes(bytes);
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException("cannot be read", e);
    }
  }

  private static Entry readSigned(byte[] bytes, TrustedKeys trusted) {
    Envelope envelope = Envelope.fromBytes(bytes);
    if (!envelope.payloadType().equals(TYPE) || !envelope.isWrittenAs(bytes)) {
      throw new IllegalArgumentException("was altered: it is no envelope of a release as written");
    }
    Optional<KeyId> signer = envelope.signer(trusted);
    if (signer.isEmpty() && envelope.claims(trusted)) {
      throw new IllegalArgumentException("was altered: it names a key that did not sign it");
    }
    Optional<KeyId> revoked = envelope.revoked(trusted);
    String unvouched =
        signer.isPresent()
            ? null
            : revoked
                .map(key -> "is signed with key " + key + ", which was revoked")
                .orElse("is signed by nobody who is trusted");
    return new Entry(
        parse(envelope.statement()),
        ObjectId.of(bytes).sha256(),
        signer.orElse(null),
        unvouched,
        signer.isEmpty() && revoked.isPresent());
  }

  /** Decides how far the log is followed. */
  private void judge(@Nullable String broken) {
    defect = broken;
    unvouchedOnly = false;
    followed = entries.size();
    checkVouched(broken);
    checkRemembered();
    if (followed < entries.size()) {
      ledger = sumOf(followed);
    }
    if (defect == null && followed > memory.mark().sequence()) {
      memory.remember(new LogMemory.Mark(followed, entries.get(followed - 1).sha256(), serving()));
    }
  }

  private void checkVouched(@Nullable String broken) {
    if (guard.required() && entries.isEmpty() && !before.isEmpty()) {
      unvouched("the moves from before there was a release log are not signed", broken);
      ledger = new Ledger();
      return;
    }
    int vouched = 0;
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).release().kind() == ReleaseKind.ADOPTED && isGood(entries.get(i))) {
        vouched = i + 1;
      }
    }
    for (int i = vouched; i < entries.size(); i++) {
      if (!isGood(entries.get(i))) {
        unvouched(
            "entry %d of the release log %s".formatted(i + 1, entries.get(i).unvouched()), broken);
        followed = i;
        return;
      }
    }
  }

  private void unvouched(String what, @Nullable String broken) {
    defect = what + ": look at `policies log`, and vouch for it with `policies sign --log`";
    unvouchedOnly = broken == null;
  }

  private boolean isGood(Entry entry) {
    return entry.unvouched() == null || (!guard.required() && !entry.revoked());
  }

  private void checkRemembered() {
    LogMemory.Mark mark = memory.mark();
    if (mark.sequence() == 0) {
      return;
    }
    String found =
        mark.sequence() <= entries.size() ? entries.get((int) mark.sequence() - 1).sha256() : "";
    if (found.equals(mark.sha256())) {
      return;
    }
    if (found.isEmpty() && defect != null) {
      return; // It ends before, and why is said already.
    }
    defect =
        (found.isEmpty()
                ? "the release log ends with entry %d, and entry %d was seen"
                    .formatted(entries.size(), mark.sequence())
                : "entry %2$d of the release log is another one than was seen"
                    .formatted(entries.size(), mark.sequence()))
            + memory
                .file()
                .map(file -> ": restore it; or, where that was on purpose, remove " + file)
                .orElse("");
    unvouchedOnly = false;
    followed = (int) Math.min(followed, mark.sequence() - 1);
  }

  private Map<String, VersionId> serving() {
    Map<String, VersionId> serving = new HashMap<>();
    for (String name : ledger.names()) {
      ledger.standing(name).serving().ifPresent(version -> serving.put(name, version));
    }
    return serving;
  }

  private Ledger sumOf(int count) {
    Ledger sum = new Ledger();
    entries.subList(0, count).forEach(entry -> sum.apply(entry.release()));
    return sum;
  }

  private static String name(long sequence) {
    return FOLDER + "/" + String.format(Locale.ROOT, "%08d.json", sequence);
  }
}
