package io.bellwether.infra.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All that can be done with surface declarations. */
@Command(
    name = "surfaces",
    description = "List or check surface declarations, or write their JSON Schema.",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether surfaces list",
      "  bellwether surfaces validate my/surfaces/*.yaml",
      "  bellwether surfaces schema > surface.schema.json"
    })
final class SurfacesVerb implements Runnable {
  @Spec private CommandSpec spec;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  SurfacesVerb() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do with surfaces: list, validate or schema.");
  }
}
