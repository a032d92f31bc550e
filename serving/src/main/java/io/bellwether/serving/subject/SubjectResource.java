package io.bellwether.serving.subject;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.Actor;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.request.PathText;
import io.bellwether.serving.security.AdminOnly;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.Encoded;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/subjects/{id}:erase}: forgets what was decided for somebody up to now. */
@Path("/v1/subjects")
@Produces(MediaType.APPLICATION_JSON)
@AdminOnly
@Blocking
public final class SubjectResource {

  private static final int ACCEPTED = 202;
  private static final int MOST_REASON_CHARS = 200;
  private static final byte[] NOTHING = "{}".getBytes(UTF_8);

  private final Erasures erasures;

  SubjectResource(Erasures erasures) {
    this.erasures = erasures;
  }

  /** 202, with the job that ends in a receipt as {@code Location}. */
  @POST
  @Path("{id}:erase")
  @Consumes({MediaType.APPLICATION_JSON, MediaType.WILDCARD})
  public Response erase(
      @PathParam("id") @Encoded String id,
      @HeaderParam(Actor.HEADER) @Nullable String actor,
      byte[] body) {
    String subject = PathText.decoded(id);
    if (!JsonFields.isForeignId(subject)) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "A subject's id is a text that is not blank, valid Unicode, at most "
              + Limits.STANDARD.idBytes()
              + " bytes in UTF-8.");
    }
    JsonFields fields =
        JsonFields.ofRequest(
                JsonBody.parse(body.length == 0 ? NOTHING : body, Limits.STANDARD.bodyBytes()))
            .only(Set.of("reason"));
    Optional<String> reason = fields.text("reason");
    if (reason.filter(text -> text.length() > MOST_REASON_CHARS).isPresent()) {
      fields.refuse("reason", "is kept for good, at most " + MOST_REASON_CHARS + " characters");
    }
    fields.check();
    Erasures.Progress asked = erasures.ask(subject, Actor.of(actor), reason.orElse(null));
    return Response.status(ACCEPTED)
        .header("Location", "/v1/erasures/" + asked.job())
        .entity(asked)
        .build();
  }
}
