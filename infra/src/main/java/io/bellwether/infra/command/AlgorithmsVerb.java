package io.bellwether.infra.command;

import io.bellwether.trainer.algorithm.Algorithms;
import io.bellwether.trainer.algorithm.Setting;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the ways to train. */
@Command(
    name = "algorithms",
    description = "List the ways to train, by the names that train takes, and their settings.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether algorithms",
      "  bellwether train --surface short-video --algorithm 'constrained(margin=2)'"
    })
final class AlgorithmsVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final JsonOption json = new JsonOption();

  AlgorithmsVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One of them, for scripts. */
  private record Listed(String name, String summary, List<Chosen> settings) {}

  /** A setting of it. */
  private record Chosen(
      String name, String summary, double usual, double low, double high, String scale) {

    static Chosen of(Setting setting) {
      return new Chosen(
          setting.name(),
          setting.summary(),
          setting.usual(),
          setting.low(),
          setting.high(),
          setting.scale().name().toLowerCase(Locale.ROOT));
    }

    String words() {
      return "%s=%s  %s (%s to %s%s)"
          .formatted(
              name,
              Setting.text(usual),
              summary,
              Setting.text(low),
              Setting.text(high),
              scale.equals("whole") ? ", whole" : "");
    }
  }

  @Override
  public Integer call() {
    List<Listed> all =
        Algorithms.all().stream()
            .map(
                entry ->
                    new Listed(
                        entry.word(),
                        entry.summary(),
                        entry.settings().stream().map(Chosen::of).toList()))
            .toList();
    int widest = all.stream().mapToInt(each -> each.name().length()).max().orElse(1);
    for (Listed each : all) {
      terminal.print(
          String.format(Locale.ROOT, "%-" + widest + "s  %s", each.name(), each.summary()));
      for (Chosen setting : each.settings()) {
        terminal.print(" ".repeat(widest + 4) + setting.words());
      }
    }
    json.write(all);
    return ExitCode.DONE;
  }
}
