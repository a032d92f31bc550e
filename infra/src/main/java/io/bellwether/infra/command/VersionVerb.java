package io.bellwether.infra.command;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what runs here: Bellwether, Java, and the libraries that decide about results. */
@Command(
    name = "version",
    description = "Show the versions of Bellwether and of what it stands on.",
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether version", "  bellwether version --json versions.json"})
final class VersionVerb implements Callable<Integer> {
  private final Terminal terminal;
  @Mixin private final JsonOption json = new JsonOption();

  VersionVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> versions = new Versions().all();
    versions.forEach((name, version) -> terminal.print(String.format("%-12s %s", name, version)));
    json.write(versions);
    return ExitCode.DONE;
  }
}
