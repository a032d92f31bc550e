package io.bellwether.loadtest.experiment;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyStore;
import java.net.URI;

/**
 * A running service that nobody else uses, with the product's own ranking as its champion.
 *
 * @param url without the {@code /v1}; asks for no key
 * @param surface of the simulated product
 * @param store that it serves from
 */
public record SystemUnderTest(URI url, Surface surface, PolicyStore store) {

  /** Starts one for a round, hands it out, and stops it. */
  @FunctionalInterface
  public interface Starter {
    LiveResult with(int round, Use use) throws Exception;
  }

  /** What is done with it. */
  @FunctionalInterface
  public interface Use {
    LiveResult apply(SystemUnderTest system) throws Exception;
  }
}
