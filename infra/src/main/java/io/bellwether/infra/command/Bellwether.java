package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.trainer.exports.ArchiveExport;
import io.bellwether.trainer.imports.table.TableImport;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code bellwether} command: {@code bellwether VERB}. */
@Command(
    name = "bellwether",
    description = "A decision service that learns offline, under constraints.",
    versionProvider = Versions.class,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the answer is no: a gate that fails, a replay that differs",
      "2:wrong usage or input",
      "3:something outside is down"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether demo          see the whole loop, with simulated people",
      "  bellwether up            start everything on this machine",
      "  bellwether VERB --help   what a verb does, with examples"
    })
public final class Bellwether implements Runnable {
  @Spec private CommandSpec spec;

  /** Picocli acts on it by itself, for every verb. */
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this text.")
  private boolean help;

  /** Picocli acts on it by itself. */
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

  /** Set by picocli before a verb runs. */
  @SuppressWarnings("NullAway.Init")
  Bellwether() {}

  /** Runs one verb and exits with its code. */
  public static void main(String[] args) {
    Terminal terminal = new Terminal(System.out, System.err, Clock.systemUTC());
    System.exit(commandLine(Installation.current(), terminal).execute(args));
  }

  /** The command with all its verbs. */
  static CommandLine commandLine(Installation installation, Terminal terminal) {
    CommandLine root = new CommandLine(new Bellwether());
    for (Object verb : verbs(installation, terminal)) {
      root.addSubcommand(verb);
    }
    root.setOut(new PrintWriter(terminal.output(), true, StandardCharsets.UTF_8));
    root.setErr(new PrintWriter(terminal.errors(), true, StandardCharsets.UTF_8));
    root.setUsageHelpAutoWidth(true);
    Words.register(root);
    root.setParameterExceptionHandler((e, args) -> wrongUsage(e, terminal));
    root.setExecutionExceptionHandler((e, line, parsed) -> failed(e, line, terminal));
    return root;
  }

  /** In the order in which the help lists them: the loop's order. */
  private static List<Object> verbs(Installation installation, Terminal terminal) {
    Clock clock = Clock.systemUTC();
    return List.of(
        new DemoVerb(installation, terminal, clock),
        new UpVerb(installation, terminal),
        new DownVerb(terminal),
        group(new SurfacesVerb(), surfaces(installation, terminal)),
        group(new ImportVerb(), imports(installation, terminal)),
        group(new ExportVerb(), exports(installation, terminal)),
        group(new ArchiveVerb(), archives(terminal, clock)),
        new BackfillVerb(installation, terminal),
        group(
            new HistoryVerb(),
            List.of(
                new HistoryRebuildVerb(installation, terminal, clock),
                new HistoryCheckVerb(installation, terminal))),
        new TrainVerb(installation, terminal, clock),
        new TuneVerb(installation, terminal, clock),
        new AlgorithmsVerb(terminal),
        new EvaluateVerb(installation, terminal, clock),
        group(new ReportVerb(), reports(installation, terminal)),
        group(
            new PoliciesVerb(terminal),
            List.of(
                new PoliciesShowVerb(terminal),
                new PoliciesHistoryVerb(terminal),
                new PoliciesLogVerb(terminal),
                new PoliciesAtVerb(terminal),
                new PoliciesPinVerb(terminal, clock),
                new PoliciesUnpinVerb(terminal, clock),
                new PoliciesFreezeVerb(terminal, clock),
                new PoliciesUnfreezeVerb(terminal, clock),
                new PoliciesApprovalsVerb(terminal, clock),
                new PoliciesApproveVerb(terminal, clock),
                new PoliciesDeclineVerb(terminal, clock),
                new PoliciesKeysVerb(terminal),
                new PoliciesSignVerb(terminal),
                new PoliciesVerifyVerb(terminal),
                new PoliciesDiffVerb(terminal),
                new PoliciesCardVerb(terminal, clock),
                new PoliciesExportVerb(terminal),
                new PoliciesImportVerb(installation, terminal, clock),
                new PoliciesChangesVerb(terminal),
                new PoliciesGcVerb(terminal, clock))),
        new LineageVerb(terminal),
        new ReproduceVerb(installation, terminal, clock),
        new PromoteVerb(terminal, clock),
        new RollbackVerb(terminal, clock),
        group(new ExperimentsVerb(terminal), experiments(terminal)),
        group(
            new DeadLettersVerb(terminal),
            List.of(
                DeadLettersVerb.list(terminal),
                new DeadLettersShowVerb(terminal),
                new DeadLettersFixVerb(terminal),
                new DeadLettersReplayVerb(terminal))),
        new EraseVerb(terminal),
        new ExplainVerb(terminal),
        new ReplayVerb(terminal),
        group(
            new BenchVerb(),
            List.of(
                new BenchEvaluationVerb(installation, terminal),
                new BenchExperimentsVerb(installation, terminal, clock),
                new BenchServingVerb(installation, terminal, clock),
                new BenchChaosVerb(installation, terminal, clock),
                new BenchIngestionVerb(installation, terminal, clock),
                new BenchLearningVerb(terminal, clock))),
        new DoctorVerb(installation, terminal),
        new VersionVerb(terminal),
        new PlatformVerb(terminal));
  }

