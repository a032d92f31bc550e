package io.bellwether.serving.outcome;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;

/** {@code POST /v1/outcomes} and {@code POST /v1/outcomes:batch}: what people did. */
@Path("/v1")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public final class OutcomeResource {

  private static final int MULTI_STATUS = 207;

  private final OutcomeService service;

  OutcomeResource(OutcomeService service) {
    this.service = service;
  }

  /** 202 for one outcome, 207 for an array. */
  @POST
  @Path("outcomes")
  public CompletionStage<Response> take(byte[] body) {
    return service
        .take(body)
        .thenApply(
            taken ->
                Response.status(
                        taken instanceof OutcomeService.Batch
                            ? MULTI_STATUS
                            : Response.Status.ACCEPTED.getStatusCode())
                    .entity(taken)
                    .build());
  }

  /** 207 with one status per element, in their order. */
  @POST
  @Path("outcomes:batch")
  public CompletionStage<Response> takeBatch(byte[] body) {
    return service
        .takeBatch(body)
        .thenApply(batch -> Response.status(MULTI_STATUS).entity(batch).build());
  }
}
