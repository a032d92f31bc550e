package io.bellwether.infra.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.SessionCluster;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.bundle.ModelCard;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.job.TrainingRequest;
import io.bellwether.trainer.network.HistoryForm;
import io.bellwether.trainer.recipe.SurfaceText;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Trains a policy on logged transitions and publishes it as a version. */
@Command(
    name = "train",
    description = {
      "Train a policy on logged transitions, and publish it as a version.",
      "The same data, seed and epochs give the same policy. Prints the version; nothing serves it"
          + " until it is promoted."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether train --surface short-video          on what was logged here",
      "  bellwether train --surface short-video --algorithm bc --seed 7",
      "  bellwether train --surface short-video --algorithm 'constrained(margin=2)'",
      "  bellwether train --surface short-video --kafka 127.0.0.1:9092",
      "  bellwether train --surface open-bandit \\",
      "      --log data/imports/open-bandit/random-men --epochs 5"
    })
final class TrainVerb implements Callable<Integer> {
  private static final DateTimeFormatter RUN =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Installation installation;
  private final Terminal terminal;
  private final Clock clock;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final StoreOption store = new StoreOption();
  @Mixin private final SurfacesOption surfaces = new SurfacesOption();
  @Mixin private final LogOption log = new LogOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--surface",
      paramLabel = "NAME",
      required = true,
      description = "The surface that the policy is for.")
  private String surfaceName = "";

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      defaultValue = "constrained",
      description =
          "How to learn: one of what 'bellwether algorithms' lists, with its settings as"
              + " 'NAME(setting=value,...)'; constrained and bc are short for the two of the demo"
              + " (default: ${DEFAULT-VALUE}).")
  private TrainingMethod method = TrainingMethod.CONSTRAINED;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of weights and batches (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "10",
      description = "How often each decision is seen (default: ${DEFAULT-VALUE}).")
  private double epochs;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "512",
      description = "Rows per step (default: ${DEFAULT-VALUE}).")
  private int batchSize;

  @Option(
      names = "--history",
      paramLabel = "FORM",
      defaultValue = "mean",
      description =
          "How histories are read: mean, which is blind to their order; gru, state-space or"
              + " attention, which are not (default: ${DEFAULT-VALUE}).")
  private HistoryForm historyForm = HistoryForm.MEAN;

  @Option(
      names = "--learners",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Threads that share every batch: 1, 2, 4, 8 or 16, which all give the same policy; 0 for"
              + " one that does not share, and another policy (default: ${DEFAULT-VALUE}).")
  private int learners;

  @Option(
      names = "--run",
      paramLabel = "NAME",
      description =
          "Name of the run's folder; a run of that name that was interrupted goes on where it was"
              + " (default: a new one).")
  private @Nullable String run;

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description =
          "Share of the people whom training leaves to evaluation (default: ${DEFAULT-VALUE}).")
  private double heldOut;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "As it was known at the end of this day or at this time: what was known later is not"
              + " looked at (default: all that is known).")
  private @Nullable String asOf;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Readers that feed the learner; changes the speed only (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(
      names = "--cluster",
      paramLabel = "HOST:PORT",
      description =
          "A Flink session cluster that trains; without it, this process does. Data folder and"
              + " archive are under the same path there.")
  private @Nullable String cluster;

  TrainVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    if (!(epochs > 0) || batchSize < 1 || parallelism < 1) {
      throw CommandFailed.wrongInput(
          "--epochs, --batch-size and --parallelism are numbers of things.", "Give at least 1.");
    }
    if (learners != 0 && (learners < 0 || 16 % learners != 0 || batchSize % 16 != 0)) {
      throw CommandFailed.wrongInput(
          "--learners " + learners + " cannot share batches of " + batchSize + ".",
          "Give 1, 2, 4, 8 or 16 learners, and a batch size that sixteen divides.");
    }
    if (run != null && !run.matches("[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
      throw CommandFailed.wrongInput(
          "--run " + run + " is no name of a folder.", "Give letters, digits, dots and hyphens.");
    }
    if (!(heldOut >= 0 && heldOut < 1)) {
      throw CommandFailed.wrongInput(
          "--held-out " + heldOut + " is no share.", "Give 0, or a number up to below 1.");
    }
    Surface surface = surfaces.named(surfaceName, data.folder(), installation);
    String declaration = declaration(surface);
    TransitionSource source = log.of(surface.name(), data.folder());
    PolicyStore versions = store.forPublishing(data.folder(), clock);
    terminal.progress("Training " + method.text() + " on " + source.words());
    PolicyVersion version =
        training(versions)
            .run(
                request(surface, source, versions.alias(surface.name(), Alias.CHAMPION))
                    .withDeclaration(declaration));
    new ModelCard(versions).keep(version.id(), "trainer");
    terminal.print(version.id().value());
    json.write(Trained.of(version, versions.manifest(version.id())));
    return ExitCode.DONE;
  }

  /** The text of the surface's file; empty where it changed since it was read. */
  private String declaration(Surface surface) throws Exception {
    for (SurfacesOption.Declared each : surfaces.all(data.folder(), installation)) {
      if (each.surface().digest().equals(surface.digest())) {
        return SurfaceText.find(each.folder(), surface.digest())
            .map(yaml -> new String(yaml, UTF_8))
            .orElse("");
      }
    }
    return "";
  }

  private Training training(PolicyStore versions) {
    Training training = new Training(versions, clock, CodeVersion.current(), terminal::progress);
    return cluster == null ? training : training.on(SessionCluster.parse(cluster));
  }

  private TrainingRequest request(
      Surface surface, TransitionSource source, Optional<VersionId> champion) {
    String unique = surface.name() + "-" + method.word() + "-" + RUN.format(clock.instant());
    Path folder = data.folder().resolve("runs").resolve(run == null ? unique : run);
    TrainingRequest request =
        TrainingRequest.of(surface, source, method, folder)
            .withSeed(seed)
            .withEpochs(epochs)
            .withBatchSize(batchSize)
            .withHistoryForm(historyForm)
            .withParallelism(parallelism)
            .withLearners(learners)
            .withHeldOutShare(heldOut)
            .withAsOf(asOf == null ? null : LogRange.end("--as-of", asOf));
    return champion.map(request::withParent).orElse(request);
  }

  /** The result for scripts. */
  private record Trained(
      String version,
      String surface,
      String algorithm,
      long seed,
      long rows,
      String dataSha256,
      Map<String, Double> metrics) {

    static Trained of(PolicyVersion version, PolicyManifest manifest) {
      return new Trained(
          version.id().value(),
          manifest.name(),
          manifest.algorithm(),
          manifest.seed(),
          manifest.data().rows(),
          manifest.data().digest(),
          manifest.metrics());
    }
  }
}
