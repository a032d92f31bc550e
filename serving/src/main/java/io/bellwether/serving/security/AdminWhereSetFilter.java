package io.bellwether.serving.security;

import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.ext.Provider;

/**
 * Turns away callers of what is {@link AdminWhereSet} whose key has no such scope, where there is
 * one. Thread-safe.
 */
@Provider
@Singleton
@AdminWhereSet
public final class AdminWhereSetFilter implements ContainerRequestFilter {

  /** Looked up with the first request: filters are made before any setting can be read. */
  private final Instance<ApiKeys> accepted;

  AdminWhereSetFilter(Instance<ApiKeys> accepted) {
    this.accepted = accepted;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    if (accepted.get().adminSet()) {
      AdminFilter.require(accepted.get(), request);
    }
  }
}
