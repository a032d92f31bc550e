package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says which variant a subject gets, and why. */
@Command(
    name = "assign",
    description = "Say which variant subjects get, and why where they get none; nothing is logged.",
    footerHeading = "%nExamples:%n",
    footer = "  bellwether experiments assign feed-v7 u1 u2 u3")
final class ExperimentAssignVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ServiceOption service = new ServiceOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(index = "0", paramLabel = "NAME", description = "The experiment.")
  private String name = "";

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "SUBJECT", description = "Their ids.")
  private List<String> subjects = List.of();

  ExperimentAssignVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServiceClient client = service.client();
    ArrayNode assigned = new ObjectMapper().createArrayNode();
    for (String subject : subjects) {
      JsonNode one =
          client.get(
              "/v1/experiments/%s/assignments/%s"
                  .formatted(ServiceClient.segment(name), ServiceClient.segment(subject)));
      terminal.print(
          "%-32s  %s".formatted(subject, one.path("variant").asText(one.path("reason").asText())));
      assigned.add(one);
    }
    json.write(assigned);
    return ExitCode.DONE;
  }
}
