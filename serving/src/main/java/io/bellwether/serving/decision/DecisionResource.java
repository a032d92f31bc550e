package io.bellwether.serving.decision;

import io.bellwether.serving.deadline.DeadlineHeaders;
import io.bellwether.serving.explain.Explanation;
import io.bellwether.serving.exposure.Deferred;
import io.bellwether.serving.request.TraceContext;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
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

  private final Decisions decisions;
  private final DecisionExplainer explainer;
  private final Deferred deferred;

  DecisionResource(Decisions decisions, DecisionExplainer explainer, Deferred deferred) {
    this.decisions = decisions;
    this.explainer = explainer;
    this.deferred = deferred;
  }

  /**
   * 201 for a new decision, 200 for a repeated one and for a dry run.
   *
   * @param key the decision's id where the body has none
   */
  @POST
  public CompletionStage<Response> decide(
      @HeaderParam("Idempotency-Key") @Nullable String key,
      @Context HttpHeaders headers,
      byte[] body) {
    Ask ask =
        new Ask(
            key,
            () -> body,
            System.nanoTime(),
            DeadlineHeaders.budgetMillis(headers::getHeaderString),
            TraceContext.traceId(headers.getHeaderString(TraceContext.HEADER)));
    return decisions.decide(ask).thenApply(DecisionResource::response);
  }

  /**
   * 200: what was decided, from what, and what came of it so far.
   *
   * @param decidedAt about when, RFC 3339; only for ids that do not tell
   */
  @GET
  @Path("{id}")
  public CompletionStage<Explanation> explain(
      @PathParam("id") String id, @QueryParam("decidedAt") @Nullable String decidedAt) {
    return explainer.explain(id, decidedAt);
  }

  /** 204: a decision that was deferred is shown now; repeating it changes nothing. */
  @POST
  @Consumes(MediaType.WILDCARD)
  @Path("{id}:activate")
  public CompletionStage<Response> activate(@PathParam("id") String id) {
    return deferred.activate(id).thenApply(activated -> Response.noContent().build());
  }

  private static Response response(DecisionReply reply) {
    // Not Response.created: it asks for the request, of which workers know nothing.
    Response.ResponseBuilder response = Response.status(reply.status()).entity(reply.answer());
    reply.headers().forEach(response::header);
    return response.build();
  }
}
