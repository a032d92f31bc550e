package io.bellwether.serving.problem;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;

/** Turns every exception that reaches the edge into a problem. Faults of ours are logged, once. */
@Provider
public final class ProblemMapper implements ExceptionMapper<Throwable> {

  private static final Logger LOG = Logger.getLogger(ProblemMapper.class);

  @Override
  public Response toResponse(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    if (cause instanceof ProblemException refusal) {
      Response.ResponseBuilder answer = builder(refusal.problem());
      refusal.headers().forEach(answer::header);
      return answer.build();
    }
    if (cause instanceof WebApplicationException refused
        && refused.getResponse().getStatus() < Slug.INTERNAL.status()) {
      return ofFramework(refused.getResponse());
    }
    if (cause instanceof IOException) {
      return builder(Problem.of(Slug.INVALID_REQUEST, "The body broke off before its end."))
          .build();
    }
    Problem problem = Problem.of(Slug.INTERNAL, "The fault was logged under this trace id.");
    LOG.errorf(cause, "request failed, trace %s", problem.traceId());
    return builder(problem).build();
  }

  /** The refusal that is inside what asynchronous stages wrapped around it. */
  public static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static Response ofFramework(Response response) {
    Response.ResponseBuilder answer = builder(FrameworkProblems.of(response.getStatus()));
    String allow = response.getHeaderString("Allow");
    if (allow != null) {
      answer.header("Allow", allow);
    }
    return answer.build();
  }

  private static Response.ResponseBuilder builder(Problem problem) {
    return Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
  }
}
