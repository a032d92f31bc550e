package io.bellwether.serving.request;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@code GET /v1/limits}: the bounds of requests. */
@Path("/v1/limits")
@Produces(MediaType.APPLICATION_JSON)
public final class LimitsResource {

  @GET
  public Limits limits() {
    return Limits.STANDARD;
  }
}
