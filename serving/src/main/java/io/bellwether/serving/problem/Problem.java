package io.bellwether.serving.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.ingestion.feature.Violation;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * A refusal as RFC 9457 writes it. Immutable.
 *
 * @param type {@code urn:bellwether:problem:{slug}}
 * @param title what kind of refusal it is
 * @param status the HTTP status
 * @param detail what was found in this request, and what would be right
 * @param traceId 32 hex digits that also stand in the log where there is something to say
 * @param errors each mistake with its JSON pointer; empty where there is no single place
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
    String type, String title, int status, String detail, String traceId, List<Entry> errors) {

  /** Media type of a problem. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String TYPE = "urn:bellwether:problem:";

  /** Beyond it a caller learns nothing more, and the answer outgrows the request. */
  private static final int MAX_ERRORS = 100;

  /**
   * One mistake.
   *
   * @param pointer JSON pointer as a URI fragment
   * @param detail what was found and what would be right
   */
  public record Entry(String pointer, String detail) {}

  public Problem {
    errors = List.copyOf(errors);
  }

  /** A refusal without a single place. */
  public static Problem of(Slug slug, String detail) {
    return of(slug, slug.status(), detail);
  }

  /** A refusal with a status of the framework's own. */
  static Problem of(Slug slug, int status, String detail) {
    return new Problem(TYPE + slug.text(), slug.title(), status, detail, trace(), List.of());
  }

  /** A refusal because of what stands at a place. */
  public static Problem at(Slug slug, String pointer, String detail) {
    return of(List.of(new Violation(slug.text(), pointer, detail)));
  }

  /** A refusal for these mistakes, at least one; the first one's kind is the problem's. */
  public static Problem of(List<Violation> violations) {
    Violation first = violations.get(0);
    Slug slug = Slug.ofCode(first.code());
    String more = violations.size() == 1 ? "" : " (and " + (violations.size() - 1) + " more)";
    return new Problem(
        TYPE + slug.text(),
        slug.title(),
        slug.status(),
        first.pointer() + " " + first.detail() + more,
        trace(),
        violations.stream()
            .limit(MAX_ERRORS)
            .map(v -> new Entry(v.pointer(), v.detail()))
            .toList());
  }

  /** What kind of refusal it is. */
  Slug slug() {
    return Slug.ofCode(type.substring(TYPE.length()));
  }

  private static String trace() {
    byte[] bytes = new byte[16];
    Traces.RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Opened with the first problem. */
  private static final class Traces {
    private static final SecureRandom RANDOM = new SecureRandom();
  }
}
