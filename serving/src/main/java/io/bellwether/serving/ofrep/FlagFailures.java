package io.bellwether.serving.ofrep;

import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.problem.Problem;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;

/** Puts into the protocol's words whatever problem is on its way to a caller of it. */
@Provider
public final class FlagFailures implements ContainerResponseFilter {

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (!(response.getEntity() instanceof Problem problem)) {
      return;
    }
    String path = request.getUriInfo().getRequestUri().getRawPath();
    if (FlagFailure.speaks(path)) {
      response.setStatus(FlagFailure.status(problem));
      response.setEntity(
          FlagFailure.of(path, problem), new Annotation[0], MediaType.APPLICATION_JSON_TYPE);
    }
  }
}
