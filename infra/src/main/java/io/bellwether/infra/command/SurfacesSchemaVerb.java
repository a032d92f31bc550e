package io.bellwether.infra.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the JSON Schema of surface files, for editors. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of surface files, with which editors help to write them.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether surfaces schema > surface.schema.json",
      "  bellwether surfaces schema --json surface.schema.json"
    })
final class SurfacesSchemaVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final JsonOption json = new JsonOption();

  SurfacesSchemaVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    Map<String, Object> schema = SurfaceReader.jsonSchema();
    terminal.print(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(schema));
    json.write(schema);
    return ExitCode.DONE;
  }
}
