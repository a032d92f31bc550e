package io.bellwether.infra.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.report.InvalidDataException;
import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.InvalidTrainingData;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.Gate;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.gate.TargetPolicy;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.report.EvidenceFiling;
import io.bellwether.trainer.report.HumanAnswers;
import io.bellwether.trainer.report.ReportJson;
import io.bellwether.trainer.report.ReportPage;
import io.bellwether.trainer.report.StoredReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what a policy would have reached on logged decisions, and whether that is enough. */
@Command(
    name = "evaluate",
    description = {
      "Estimate from logged decisions what a policy would reach, and give the gate's verdict."
          + " Decisions of people whom it or what it is compared with has learned from are left"
          + " out.",
      "Exits 0 on pass, 1 on fail or not enough evidence, and 2 where the log is invalid. The"
          + " report is kept with the version; one that passes against the champion becomes the"
          + " challenger. What is interrupted goes on where it was when it is asked again."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether evaluate --policy v0123456789ab",
      "  bellwether evaluate --policy challenger --surface short-video \\",
      "      --log 2026-11-01..2026-11-30 --segments country --html report.html",
      "  bellwether evaluate --policy v0123456789ab --against v9876543210ab --as-of 2026-11-30",
      "  bellwether evaluate --compare v0123456789ab,v9876543210ab --against logging",
      "  bellwether evaluate --policy chances.csv --surface open-bandit \\",
      "      --log data/imports/open-bandit/random-men --model-steps 0",
      "  bellwether evaluate --policy v0123456789ab --validate",
      "  bellwether evaluate --power --sd 0.118 --delta 0.001"
    })
