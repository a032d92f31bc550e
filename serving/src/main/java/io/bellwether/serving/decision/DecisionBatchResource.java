package io.bellwether.serving.decision;

import io.bellwether.serving.deadline.DeadlineHeaders;
import io.bellwether.serving.request.TraceContext;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/decisions:batch}: many decisions in one call. */
@Path("/v1/decisions:batch")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public final class DecisionBatchResource {

  private static final int MULTI_STATUS = 207;

  private final Decisions decisions;

  DecisionBatchResource(Decisions decisions) {
    this.decisions = decisions;
  }

  /** 207 with one status per element, in their order, each as if it had come alone. */
  @POST
  public CompletionStage<Response> decideAll(@Context HttpHeaders headers, byte[] body) {
    Ask batch =
        new Ask(
            null,
            () -> body,
            System.nanoTime(),
            DeadlineHeaders.budgetMillis(headers::getHeaderString),
            TraceContext.traceId(headers.getHeaderString(TraceContext.HEADER)));
    return decisions
        .decideAll(batch)
        .thenApply(decided -> Response.status(MULTI_STATUS).entity(decided).build());
  }
}
