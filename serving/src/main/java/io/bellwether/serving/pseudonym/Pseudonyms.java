package io.bellwether.serving.pseudonym;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.ServingConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What stands for subjects in everything that is kept: with {@code bellwether.subject-key} {@code
 * p.} and HMAC-SHA256 of the id's UTF-8 under that key (RFC 2104), base64 without padding for URLs;
 * without one the ids themselves. Whoever has the log and not the key can neither read nor guess
 * ids. Placeholders stand for nobody and stay. Immutable and thread-safe; about a microsecond a
 * call.
 */
@Singleton
public final class Pseudonyms {

  /** Ids as they come. */
  public static final Pseudonyms NONE = new Pseudonyms(Optional.empty(), List.of());

  private static final String ALGORITHM = "HmacSHA256";
  private static final String MARK = "p.";
  private static final Pattern FORM = Pattern.compile("p\\.[A-Za-z0-9_-]{43}");

  /** A shorter one could be guessed from a few pairs of ids and pseudonyms. */
  private static final int LEAST_KEY_CHARS = 16;

  private final Optional<SecretKeySpec> key;
  private final List<SecretKeySpec> former;
  private final ThreadLocal<Mac> macs = ThreadLocal.withInitial(Pseudonyms::mac);

  @Inject
  Pseudonyms(ServingConfig config) {
    this(config.subjectKey(), config.formerSubjectKeys().orElse(List.of()));
  }

  Pseudonyms(Optional<String> key, List<String> former) {
    this.key = key.map(word -> key("bellwether.subject-key", word));
    this.former = former.stream().map(word -> key("bellwether.former-subject-keys", word)).toList();
  }

  private static SecretKeySpec key(String setting, String word) {
    if (word.length() < LEAST_KEY_CHARS) {
      throw new IllegalStateException(
          "%s has %d characters, at least %d are needed"
              .formatted(setting, word.length(), LEAST_KEY_CHARS));
    }
    return new SecretKeySpec(word.getBytes(UTF_8), ALGORITHM);
  }

  /** Whether ids are replaced at all. */
  public boolean active() {
    return key.isPresent();
  }

  /** What stands for a subject from now on. */
  public String of(String subjectId) {
    return key.isEmpty() || Placeholders.isPlaceholder(subjectId)
        ? subjectId
        : pseudonym(key.get(), subjectId);
  }

  /**
   * What stands for a subject in a declaration, which may be sent again with what it said before: a
   * pseudonym stays.
   */
  public String ofDeclared(String subject) {
    return FORM.matcher(subject).matches() ? subject : of(subject);
  }

  /**
   * All that ever stood for a subject, the present first: also what was logged under earlier keys,
   * and before there was one.
   */
  public List<String> everOf(String subjectId) {
    Set<String> all = new LinkedHashSet<>();
    all.add(of(subjectId));
    all.add(subjectId);
    if (!Placeholders.isPlaceholder(subjectId)) {
      former.forEach(each -> all.add(pseudonym(each, subjectId)));
    }
    return new ArrayList<>(all);
  }

  /**
   * What tells a retry from another request, 64 hex digits: SHA-256 of the body, keyed where ids
   * are not to be guessed from it.
   */
  public String digest(byte[] body) {
    if (key.isPresent()) {
      return HexFormat.of().formatHex(hmac(key.get(), body));
    }
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private String pseudonym(SecretKeySpec with, String subjectId) {
    byte[] hash = hmac(with, subjectId.getBytes(UTF_8));
    return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  private byte[] hmac(SecretKeySpec with, byte[] text) {
    try {
      Mac mac = macs.get();
      mac.init(with);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  private static Mac mac() {
    try {
      return Mac.getInstance(ALGORITHM);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
