package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.recall.Agreement;
import io.bellwether.ingestion.recall.HistoryCheck;
import io.bellwether.ingestion.surface.Surface;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the histories that decisions were made with with what the archive says. */
@Command(
    name = "check",
    description = {
      "Compare the histories that decisions were made with with what the archive says.",
      "Exits 1 when more are different than --at-most allows."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether history check --surface feed",
      "  bellwether history check --surface feed --patience 10s --at-most 0"
    })
final class HistoryCheckVerb implements Callable<Integer> {
  private final Installation installation;
  private final Terminal terminal;

  @Mixin private final HistoryOptions options = new HistoryOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "60s",
      description =
          "What happened so shortly before a decision may be missing in its history, which is"
              + " late and not different (default: ${DEFAULT-VALUE}).")
  private String patience = "";

  @Option(
      names = "--at-most",
      paramLabel = "SHARE",
      defaultValue = "0.01",
      description = "Share of different histories that is allowed (default: ${DEFAULT-VALUE}).")
  private double atMost;

  HistoryCheckVerb(Installation installation, Terminal terminal) {
    this.installation = installation;
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (!(atMost >= 0 && atMost <= 1)) {
      throw CommandFailed.wrongInput(
          "--at-most " + atMost + " is no share.", "Give a number from 0 to 1.");
    }
    Surface surface = options.surface(installation);
    Agreement found =
        new HistoryCheck(options.archive(), surface, Age.of("--patience", patience), options.ttl())
            .run();
    for (Agreement.Example example : found.examples()) {
      terminal.print(
          "%s  %s: %s"
              .formatted(example.late() ? "late" : "NO  ", example.decisionId(), example.what()));
    }
    boolean agrees = found.shareDifferent() <= atMost;
    terminal.print(
        "%s  %d of %d decisions could be compared: %d equal, %d late, %d different"
            .formatted(
                agrees ? "ok" : "NO",
                found.equal() + found.late() + found.different(),
                found.decisions(),
                found.equal(),
                found.late(),
                found.different()));
    terminal.print(
        "    %d were their subject's first, %d had no history, %d have another layout"
            .formatted(found.firsts(), found.unavailable(), found.unreadable()));
    json.write(
        Map.of(
            "surface",
            surface.name(),
            "agrees",
            agrees,
            "shareDifferent",
            found.shareDifferent(),
            "agreement",
            found));
    return agrees ? ExitCode.DONE : ExitCode.NO;
  }
}
