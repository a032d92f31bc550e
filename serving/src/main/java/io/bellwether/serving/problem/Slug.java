package io.bellwether.serving.problem;

/** Kinds of refusal, each with its status; the slug is the last part of a problem's type. */
public enum Slug {
  INVALID_REQUEST("invalid-request", 400, "The request is not valid"),
  UNKNOWN_FIELD("unknown-field", 400, "The request has a field that is not known"),
  VALUE_OUT_OF_RANGE("value-out-of-range", 400, "A value is out of its range"),
  TOO_MANY_CANDIDATES("too-many-candidates", 400, "There are too many candidates"),
  TARGETING_KEY_MISSING("targeting-key-missing", 400, "The flag is chosen by subject"),
  INVALID_CONTEXT("invalid-context", 400, "The evaluation context is not valid"),
  UNAUTHENTICATED("unauthenticated", 401, "A valid API key is needed"),
  FORBIDDEN("forbidden", 403, "The key may not do this"),
  NOT_FOUND("not-found", 404, "There is nothing here"),
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "The method does not apply here"),
  NOT_ACCEPTABLE("not-acceptable", 406, "The answer has no such representation"),
  REQUEST_IN_PROGRESS("request-in-progress", 409, "The same request is being answered"),
  ACTIVATION_WINDOW_CLOSED(
      "activation-window-closed", 409, "The decision can no longer be activated"),
  STATE_CONFLICT("state-conflict", 409, "The state has changed meanwhile"),
  ETAG_MISMATCH("etag-mismatch", 412, "The resource has changed meanwhile"),
  PAYLOAD_TOO_LARGE("payload-too-large", 413, "The request is too large"),
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The body's media type is not supported"),
  IDEMPOTENCY_KEY_REUSED("idempotency-key-reused", 422, "The id was used for another request"),
  EVALUATION_NOT_PASSED("evaluation-not-passed", 422, "The version has not passed its gate"),
  PRECONDITION_REQUIRED("precondition-required", 428, "The request must say what it changes"),
  RATE_LIMITED("rate-limited", 429, "Too many requests are in progress"),
  INTERNAL("internal", 500, "The service has failed"),
  UNAVAILABLE("unavailable", 503, "The service cannot answer now");

  private final String text;
  private final int status;
  private final String title;

  Slug(String text, int status, String title) {
    this.text = text;
    this.status = status;
    this.title = title;
  }

  /** As it stands in a problem's type: {@code urn:bellwether:problem:{text}}. */
  public String text() {
    return text;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The same sentence for all problems of this kind. */
  public String title() {
    return title;
  }

  /** The kind that a violation's code names. */
  static Slug ofCode(String code) {
    for (Slug slug : values()) {
      if (slug.text.equals(code)) {
        return slug;
      }
    }
    return INVALID_REQUEST;
  }

  /** The kind for a status that the framework chose. */
  static Slug ofStatus(int status) {
    for (Slug slug : values()) {
      if (slug.status == status) {
        return slug;
      }
    }
    return status < 500 ? INVALID_REQUEST : INTERNAL;
  }
}
