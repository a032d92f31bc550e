package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.gate.EvaluationRecord;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.Gate;
import io.bellwether.trainer.gate.OfflineEvaluation;
import io.bellwether.trainer.gate.ScoredTarget;
import io.bellwether.trainer.gate.TableTarget;
import io.bellwether.trainer.gate.TargetPolicy;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.report.EvidenceFiling;
import io.bellwether.trainer.report.ReportJson;
import io.bellwether.trainer.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
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
          + " Decisions of people whom a version has learned from are left out.",
      "Exits 0 on pass, and 1 on fail or not enough evidence. The report is kept with the version;"
          + " one that passes against the champion becomes the challenger."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether evaluate --policy v0123456789ab",
      "  bellwether evaluate --policy challenger --surface short-video \\",
      "      --html report.html",
      "  bellwether evaluate --policy chances.csv --surface open-bandit \\",
      "      --log data/imports/open-bandit/random-men --model-steps 0"
    })
final class EvaluateVerb implements Callable<Integer> {
  private static final String CHAMPION = Alias.CHAMPION.word();
  private static final String LOGGING = "logging";

  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption storeOption = new StoreOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final LogOption log = new LogOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      required = true,
      description =
          "A version, an alias, or a file FILE.csv with a chance per item and place"
              + " (item_id,pos1,pos2,...).")
  private String policy = "";

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
      names = "--alpha",
      paramLabel = "X",
      defaultValue = "0.05",
      description = "Error probability of the verdict (default: ${DEFAULT-VALUE}).")
  private double alpha;

  @Option(
      names = "--min-lift",
      paramLabel = "SHARE",
      defaultValue = "0",
      description =
          "By which share it must be better; negative for not much worse (default:"
              + " ${DEFAULT-VALUE}).")
  private double minLift;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the reward models (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--model-steps",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Training steps of each reward model; 0 for none, and weights alone decide (default:"
              + " ${DEFAULT-VALUE}).")
  private long modelSteps;

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
    if (!(alpha > 0 && alpha < 0.5)) {
      throw CommandFailed.wrongInput(
          "--alpha " + alpha + " is out of range.", "Give a number above 0 and below 0.5.");
    }
    if (modelSteps < 0) {
      throw CommandFailed.wrongInput(
          "--model-steps " + modelSteps + " is negative.", "Give 0 for no reward model.");
    }
    Path folder = storeOption.folder(data.folder());
    try (LiveStore live = LiveStore.open(folder, data.folder(), clock, terminal)) {
      EvaluationRecord record =
          policy.endsWith(".csv") ? table(live.store()) : version(live.store());
      new ReportLines(record).forEach(terminal::print);
      json.write(ReportJson.tree(record));
      if (page != null) {
        WholeFile.write(page, ReportPage.of(record));
      }
      return record.report().verdict().word().equals("pass") ? ExitCode.DONE : ExitCode.NO;
    }
  }

  private EvaluationRecord table(PolicyStore store) throws Exception {
    Path file = Path.of(policy);
    if (!Files.isRegularFile(file)) {
      throw CommandFailed.wrongInput(
          "There is no file " + file.toAbsolutePath() + ".", "Name a table of chances.");
    }
    Surface surface = surface(surfaceNeeded());
    try (TargetPolicy target = TableTarget.read(file)) {
      return compare(
          target, baseline(store, surface, Optional.empty()), request(surface), store, surface);
    } catch (IllegalArgumentException e) {
      // What a parallel stream throws may be wrapped in its like.
      Throwable refusal = e.getCause() instanceof IllegalArgumentException ? e.getCause() : e;
      throw CommandFailed.wrongInput(
          String.valueOf(refusal.getMessage()),
          "The table needs the columns item_id,pos1,pos2,... and a row for each item of the log.");
    }
  }

  private EvaluationRecord version(PolicyStore store) throws Exception {
    VersionId version = resolve(policy, store);
    Surface surface = surface(store.version(version).name());
    requireSameFeatures(store, version, surface);
    EvaluationRequest request =
        request(surface).withSubjects(Subjects.notSeenBy(store.manifest(version)));
    if (against.equals(CHAMPION)) {
      return judge(version, request, store);
    }
    Optional<VersionId> baseline = baseline(store, surface, Optional.of(version));
    EvaluationRecord record;
    try (TargetPolicy target = ScoredTarget.open(store, version, surface)) {
      record = compare(target, baseline, request, store, surface);
    }
    new EvidenceFiling(store, who()).keepReport(version, record);
    terminal.progress("Kept the report with " + version + "; only one against the champion judges");
    return record;
  }

  /** Against the champion: the verdict counts. */
  private EvaluationRecord judge(VersionId version, EvaluationRequest request, PolicyStore store)
      throws IOException {
    String name = store.version(version).name();
    Optional<VersionId> champion = store.alias(name, Alias.CHAMPION);
    if (champion.isPresent()) {
      requireSameFeatures(store, champion.get(), request.surface());
    }
    Gate gate = new Gate(store, evaluation(), new EvidenceFiling(store, who()), who());
    EvaluationRecord record = gate.judge(version, request);
    terminal.progress("Kept report and verdict with " + version);
    if (champion.filter(version::equals).isEmpty() && gate.propose(version).isPresent()) {
      terminal.progress("It passes: " + version + " is the challenger of " + name);
    }
    return record;
  }

  private EvaluationRecord compare(
      TargetPolicy target,
      Optional<VersionId> baseline,
      EvaluationRequest request,
      PolicyStore store,
      Surface surface)
      throws IOException {
    if (baseline.isEmpty()) {
      return evaluation().evaluate(request, target);
    }
    requireSameFeatures(store, baseline.get(), surface);
    try (TargetPolicy opened = ScoredTarget.open(store, baseline.get(), surface)) {
      return evaluation().evaluate(request, target, opened);
    }
  }

  /** Empty for the logging policy. */
  private Optional<VersionId> baseline(
      PolicyStore store, Surface surface, Optional<VersionId> target) {
    if (against.equals(LOGGING)) {
      return Optional.empty();
    }
    if (against.equals(CHAMPION)) {
      return store.alias(surface.name(), Alias.CHAMPION);
    }
    VersionId baseline = versionId(against, "--against");
    if (!store.version(baseline).name().equals(surface.name())) {
      throw CommandFailed.wrongInput(
          baseline + " is a version of " + store.version(baseline).name() + ".",
          "Compare with a version of " + surface.name() + ".");
    }
    if (target.filter(baseline::equals).isPresent()) {
      throw CommandFailed.wrongInput(
          "--against names the policy itself.", "Compare it with champion or logging.");
    }
    return Optional.of(baseline);
  }

  private EvaluationRequest request(Surface surface) throws IOException {
    return EvaluationRequest.of(surface, log.of(surface.name(), data.folder()))
        .withAlpha(alpha)
        .withMinLift(minLift)
        .withModelSteps(modelSteps)
        .withSeed(seed);
  }

  private OfflineEvaluation evaluation() {
    return new OfflineEvaluation(clock, CodeVersion.current(), terminal::progress);
  }

  /** A version's id, or the one to which an alias points. */
  private VersionId resolve(String text, PolicyStore store) {
    for (Alias alias : Alias.values()) {
      if (alias.word().equals(text)) {
        String name = surfaceNeeded();
        return store
            .alias(name, alias)
            .orElseThrow(
                () ->
                    CommandFailed.wrongInput(
                        "There is no " + text + " of " + name + ".",
                        "`./bellwether policies " + name + "` lists its versions."));
      }
    }
    VersionId version = versionId(text, "--policy");
    String name = store.version(version).name();
    if (surfaceName != null && !surfaceName.equals(name)) {
      throw CommandFailed.wrongInput(
          version + " is a version of " + name + ", not of " + surfaceName + ".",
          "Leave --surface out: a version knows its own.");
    }
    return version;
  }

  private static VersionId versionId(String text, String option) {
    try {
      return new VersionId(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          option + ": " + e.getMessage() + ".",
          "`./bellwether policies` lists the versions that there are.");
    }
  }

  private String surfaceNeeded() {
    if (surfaceName == null) {
      throw CommandFailed.wrongInput(
          "'" + policy + "' alone does not say of which surface.", "Name it with --surface.");
    }
    return surfaceName;
  }

  private Surface surface(String name) throws Exception {
    return surfaces.named(name, data.folder(), installation);
  }

  private static void requireSameFeatures(PolicyStore store, VersionId version, Surface surface) {
    String features = store.manifest(version).features().digest();
    if (!features.equals(SurfaceSchema.policy(surface).digest())) {
      throw CommandFailed.wrongInput(
          version + " was made for other features than surface " + surface.name() + " declares.",
          "Train a new version for it, or name the folder of its surface with --surfaces.");
    }
  }

  private static String who() {
    return System.getProperty("user.name", "unknown");
  }
}
