package io.bellwether.serving.ofrep;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.request.JsonBody;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entity tag of a bulk answer: the same as long as the experiments' states, what is declared of
 * the context, and the answers that follow from them are the same. The ids of decisions are not in
 * it: a client that is told that nothing has changed keeps those that it has. So that these are
 * still good then, the tag changes after half the time in which a decision can be activated and
 * have outcomes. Confined to one thread.
 */
final class BulkTag {

  private static final Pattern TAG = Pattern.compile("(?:W/)?(\"[^\"]*\")");

  /** 128 bits are more than enough against chance, and a caller gains nothing by a collision. */
  private static final int BYTES = 16;

  private final MessageDigest digest = sha256();
  private final Instant now;
  private final Duration activationWindow;

  /**
   * @param activationWindow how long a decision can be activated, if its outcomes' windows do not
   *     end before
   */
  BulkTag(@Nullable String targetingKey, Instant now, Duration activationWindow) {
    this.now = now;
    this.activationWindow = activationWindow;
    add(targetingKey == null ? "" : targetingKey);
  }

  /** Takes in a flag's answer. */
  void add(Evaluation evaluation) {
    add(evaluation.key());
    add(Long.toString(evaluation.flag().state().sequence()));
    add(evaluation.reason().name());
    add(evaluation.flag().variant().name());
    add(JsonBody.write(evaluation.attributes()));
    if (evaluation.assigned().isPresent()) {
      add(Long.toString(now.toEpochMilli() / keptMillis(evaluation)));
    }
  }

  private long keptMillis(Evaluation evaluation) {
    Duration outcomes = evaluation.surface().surface().longestWindow();
    Duration good = outcomes.compareTo(activationWindow) < 0 ? outcomes : activationWindow;
    return Math.max(1, good.toMillis() / 2);
  }

  /** Takes in a flag's failure. */
  void add(FlagFailure failure) {
    add(failure.key());
    add(failure.errorCode().name());
    add(failure.errorDetails());
  }

  /** The tag, a strong one, with its quotes; nothing can be added afterwards. */
  String text() {
    return '"' + HexFormat.of().formatHex(digest.digest(), 0, BYTES) + '"';
  }

  /** Whether a header {@code If-None-Match} names the tag. */
  static boolean matches(@Nullable String header, String tag) {
    if (header == null) {
      return false;
    }
    Matcher tags = TAG.matcher(header);
    while (tags.find()) {
      if (tags.group(1).equals(tag)) {
        return true;
      }
    }
    return false;
  }

  /** Length first, so that no two lists of texts look the same. */
  private void add(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
