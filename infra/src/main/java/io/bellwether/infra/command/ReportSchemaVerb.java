package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.trainer.report.ReportJson;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the JSON Schema of reports. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of evaluation reports, draft 2020-12.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report schema > report.schema.json",
      "  bellwether report schema --json report.schema.json"
    })
final class ReportSchemaVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final JsonOption json = new JsonOption();

  ReportSchemaVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    byte[] schema = ReportJson.schema();
    terminal.print(new String(schema, UTF_8).stripTrailing());
    json.write(new ObjectMapper().readTree(schema));
    return ExitCode.DONE;
  }
}
