package io.bellwether.ingestion.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * That everything is to be forgotten that was decided for a subject up to a moment; what is decided
 * for it later is somebody's new past, and stays. A record of {@link Topics#ERASURES}, whose key is
 * {@link #key}. Immutable.
 *
 * <p>It does not name the subject: {@code subject} is a hash of the id that stands in the log, so
 * that whoever meets the id can tell that it is meant and nobody can read it here. Where ids can be
 * guessed (mail addresses), whoever holds the topic can test guesses, unless the log itself has
 * pseudonyms in the place of ids.
 *
 * @param subject {@link #hash} of the id, 64 hex digits
 * @param job the erasure's own id, 26 letters and digits
 * @param untilMicros microseconds since the epoch, inclusive
 */
public record Erasure(String subject, String job, long untilMicros) {

  private static final String SUBJECT = "subject/";
  private static final String DONE = "archive/";
  private static final byte[] DOMAIN = "bellwether-erasure\0".getBytes(UTF_8);
  private static final Pattern SUBJECT_HASH = Pattern.compile("[0-9a-f]{64}");

  /** Records of earlier releases name no job in their key. */
  private static final Pattern KEY = Pattern.compile("subject/([0-9a-f]{64})(?:/([0-9A-Z]{26}))?");

  private static final Pattern VALUE = Pattern.compile("v1 ([0-9A-Z]{26}) (\\d{1,18})");
  private static final Pattern ARCHIVED = Pattern.compile("v1 (\\d{1,9}) (\\d{1,18}) (\\d{1,18})");

  public Erasure {
    if (!SUBJECT_HASH.matcher(subject).matches()) {
      throw new IllegalArgumentException("no hash of a subject");
    }
    if (!VALUE.matcher("v1 " + job + " " + untilMicros).matches()) {
      throw new IllegalArgumentException("'" + job + "' until " + untilMicros + " is no erasure");
    }
  }

  /** What stands for a subject in these records: SHA-256 of its id, apart from other hashes. */
  public static String hash(String subjectId) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(DOMAIN);
      return HexFormat.of().formatHex(digest.digest(subjectId.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Another one for each job, so that no compaction of the topic drops an erasure that has no
   * receipt yet because its subject was erased again.
   */
  public String key() {
    return SUBJECT + subject + "/" + job;
  }

  /** The record's value. */
  public byte[] value() {
    return ("v1 " + job + " " + untilMicros).getBytes(UTF_8);
  }

  /** Reads a record; empty where it is another kind of record, or none of ours. */
  public static Optional<Erasure> read(@Nullable String key, byte @Nullable [] value) {
    if (key == null || value == null) {
      return Optional.empty();
    }
    Matcher subject = KEY.matcher(key);
    Matcher what = VALUE.matcher(text(value));
    return subject.matches()
            && what.matches()
            && (subject.group(2) == null || subject.group(2).equals(what.group(1)))
        ? Optional.of(new Erasure(subject.group(1), what.group(1), Long.parseLong(what.group(2))))
        : Optional.empty();
  }

  /**
   * That the archive holds nothing of the subject any more, under {@link #key}.
   *
   * @param filesRewritten files that had held something of it
   * @param decisionsRemoved decisions that were removed, with all that came of them
   * @param stateUntilMicros when the streams have let go of the last they still hold in memory and
   *     checkpoints; microseconds since the epoch
   */
  public record Archived(int filesRewritten, long decisionsRemoved, long stateUntilMicros) {

    /** The key of what the archive says of an erasure. */
    public static String key(Erasure erasure) {
      return DONE + erasure.subject() + "/" + erasure.job();
    }

    /** The record's value. */
    public byte[] value() {
      return ("v1 " + filesRewritten + " " + decisionsRemoved + " " + stateUntilMicros)
          .getBytes(UTF_8);
    }

    /** Reads a value; empty where it is none of ours. */
    public static Optional<Archived> read(byte[] value) {
      Matcher what = ARCHIVED.matcher(text(value));
      return what.matches()
          ? Optional.of(
              new Archived(
                  Integer.parseInt(what.group(1)),
                  Long.parseLong(what.group(2)),
                  Long.parseLong(what.group(3))))
          : Optional.empty();
    }
  }

  /** Whether a record says that an archive was cleared. */
  public static boolean isArchived(@Nullable String key) {
    return key != null && key.startsWith(DONE);
  }

  private static String text(byte[] value) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException e) {
      return "";
    }
  }
}
