package io.bellwether.serving.deadletter;

import io.bellwether.serving.request.Actor;
import io.bellwether.serving.security.AdminOnly;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/dead-letters:replay}: sends several letters again, all of them or none. */
@Path("/v1/dead-letters:replay")
@Produces(MediaType.APPLICATION_JSON)
@AdminOnly
@NonBlocking
public final class DeadLetterReplayResource {

  private final DeadLetters letters;

  DeadLetterReplayResource(DeadLetters letters) {
    this.letters = letters;
  }

  /** Where they stand now, in the order of the request. */
  public record Replayed(List<LetterJson> items) {
    public Replayed {
      items = List.copyOf(items);
    }
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Replayed> replay(
      @HeaderParam(Actor.HEADER) @Nullable String actor, byte[] body) {
    return letters
        .replay(LetterQueries.ids(body), Actor.of(actor))
        .thenApply(entries -> new Replayed(entries.stream().map(LetterJson::brief).toList()));
  }
}
