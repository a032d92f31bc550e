package io.bellwether.serving.deadletter;

import io.bellwether.serving.request.Actor;
import io.bellwether.serving.security.AdminOnly;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code /v1/dead-letters}: events that were refused, to be looked at, fixed and sent again. */
@Path("/v1/dead-letters")
@Produces(MediaType.APPLICATION_JSON)
@AdminOnly
@NonBlocking
public final class DeadLetterResource {

  private static final String MERGE_PATCH = "application/merge-patch+json";

  private final DeadLetters letters;

  DeadLetterResource(DeadLetters letters) {
    this.letters = letters;
  }

  /**
   * Some letters, in the order of partitions and offsets.
   *
   * @param after RFC 3339; only what became a dead letter since
   */
  @GET
  public CompletionStage<LetterJson.Listed> list(
      @QueryParam("reason") @Nullable String reason,
      @QueryParam("surface") @Nullable String surface,
      @QueryParam("topic") @Nullable String topic,
      @QueryParam("after") @Nullable String after,
      @QueryParam("pageSize") @Nullable String pageSize,
      @QueryParam("pageToken") @Nullable String pageToken) {
    return letters
        .list(LetterQueries.of(reason, surface, topic, after, pageSize, pageToken))
        .thenApply(LetterJson::of);
  }

  /** One letter, with its original bytes and what they say. */
  @GET
  @Path("{id}")
  public CompletionStage<LetterJson> get(@PathParam("id") String id) {
    return letters.get(LetterQueries.id(id)).thenApply(LetterJson::whole);
  }

  /** Says what to send in the place of the original bytes: other fields of the event, or bytes. */
  @PATCH
  @Path("{id}")
  @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
  public CompletionStage<LetterJson> fix(
      @PathParam("id") String id, @HeaderParam(Actor.HEADER) @Nullable String actor, byte[] body) {
    LetterId letter = LetterQueries.id(id);
    LetterFix fix = LetterFix.read(body);
    return letters.fix(letter, fix::bytes, Actor.of(actor), fix.why()).thenApply(LetterJson::whole);
  }

  /** Sends a letter to the topic that it came from; a second time it changes nothing. */
  @POST
  @Path("{id}:replay")
  @Consumes(MediaType.WILDCARD)
  public CompletionStage<LetterJson> replay(
      @PathParam("id") String id, @HeaderParam(Actor.HEADER) @Nullable String actor) {
    return letters
        .replay(List.of(LetterQueries.id(id)), Actor.of(actor))
        .thenApply(entries -> LetterJson.brief(entries.get(0)));
  }
}
