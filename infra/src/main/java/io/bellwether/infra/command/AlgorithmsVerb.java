package io.bellwether.infra.command;

import io.bellwether.trainer.algorithm.Algorithms;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the ways to train. */
@Command(
    name = "algorithms",
    description = "List the ways to train, by the names that train takes.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether algorithms",
      "  bellwether train --surface short-video --algorithm two-stage"
    })
final class AlgorithmsVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final JsonOption json = new JsonOption();

  AlgorithmsVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One of them, for scripts. */
  private record Listed(String name, String summary) {}

  @Override
  public Integer call() {
    List<Listed> all =
        Algorithms.all().stream().map(entry -> new Listed(entry.word(), entry.summary())).toList();
    int widest = all.stream().mapToInt(each -> each.name().length()).max().orElse(1);
    for (Listed each : all) {
      terminal.print(
          String.format(Locale.ROOT, "%-" + widest + "s  %s", each.name(), each.summary()));
    }
    json.write(all);
    return ExitCode.DONE;
  }
}
