package io.bellwether.serving.ofrep;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /ofrep/v1/evaluate/flags[/{key}]}: which value has this flag for this subject? */
@Path("/ofrep/v1/evaluate/flags")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public final class FlagResource {

  private static final String ETAG = "ETag";

  private final FlagService service;

  FlagResource(FlagService service) {
    this.service = service;
  }

  /** The body of a bulk answer. */
  public record Bulk(List<Object> flags) {}

  /** One flag. */
  @POST
  @Path("{key}")
  public CompletionStage<FlagAnswer> one(@PathParam("key") String key, byte[] body) {
    return service.one(key, body);
  }

  /** All flags; 304 where the client has them already. */
  @POST
  public CompletionStage<Response> all(
      @HeaderParam("If-None-Match") @Nullable String known, byte[] body) {
    return service.all(body, known).thenApply(FlagResource::response);
  }

  private static Response response(BulkAnswer answer) {
    if (answer instanceof BulkAnswer.Unchanged unchanged) {
      return Response.notModified().header(ETAG, unchanged.tag()).build();
    }
    BulkAnswer.Flags answered = (BulkAnswer.Flags) answer;
    Response.ResponseBuilder response = Response.ok(new Bulk(answered.flags()));
    answered.tag().ifPresent(tag -> response.header(ETAG, tag));
    return response.build();
  }
}
