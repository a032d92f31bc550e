package io.bellwether.serving.problem;

import org.jboss.logging.Logger;

/** What a caller is told of whatever a request failed with. */
public final class Refusals {

  private static final Logger LOG = Logger.getLogger(Refusals.class);

  private Refusals() {}

  /** The refusal that is inside; anything else is a fault of ours, logged here under its trace. */
  public static ProblemException of(Throwable thrown) {
    Throwable cause = ProblemMapper.unwrapped(thrown);
    if (cause instanceof ProblemException refusal) {
      return refusal;
    }
    Problem problem = Problem.of(Slug.INTERNAL, "The fault was logged under this trace id.");
    LOG.errorf(cause, "request failed, trace %s", problem.traceId());
    return new ProblemException(problem);
  }
}
