package io.bellwether.serving.problem;

import io.bellwether.ingestion.feature.Violation;
import java.util.List;
import java.util.Map;

/**
 * A refusal on its way to the caller. It is an answer and not a fault, so it has no stack trace.
 */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final transient Map<String, String> headers;

  public ProblemException(Problem problem) {
    this(problem, Map.of());
  }

  /**
   * @param headers of the answer, beside its media type
   */
  public ProblemException(Problem problem, Map<String, String> headers) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
    this.headers = Map.copyOf(headers);
  }

  /** A refusal without a single place. */
  public static ProblemException of(Slug slug, String detail) {
    return new ProblemException(Problem.of(slug, detail));
  }

  /** A refusal that asks to come back. */
  public static ProblemException retryAfter(Slug slug, int seconds, String detail) {
    return new ProblemException(
        Problem.of(slug, detail), Map.of("Retry-After", Integer.toString(seconds)));
  }

  /** Refuses where there is a violation. */
  public static void throwIfAny(List<Violation> violations) {
    if (!violations.isEmpty()) {
      throw new ProblemException(Problem.of(violations));
    }
  }

  public Problem problem() {
    return problem;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
