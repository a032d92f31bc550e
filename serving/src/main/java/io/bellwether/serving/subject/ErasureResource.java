package io.bellwether.serving.subject;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.security.AdminOnly;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@code GET /v1/erasures/{job}}: how far an erasure has come, and its receipt. */
@Path("/v1/erasures")
@Produces(MediaType.APPLICATION_JSON)
@AdminOnly
@Blocking
public final class ErasureResource {

  private final Erasures erasures;

  ErasureResource(Erasures erasures) {
    this.erasures = erasures;
  }

  @GET
  @Path("{job}")
  public Erasures.Progress progress(@PathParam("job") String job) {
    return erasures
        .progress(job)
        .orElseThrow(
            () -> ProblemException.of(Slug.NOT_FOUND, "There is no erasure of that name."));
  }
}
