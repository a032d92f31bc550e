package io.bellwether.infra.command;

import io.bellwether.trainer.report.StoredReport;
import io.bellwether.trainer.report.VersionHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a report: the answer in three lines, then a table. */
@Command(
    name = "show",
    description = "Print a report: the answer in three lines, then the values.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report show v0123456789ab",
      "  bellwether report show v0123456789ab@1 --signals like",
      "  bellwether report show champion --surface short-video --json report.json"
    })
final class ReportShowVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ReportChoice choice = new ReportChoice();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(
      paramLabel = "REPORT",
      description = "A version (its latest report), VERSION@N, an alias, or FILE.json.")
  private String word = "";

  @Option(
      names = "--signals",
      paramLabel = "NAMES",
      split = ",",
      description = "Signals to print beside the objective (default: all).")
  private Set<String> signals = Set.of();

  ReportShowVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    StoredReport report = choice.report(word);
    List<String> known = new ArrayList<>();
    report.root().path("logged").fieldNames().forEachRemaining(known::add);
    ReportLines.requireKnown(signals, known);
    new ReportLines(report, signals).forEach(terminal::print);
    if (!ReportChoice.isFile(word)) {
      new VersionHistory(choice.store())
          .since(choice.version(word), choice.kept(word).evidence())
          .forEach(line -> terminal.print("since     " + line));
    }
    json.write(report.root());
    return ExitCode.DONE;
  }
}
