package io.bellwether.infra.command;

import io.bellwether.infra.local.Installation;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.trainer.algorithm.Setting;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.job.CodeVersion;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.search.Search;
import io.bellwether.trainer.search.SearchRequest;
import io.bellwether.trainer.search.SearchResult;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for the algorithm and the settings that suit a surface's log. */
@Command(
    name = "tune",
    description = {
      "Look for an algorithm, its settings, epochs and a batch size: draw at random, train on what"
          + " was decided early, and rank by what the later decisions show each policy to reach at"
          + " least. Nothing is published.",
      "Exits 0 where the winner is shown to beat behaviour cloning (and the champion, where there"
          + " is one), and 1 where it is not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellwether tune --surface short-video --minutes 30",
      "  bellwether tune --surface short-video --minutes 30 --resume     goes on",
      "  bellwether tune --surface short-video --algorithms constrained,iql --trials 18 --seed 7"
    })
final class TuneVerb implements Callable<Integer> {
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
      description = "The surface that the policies are for.")
  private String surfaceName = "";

  @Option(
      names = "--algorithms",
      paramLabel = "NAMES",
      split = ",",
      description =
          "What to draw from, by the names that 'bellwether algorithms' lists (default: all of"
              + " them). Behaviour cloning is always tried.")
  private List<TrainingMethod> methods = List.of();

  @Option(
      names = "--trials",
      paramLabel = "N",
      defaultValue = "27",
      description =
          "How many to draw. The best third of each nine is trained three times as long, and again"
              + " (default: ${DEFAULT-VALUE}).")
  private int trials;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "60",
      description =
          "No training begins later; the running one is finished (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of draws and trainings (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--resume",
      description = "Go on with the search of this surface and seed that was begun here.")
  private boolean resume;

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      defaultValue = "0.3",
      description =
          "Share of the decisions, the latest ones, that judge (default: ${DEFAULT-VALUE}).")
  private double heldOut;

  @Option(
      names = "--model-steps",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Training steps of each reward model, for each policy that is judged; 0 for none, and"
              + " weights alone decide (default: ${DEFAULT-VALUE}).")
  private long modelSteps;

  @Option(
      names = "--alpha",
      paramLabel = "X",
      defaultValue = "0.05",
      description = "Error probability of what is said in the end (default: ${DEFAULT-VALUE}).")
  private double alpha;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      defaultValue = "2",
      description = "Readers of the log; changes the speed only (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  TuneVerb(Installation installation, Terminal terminal, Clock clock) {
    this.installation = installation;
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    check();
    Surface surface = surfaces.named(surfaceName, data.folder(), installation);
    TransitionSource source = log.of(surface.name(), data.folder());
    PolicyStore versions = store.open(data.folder(), clock);
    SearchRequest request = request(surface, source, versions);
    Search search = new Search(versions, clock, CodeVersion.current(), terminal::progress);
    requireFolder(search, request);
    terminal.progress(
        "Searching in %s; killed, it goes on with --resume".formatted(request.folder()));
    SearchResult result = search.run(request);
    TuneResult lines = new TuneResult(result, surface, trainCommand(result, source));
    lines.print(terminal);
    json.write(lines.json());
    return lines.beatsAll() ? ExitCode.DONE : ExitCode.NO;
  }

  private void check() {
    Amount.atLeast(1, trials, "--trials");
    Amount.atLeast(1, parallelism, "--parallelism");
    if (!(minutes > 0 && minutes <= 1e6)) {
      throw CommandFailed.wrongInput(
          "--minutes " + minutes + " is no length of time.", "Give a number above 0.");
    }
    if (!(heldOut > 0 && heldOut < 1)) {
      throw CommandFailed.wrongInput(
          "--held-out " + heldOut + " is no share.", "Give a number above 0 and below 1.");
    }
    if (!(alpha > 0 && alpha < 0.5)) {
      throw CommandFailed.wrongInput(
          "--alpha " + alpha + " is out of range.", "Give a number above 0 and below 0.5.");
    }
    if (modelSteps < 0) {
      throw CommandFailed.wrongInput(
          "--model-steps " + modelSteps + " is negative.", "Give 0 for no reward model.");
    }
    for (TrainingMethod method : methods) {
      if (!method.settings().isEmpty()) {
        throw CommandFailed.wrongInput(
            "--algorithms " + method.text() + " fixes what a search draws.",
            "Name the algorithm alone.");
      }
    }
  }

  private SearchRequest request(Surface surface, TransitionSource source, PolicyStore versions) {
    Path folder = data.folder().resolve("runs").resolve("tune-" + surface.name() + "-seed-" + seed);
    return new SearchRequest(
        surface,
        source,
        methods.isEmpty()
            ? SearchRequest.everyAlgorithm()
            : methods.stream().map(TrainingMethod::word).toList(),
        trials,
        Duration.ofMillis(Math.max(1, Math.round(minutes * 60_000))),
        seed,
        heldOut,
        modelSteps,
        alpha,
        parallelism,
        versions.alias(surface.name(), Alias.CHAMPION).orElse(null),
        folder);
  }

  private void requireFolder(Search search, SearchRequest request) throws Exception {
    boolean begun = Search.isBegun(request);
    if (resume && !begun) {
      throw CommandFailed.wrongInput(
          "There is no search in " + request.folder() + ".", "Leave --resume out to begin one.");
    }
    if (!resume && begun) {
      throw CommandFailed.wrongInput(
          "A search was begun in " + request.folder() + ".",
          "Go on with --resume, or give another --seed.");
    }
    Optional<String> refused = search.refused(request);
    if (refused.isPresent()) {
      throw CommandFailed.wrongInput(
          "The search in %s cannot go on: %s.".formatted(request.folder(), refused.get()),
          "Ask for the same again, or begin another one with another --seed.");
    }
  }

  /** What makes the winner, on all of the log. */
  private String trainCommand(SearchResult result, TransitionSource source) {
    StringBuilder command =
        new StringBuilder("./bellwether train --surface ")
            .append(surfaceName)
            .append(" --algorithm '")
            .append(result.winner().method().text())
            .append("' --epochs ")
            .append(Setting.text(result.winner().epochs()))
            .append(" --batch-size ")
            .append(result.winner().batchSize())
            .append(" --seed ")
            .append(seed);
    if (source instanceof ArchiveSource archive
        && !archive.root().equals(data.folder().resolve("archive"))) {
      command.append(" --log '").append(archive.root()).append('\'');
    }
    return command.toString();
  }
}