  private static List<Object> imports(Installation installation, Terminal terminal) {
    return List.of(
        new ImportOpenBanditVerb(installation, terminal),
        new ImportKuaiRandVerb(installation, terminal),
        new ImportMovieLensVerb(installation, terminal),
        new ImportVwVerb.Dsjson(installation, terminal),
        new ImportVwVerb.Text(installation, terminal),
        ImportTableVerb.of(installation, terminal, TableImport.Format.CSV),
        ImportTableVerb.of(installation, terminal, TableImport.Format.JSONL),
        ImportTableVerb.of(installation, terminal, TableImport.Format.PARQUET));
  }

  private static List<Object> exports(Installation installation, Terminal terminal) {
    return List.of(
        ExportFormatVerb.of(installation, terminal, ArchiveExport.Format.DSJSON),
        ExportFormatVerb.of(installation, terminal, ArchiveExport.Format.JSONL),
        ExportFormatVerb.of(installation, terminal, ArchiveExport.Format.PARQUET));
  }

  private static List<Object> archives(Terminal terminal, Clock clock) {
    return List.of(
        new ArchiveStatusVerb(terminal),
        new ArchiveVerifyVerb(terminal),
        new ArchiveCompactVerb(terminal, clock),
        new ArchiveExpireVerb(terminal, clock));
  }

  private static List<Object> reports(Installation installation, Terminal terminal) {
    return List.of(
        new ReportOpenVerb(terminal),
        new ReportShowVerb(terminal),
        new ReportDiffVerb(terminal),
        new ReportTrainingVerb(terminal),
        new ReportRewardVerb(installation, terminal),
        new ReportSchemaVerb(terminal));
  }

  private static List<Object> experiments(Terminal terminal) {
    return List.of(
        new ExperimentValidateVerb(terminal),
        new ExperimentCreateVerb(terminal),
        ExperimentMoveVerb.of(
            terminal, "start", "Start a draft: from its first step on people are assigned."),
        new ExperimentShowVerb(terminal),
        new ExperimentResultsVerb(terminal),
        new ExperimentPowerVerb(terminal),
        new ExperimentAssignVerb(terminal),
        new ExperimentRampVerb(terminal),
        ExperimentMoveVerb.of(
            terminal, "pause", "Take no further step; people keep their variants."),
        ExperimentMoveVerb.of(terminal, "resume", "Go on after a pause."),
        ExperimentMoveVerb.of(
            terminal, "rollback", "Take the treatment back from everybody, for good."),
        ExperimentMoveVerb.of(terminal, "stop", "End it without a winner."),
        new ExperimentConcludeVerb(terminal),
        new ExperimentCloneVerb(terminal),
        ExperimentMoveVerb.of(terminal, "archive", "Put an ended experiment away."),
        new ExperimentStopAllVerb(terminal));
  }

  private static List<Object> surfaces(Installation installation, Terminal terminal) {
    return List.of(
        new SurfacesListVerb(installation, terminal),
        new SurfacesValidateVerb(terminal),
        new SurfacesSchemaVerb(terminal),
        new SurfacesProposeVerb(terminal));
  }

  private static CommandLine group(Object verb, List<Object> below) {
    CommandLine group = new CommandLine(verb);
    for (Object each : below) {
      if (each instanceof CommandLine named) {
        group.addSubcommand(named.getCommandName(), named);
      } else {
        group.addSubcommand(each);
      }
    }
    return group;
  }

  /** Without a verb. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: a verb is missing.");
  }

  private static int wrongUsage(ParameterException e, Terminal terminal) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    String next = "`./" + name + " --help` shows what is possible.";
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      next = "Did you mean " + String.join(" or ", unmatched.getSuggestions()) + "? " + next;
    }
    terminal.failure(name, reason(e), next);
    return ExitCode.WRONG_INPUT;
  }

  private static int failed(Exception e, CommandLine line, Terminal terminal) {
    String name = line.getCommandSpec().qualifiedName();
    Optional<CommandFailed> known = KnownFailures.of(e);
    if (known.isPresent()) {
      terminal.failure(name, reason(known.get()), known.get().next());
      return known.get().exitCode();
    }
    terminal.failure(name, "This should not have happened: " + e, "Please report these lines:");
    e.printStackTrace(terminal.errors());
    return ExitCode.UNAVAILABLE;
  }

  private static String reason(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
