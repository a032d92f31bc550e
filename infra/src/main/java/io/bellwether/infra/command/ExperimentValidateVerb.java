package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Checks a declaration without creating anything. */
@Command(
    name = "validate",
    description = {
      "Check a declaration against the running service, its surfaces, versions and layers, without"
          + " creating anything.",
      "Exits 2 where it has mistakes, and names all of them."
    },
    footerHeading = "%nExamples:%n",
    footer = "  bellwether experiments validate my.yaml")
final class ExperimentValidateVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(paramLabel = "FILE", description = "The declaration.")
  private Path file = Path.of("");

  ExperimentValidateVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode valid = service.client().post("/v1/experiments:validate", ExperimentLines.read(file));
    terminal.print("ok  " + file);
    json.write(valid);
    return ExitCode.DONE;
  }
}
