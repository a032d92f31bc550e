package io.bellwether.serving.problem;

/** What is said where the framework refused before the service saw the request. */
public final class FrameworkProblems {

  private FrameworkProblems() {}

  /** The problem for a status of the framework's. */
  public static Problem of(int status) {
    return Problem.of(Slug.ofStatus(status), status, detail(status));
  }

  private static String detail(int status) {
    return switch (status) {
      case 404 -> "No resource has this path; GET /openapi lists them.";
      case 405 -> "The resource does not know this method; the header Allow lists those it knows.";
      case 406 -> "Answers are application/json; the header Accept must allow it.";
      case 413 -> "The body is larger than GET /v1/limits allows.";
      case 415 -> "Bodies are application/json; the header Content-Type must say so.";
      default -> "The request could not be read as HTTP.";
    };
  }
}
