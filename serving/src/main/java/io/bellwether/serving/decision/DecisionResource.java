package io.bellwether.serving.decision;

import io.bellwether.serving.decision.DecisionService.Decided;
import io.bellwether.serving.exposure.Deferred;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/decisions}: which of these items, in which order, for this subject, now? */
@Path("/v1/decisions")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public final class DecisionResource {

  private final DecisionService service;
  private final Deferred deferred;

  DecisionResource(DecisionService service, Deferred deferred) {
    this.service = service;
    this.deferred = deferred;
  }

  /**
   * 201 for a new decision, 200 for a repeated one and for a dry run.
   *
   * @param key the decision's id where the body has none
   */
  @POST
  public CompletionStage<Response> decide(
      @HeaderParam("Idempotency-Key") @Nullable String key, byte[] body) {
    return service.decide(key, body).thenApply(DecisionResource::response);
  }

  /** 204: a decision that was deferred is shown now; repeating it changes nothing. */
  @POST
  @Consumes(MediaType.WILDCARD)
  @Path("{id}:activate")
  public CompletionStage<Response> activate(@PathParam("id") String id) {
    return deferred.activate(id).thenApply(activated -> Response.noContent().build());
  }

  private static Response response(Decided decided) {
    DecisionAnswer answer = DecisionAnswer.of(decided.decision());
    Response.ResponseBuilder response =
        switch (decided.kind()) {
          // Not Response.created: it asks for the request, of which workers know nothing.
          case MADE ->
              Response.status(Response.Status.CREATED)
                  .header("Location", "/v1/decisions/" + answer.decisionId());
          case REPLAYED -> Response.ok().header("Idempotency-Replayed", "true");
          case DRY_RUN -> Response.ok();
        };
    if (answer.degraded() != null) {
      response.header("Bellwether-Degraded", answer.degraded().reason());
    }
    return response.entity(answer).build();
  }
}
