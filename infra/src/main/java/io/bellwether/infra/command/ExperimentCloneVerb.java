package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies an experiment's declaration. */
@Command(
    name = "clone",
    description = "Make a draft like an experiment that there is, with a salt of its own.",
    footerHeading = "%nExamples:%n",
    footer = "  bellwether experiments clone feed-v7 feed-v8")
final class ExperimentCloneVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "NEW", description = "The name of the draft.")
  private String copy = "";

  ExperimentCloneVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode state =
        service
            .client()
            .post(
                "/v1/experiments/" + ServiceClient.segment(name) + ":clone",
                JsonNodeFactory.instance.objectNode().put("name", copy));
    terminal.print(ExperimentLines.line(state));
    json.write(state);
    return ExitCode.DONE;
  }
}
