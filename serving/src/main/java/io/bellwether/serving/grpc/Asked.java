package io.bellwether.serving.grpc;

import io.bellwether.serving.deadline.DeadlineHeaders;
import io.bellwether.serving.decision.Ask;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.request.TraceContext;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * What a call says beside its message.
 *
 * @param headers its metadata, that of gRPC included; not changed any more
 * @param arrivedNanos when it began, {@link System#nanoTime}
 */
record Asked(Metadata headers, long arrivedNanos) {

  /** Of a call that begins now. */
  static Asked now(Metadata headers) {
    return new Asked(headers, System.nanoTime());
  }

  /**
   * The request that the call makes with this body.
   *
   * @throws ProblemException where a deadline cannot be read
   */
  Ask with(Ask.Body body) {
    return new Ask(
        null,
        body,
        arrivedNanos,
        DeadlineHeaders.budgetMillis(this::header),
        TraceContext.traceId(header(TraceContext.HEADER)));
  }

  private @Nullable String header(String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }
}
