package io.bellwether.infra.command;

import io.bellwether.policy.version.VersionId;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a version answer wherever the champion points. */
@Command(
    name = "pin",
    description = {
      "Let a version answer by default, wherever the champion points, until it is unpinned.",
      "It must be or have been the champion. Aliases can be moved meanwhile."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether policies pin v0123456789ab --why \"holidays\""})
final class PoliciesPinVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Parameters(paramLabel = "VERSION", description = "As policies lists it.")
  private VersionId version;

  /** Picocli sets the version before the verb runs. */
  @SuppressWarnings("NullAway.Init")
  PoliciesPinVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        clock,
        terminal,
        (store, who, why) ->
            store.releases().pin(store.version(version).name(), version, who, why));
  }
}
