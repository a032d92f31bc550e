package io.bellwether.infra.command;

import io.bellwether.trainer.report.ReportDiff;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two reports. */
@Command(
    name = "diff",
    description = {
      "Compare two reports, of one version or of two: what differs in the data, in what was asked,"
          + " and in the answer.",
      "Exits 0 whether they differ or not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether report diff v0123456789ab@1 v0123456789ab@2",
      "  bellwether report diff v0123456789ab v9876543210ab --html diff.html",
      "  bellwether report diff yesterday.json today.json --json diff.json"
    })
final class ReportDiffVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final ReportChoice choice = new ReportChoice();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(
      index = "0",
      paramLabel = "FIRST",
      description = "A version (its latest report), VERSION@N, an alias, or FILE.json.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "SECOND", description = "The same.")
  private String second = "";

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the comparison to this file, as a page.")
  private @Nullable Path page;

  ReportDiffVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    ReportDiff diff = ReportDiff.of(choice.report(first), choice.report(second));
    diff.lines().forEach(terminal::print);
    json.write(diff.json());
    if (page != null) {
      WholeFile.write(page, diff.page());
    }
    return ExitCode.DONE;
  }
}
