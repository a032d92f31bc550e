package io.bellwether.infra.command;

import io.bellwether.policy.version.Alias;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says which aliases need a second person. */
@Command(
    name = "approvals",
    description = {
      "Say which aliases of a policy move only with the approval of a second person.",
      "To ask for fewer than now has to be approved itself. Taking a move back never needs"
          + " approval."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies approvals short-video champion --why \"four eyes\"",
      "  bellwether policies approvals short-video --why \"no longer needed\""
    })
final class PoliciesApprovalsVerb implements Callable<Integer> {
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final ReleaseOptions options = new ReleaseOptions();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "A policy; it is named as its surface.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ALIAS",
      description = "champion, challenger or shadow; none: they all move freely.")
  private List<Alias> aliases = List.of();

  PoliciesApprovalsVerb(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return options.run(
        clock,
        terminal,
        (store, who, why) -> {
          ReleaseOptions.requireKnown(store, name);
          return store.releases().requireApproval(name, Set.copyOf(aliases), who, why);
        });
  }
}
