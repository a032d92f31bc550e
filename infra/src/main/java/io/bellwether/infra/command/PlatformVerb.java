package io.bellwether.infra.command;

import io.bellwether.infra.platform.PlatformMain;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs Kafka and Redis alone, in this process, for work on the parts that use them. */
@Command(
    name = "platform",
    hidden = true,
    description = {
      "Run Kafka and Redis alone until Ctrl-C.",
      "The file platform.json in the data folder says where they are reached."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  bellwether platform", "  bellwether platform --data /tmp/platform"})
final class PlatformVerb implements Callable<Integer> {
  private final Terminal terminal;
  @Mixin private final DataOption data = new DataOption();

  PlatformVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return PlatformMain.run(data.folder(), terminal.errors());
  }
}
