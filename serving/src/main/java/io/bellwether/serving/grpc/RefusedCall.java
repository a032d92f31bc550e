package io.bellwether.serving.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A problem as gRPC says it: a status, and in the trailers a {@code google.rpc.Status} with the
 * same as details. Shortened where it must be, since trailers are bounded by every client.
 *
 * @param status code and text
 * @param trailers the details, and the headers that the REST answer would have
 */
record RefusedCall(Status status, Metadata trailers) {

  private static final String DOMAIN = "bellwether";
  private static final String RETRY_AFTER = "Retry-After";

  /**
   * A client accepts 8 KiB of trailers by default, which also hold this in base 64 and the text.
   */
  private static final int DETAIL_BYTES = 3 << 10;

  private static final int TEXT_CHARS = 256;
  private static final int MAX_MISTAKES = 10;

  static RefusedCall of(ProblemException refusal) {
    Problem problem = refusal.problem();
    Metadata trailers = metadata(refusal.headers());
    com.google.rpc.Status.Builder details =
        com.google.rpc.Status.newBuilder()
            .setCode(code(problem).value())
            .setMessage(shortened(problem.detail()))
            .addDetails(
                Any.pack(
                    ErrorInfo.newBuilder()
                        .setDomain(DOMAIN)
                        .setReason(slug(problem).toUpperCase(Locale.ROOT).replace('-', '_'))
                        .putMetadata("status", Integer.toString(problem.status()))
                        .putMetadata("traceId", problem.traceId())
                        .build()));
    String seconds = refusal.headers().get(RETRY_AFTER);
    if (seconds != null) {
      details.addDetails(
          Any.pack(
              RetryInfo.newBuilder()
                  .setRetryDelay(Duration.newBuilder().setSeconds(Long.parseLong(seconds)))
                  .build()));
    }
    addMistakes(problem.errors(), details);
    StatusException refused = StatusProto.toStatusException(details.build(), trailers);
    return new RefusedCall(refused.getStatus(), trailers);
  }

  /** Headers of a REST answer, as metadata. */
  static Metadata metadata(Map<String, String> headers) {
    Metadata metadata = new Metadata();
    headers.forEach(
        (name, value) ->
            metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    return metadata;
  }

  private static void addMistakes(
      List<Problem.Entry> mistakes, com.google.rpc.Status.Builder details) {
    if (mistakes.isEmpty()) {
      return;
    }
    BadRequest.Builder request = BadRequest.newBuilder();
    int left = DETAIL_BYTES - details.build().getSerializedSize();
    for (Problem.Entry mistake : mistakes.subList(0, Math.min(MAX_MISTAKES, mistakes.size()))) {
      BadRequest.FieldViolation violation =
          BadRequest.FieldViolation.newBuilder()
              .setField(shortened(mistake.pointer()))
              .setDescription(shortened(mistake.detail()))
              .build();
      left -= violation.getSerializedSize();
      if (left < 0) {
        break;
      }
      request.addFieldViolations(violation);
    }
    details.addDetails(Any.pack(request.build()));
  }

  private static Status.Code code(Problem problem) {
    return switch (problem.status()) {
      case 401 -> Status.Code.UNAUTHENTICATED;
      case 403 -> Status.Code.PERMISSION_DENIED;
      case 404, 410 -> Status.Code.NOT_FOUND;
      case 409 ->
          is(Slug.REQUEST_IN_PROGRESS, problem)
              ? Status.Code.ABORTED
              : Status.Code.FAILED_PRECONDITION;
      case 412, 428 -> Status.Code.FAILED_PRECONDITION;
      case 422 ->
          is(Slug.IDEMPOTENCY_KEY_REUSED, problem)
              ? Status.Code.ALREADY_EXISTS
              : Status.Code.FAILED_PRECONDITION;
      case 413, 429 -> Status.Code.RESOURCE_EXHAUSTED;
      case 503 -> Status.Code.UNAVAILABLE;
      case 504 -> Status.Code.DEADLINE_EXCEEDED;
      default -> problem.status() < 500 ? Status.Code.INVALID_ARGUMENT : Status.Code.INTERNAL;
    };
  }

  private static boolean is(Slug slug, Problem problem) {
    return slug(problem).equals(slug.text());
  }

  private static String slug(Problem problem) {
    return problem.type().substring(problem.type().lastIndexOf(':') + 1);
  }

  /** Also without halves of characters, which a message cannot hold. */
  private static String shortened(String text) {
    String start = text.length() <= TEXT_CHARS ? text : text.substring(0, TEXT_CHARS) + "...";
    return JsonMessages.wellFormed(start);
  }
}
