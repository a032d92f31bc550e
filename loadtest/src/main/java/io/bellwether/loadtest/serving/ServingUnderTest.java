package io.bellwether.loadtest.serving;

import io.bellwether.policy.version.PolicyStore;
import java.net.URI;
import java.nio.file.Path;

/**
 * A running service that nobody else uses.
 *
 * @param base its address
 * @param grpcPort on the same host
 * @param pid its process
 * @param log what it prints
 * @param store that it follows
 * @param surfaces folder of its declarations
 * @param redis {@code redis://host:port}, where it looks for histories
 * @param pauses where its JVM notes every stop of all threads, as {@code -Xlog:safepoint} does
 * @param jcmd the JDK's tool that asks a JVM about itself
 */
public record ServingUnderTest(
    URI base,
    int grpcPort,
    long pid,
    Path log,
    PolicyStore store,
    Path surfaces,
    String redis,
    Path pauses,
    Path jcmd) {

  /** Where services come from. */
  public interface Source {

    /** Starts one, uses it, and stops it. */
    ServingResult with(Use use) throws Exception;
  }

  /** What is done with one. */
  public interface Use {
    ServingResult apply(ServingUnderTest service) throws Exception;
  }
}
