package io.bellwether.infra.command;

import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.difference.BehaviourComparison;
import io.bellwether.trainer.difference.PolicyDifference;
import io.bellwether.trainer.difference.ReplaySample;
import io.bellwether.trainer.report.DifferencePage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares how two versions behave on the same logged decisions. */
@Command(
    name = "diff",
    description = {
      "Decide the same logged decisions with two versions, and say how many slates change, at which"
          + " positions, by how much chances move, and for whom.",
      "The sample is fixed by the decisions' ids: the same log gives the same one."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether policies diff v0123456789ab v456789abcdef",
      "  bellwether policies diff champion v456789abcdef --surface short-video --html diff.html",
      "  bellwether policies diff champion challenger --surface short-video --by country --by hour"
    })
final class PoliciesDiffVerb implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final LogOption log = new LogOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(index = "0", paramLabel = "FIRST", description = "A version, or an alias.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "SECOND", description = "Another one.")
  private String second = "";

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface, where an alias is named.")
  private @Nullable String surface;

  @Option(
      names = "--sample",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Most decisions that are compared (default: ${DEFAULT-VALUE}).")
  private int sample;

  @Option(
      names = "--by",
      paramLabel = "FEATURE",
      description =
          "Split by this feature of the context; may be given several times (default: all texts"
              + " and flags with few values).")
  private List<String> by = new ArrayList<>();

  @Option(names = "--html", paramLabel = "FILE", description = "Write a page to this file.")
  private @Nullable Path html;

  PoliciesDiffVerb(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (sample < 1) {
      throw CommandFailed.wrongInput("--sample is " + sample + ".", "Give at least 1.");
    }
    PolicyStore versions = store.open(data.folder(), Clock.systemUTC());
    NamedPolicies named = new NamedPolicies(versions, surface);
    VersionId one = named.version(first, "FIRST");
    VersionId other = named.version(second, "SECOND");
    String name = versions.version(one).name();
    if (!versions.version(other).name().equals(name)) {
      throw CommandFailed.wrongInput(
          "%s is of surface %s, and %s of %s."
              .formatted(one, name, other, versions.version(other).name()),
          "Compare versions of one surface.");
    }
    TransitionSource source = log.of(name, data.folder());
    terminal.progress("Sampling " + source.words());
    ReplaySample decisions = new ReplaySample(sample);
    source.forEach(
        transition -> {
          if (transition.getDecision().getSurface().equals(name)) {
            decisions.add(transition);
          }
        });
    terminal.progress("Deciding %d decisions twice".formatted(decisions.transitions().size()));
    PolicyDifference difference;
    try (BehaviourComparison comparison =
        BehaviourComparison.of(versions, one, other, source, by)) {
      difference = comparison.on(decisions, name);
    }
    if (difference.decisions() == 0) {
      throw CommandFailed.wrongInput(
          "No decision can be compared: " + difference.skipped() + ".",
          "Name a log that holds such decisions with --log.");
    }
    print(difference);
    json.write(difference);
    if (html != null) {
      WholeFile.write(html, DifferencePage.of(difference));
    }
    return ExitCode.DONE;
  }

  private void print(PolicyDifference difference) {
    terminal.print(DifferencePage.answer(difference));
    terminal.print(
        String.format(
            Locale.ROOT, "%8s  %9s  %9s  %9s  %9s", "position", "changed", "mean", "90 %", "most"));
    for (PolicyDifference.Position each : difference.positions()) {
      terminal.print(
          String.format(
              Locale.ROOT,
              "%8d  %8.2f%%  %9.5f  %9.5f  %9.5f",
              each.position(),
              100.0 * each.changed() / each.decisions(),
              each.propensity().mean(),
              each.propensity().ninetieth(),
              each.propensity().largest()));
    }
    for (PolicyDifference.Segment each : difference.segments()) {
      terminal.print(
          String.format(
              Locale.ROOT,
              "%s = %s: %.2f%% of %d slates change",
              each.feature(),
              each.label(),
              100.0 * each.changedSlates() / each.decisions(),
              each.decisions()));
    }
    terminal.print("sample sha256 " + difference.sampleSha256());
    new TreeMap<>(difference.skipped())
        .forEach((reason, count) -> terminal.print("left out " + count + ": " + reason));
  }
}