final class EvaluateVerb implements Callable<Integer> {
  private static final String CHAMPION = Alias.CHAMPION.word();

  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final EvaluationOptions options = new EvaluationOptions();
  @Mixin private final PowerOptions power = new PowerOptions();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "A version, an alias, or a file FILE.csv with a chance per item and place"
              + " (item_id,pos1,pos2,...).")
  private @Nullable String policy;

  @Option(
      names = "--compare",
      paramLabel = "VERSIONS",
      split = ",",
      description =
          "Several versions of one surface in place of --policy; their verdicts hold together.")
  private List<String> compare = List.of();

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      description = "The surface; a version knows its own.")
  private @Nullable String surfaceName;

  @Option(
      names = "--against",
      paramLabel = "POLICY",
      defaultValue = "champion",
      description =
          "What it must be better than: champion, logging or a version. Without a champion it is"
              + " the logging policy (default: ${DEFAULT-VALUE}).")
  private String against = CHAMPION;

  @Option(
      names = "--signals",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Signals to print beside the objective (default: all). The report has all of them.")
  private Set<String> signals = Set.of();

  @Option(names = "--validate", description = "Only check the log; nothing is kept.")
  private boolean validate;

  @Option(
      names = "--diagnose",
      description = "Only say whether the log can carry an evaluation; nothing is kept.")
  private boolean diagnose;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the report to this file, as a page.")
  private @Nullable Path page;

  EvaluateVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    if (power.asked()) {
      return power.answer(options.alpha(), terminal, json);
    }
    if ((policy == null) == compare.isEmpty()) {
      throw CommandFailed.wrongInput(
          policy == null ? "No policy is named." : "Both --policy and --compare are given.",
          "Name one with --policy, or several with --compare.");
    }
    if (policy == null && (validate || diagnose || page != null)) {
      throw CommandFailed.wrongInput(
          "--compare keeps a report with each version; it only goes without --validate, --diagnose"
              + " and --html.",
          "Name one version with --policy for these; `./bellwether report open` writes the pages.");
    }
    try (LiveStore live = LiveStore.open(storeOption, data.folder(), clock, terminal)) {
      return policy == null ? compared(live.store()) : evaluated(policy, live.store());
    } catch (InvalidDataException e) {
      json.write(ReportJson.refused(e));
      throw e;
    } catch (InvalidTrainingData e) {
      json.write(ReportJson.refused(String.valueOf(e.getMessage())));
      throw e;
    }
  }

  private int evaluated(String word, PolicyStore store) throws Exception {
    EvaluationRecord record = word.endsWith(".csv") ? table(word, store) : version(word, store);
    JsonNode report = ReportJson.tree(record);
    if (validate || diagnose) {
      LogCheck check = new LogCheck(report, diagnose);
      check.print(terminal);
      json.write(check.json());
      return check.usable() ? ExitCode.DONE : ExitCode.NO;
    }
    new ReportLines(new StoredReport(report), signals).forEach(terminal::print);
    json.write(report);
    if (page != null) {
      WholeFile.write(page, ReportPage.of(record));
    }
    return record.report().verdict().word().equals("pass") ? ExitCode.DONE : ExitCode.NO;
  }

  private EvaluationRecord table(String word, PolicyStore store) throws Exception {
    NamedPolicies names = new NamedPolicies(store, surfaceName);
    Surface surface = surface(names.surfaceNeeded(word));
    try (TargetPolicy target = Evaluator.table(Path.of(word))) {
      return evaluator(store)
          .against(
              target, names.baseline(against, surface.name(), Optional.empty()), request(surface));
    }
  }

  private EvaluationRecord version(String word, PolicyStore store) throws Exception {
    NamedPolicies names = new NamedPolicies(store, surfaceName);
    VersionId version = names.version(word, "--policy");
    Surface surface = surface(store.version(version).name());
    Optional<VersionId> baseline = names.baseline(against, surface.name(), Optional.of(version));
    Evaluator evaluator = evaluator(store);
    evaluator.requireSameFeatures(version, surface);
    EvaluationRecord record = evaluator.version(version, baseline, request(surface));
    if (!validate && !diagnose) {
      keep(version, record, store);
    }
    return record;
  }

  /**
   * Only a comparison with the champion, or with the logging policy while there is none, judges.
   */
  private void keep(VersionId version, EvaluationRecord record, PolicyStore store)
      throws IOException {
    EvidenceFiling filing = new EvidenceFiling(store, who(), answers(record.request().surface()));
    if (!against.equals(CHAMPION)) {
      filing.keepReport(version, record);
      terminal.progress(
          "Kept the report with " + version + "; only one against the champion judges");
      return;
    }
    filing.keepVerdict(version, record);
    terminal.progress("Kept report and verdict with " + version);
    propose(version, filing, store);
  }

  private void propose(VersionId version, EvidenceFiling filing, PolicyStore store) {
    String name = store.version(version).name();
    if (store.alias(name, Alias.CHAMPION).filter(version::equals).isPresent()) {
      return;
    }
    if (store.awaitsApproval(version)) {
      terminal.progress(
          "It passes with warnings: whoever has read them evaluates it with --approver NAME");
      return;
    }
    if (new Gate(store, evaluation(), filing, who()).propose(version).isPresent()) {
      terminal.progress("It passes: " + version + " is the challenger of " + name);
    }
  }

  private int compared(PolicyStore store) throws Exception {
    NamedPolicies names = new NamedPolicies(store, surfaceName);
    List<VersionId> versions = new ArrayList<>();
    for (String word : compare) {
      versions.add(names.version(word, "--compare"));
    }
    requireComparable(versions, store);
    Surface surface = surface(store.version(versions.get(0)).name());
    EvaluationRequest request = request(surface).withAlpha(options.alpha() / versions.size());
    EvidenceFiling filing = new EvidenceFiling(store, who(), answers(surface));
    List<JsonNode> reports = new ArrayList<>();
    for (VersionId version : versions) {
      EvaluationRecord record =
          evaluator(store)
              .version(
                  version, names.baseline(against, surface.name(), Optional.of(version)), request);
      filing.keepReport(version, record);
      reports.add(ReportJson.tree(record));
    }
    ComparedPolicies compared = new ComparedPolicies(options.alpha(), reports);
    compared.print(terminal);
    json.write(compared.json());
    return compared.anyPasses() ? ExitCode.DONE : ExitCode.NO;
  }

  private static void requireComparable(List<VersionId> versions, PolicyStore store) {
    long distinct = versions.stream().distinct().count();
    long names = versions.stream().map(each -> store.version(each).name()).distinct().count();
    if (distinct != versions.size() || names != 1) {
      throw CommandFailed.wrongInput(
          names == 1
              ? "--compare names a version twice."
              : "--compare names versions of " + names + " surfaces.",
          "Name different versions of one surface.");
    }
  }

  /** A check of the log needs neither reward models nor a bootstrap. */
  private EvaluationRequest request(Surface surface) throws IOException {
    ReportLines.requireKnown(signals, surface.signals().stream().map(Signal::name).toList());
    EvaluationRequest request = options.request(surface, data.folder());
    return validate || diagnose ? request.withModelSteps(0).withReplicates(0) : request;
  }

  private Evaluator evaluator(PolicyStore store) {
    return new Evaluator(store, evaluation());
  }

  private OfflineEvaluation evaluation() {
    return new OfflineEvaluation(
        clock,
        CodeVersion.current(),
        data.folder().resolve("evaluations"),
        Runtime.getRuntime().availableProcessors(),
        terminal::progress);
  }

  private Surface surface(String name) throws Exception {
    return surfaces.named(name, data.folder(), installation);
  }

  private HumanAnswers answers(Surface surface) throws IOException {
    return RewardAnswers.read(data.folder(), surface.name());
  }

  private static String who() {
    return System.getProperty("user.name", "unknown");
  }
}
