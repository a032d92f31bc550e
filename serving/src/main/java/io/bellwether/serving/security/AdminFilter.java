package io.bellwether.serving.security;

import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;

/** Turns away callers of {@link AdminOnly} resources whose key has no such scope. Thread-safe. */
@Provider
@Singleton
@AdminOnly
public final class AdminFilter implements ContainerRequestFilter {

  /** Looked up with the first request: filters are made before any setting can be read. */
  private final Instance<ApiKeys> accepted;

  AdminFilter(Instance<ApiKeys> accepted) {
    this.accepted = accepted;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    require(accepted.get(), request);
  }

  /** Turns the caller away where its key has no scope {@code admin}. */
  static void require(ApiKeys keys, ContainerRequestContext request) {
    boolean admin =
        keys.adminOpen()
            || ApiKeys.sent(
                    request.getHeaderString("X-API-Key"), request.getHeaderString("Authorization"))
                .filter(keys::admin)
                .isPresent();
    if (!admin) {
      throw new ProblemException(
          Problem.of(
              Slug.FORBIDDEN,
              "This needs the scope admin: one of the keys of bellwether.admin-keys."));
    }
  }
}
