package io.bellwether.infra.command;

import io.bellwether.evaluation.report.EvaluationPlan;
import io.bellwether.evaluation.report.Looks;
import io.bellwether.evaluation.report.Objective;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.gate.EvaluationRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an evaluation rests on, as options: fixed before anybody looks at the data. */
final class EvaluationOptions {
  @Mixin private final LogOption log = new LogOption();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Decisions made from this day or time on.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Decisions made on this day or before, or before this time.")
  private @Nullable String to;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "As it was known at the end of this day or at this time: what was joined later is not"
              + " looked at (default: all that is known).")
  private @Nullable String asOf;

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
      names = "--repeated",
      paramLabel = "SUBJECTS",
      description =
          "The report is made again while the log grows, until it passes: its bounds then hold at"
              + " every look. They are tightest at this number of subjects; keep to it.")
  private @Nullable Long repeated;

  @Option(
      names = "--largest-weight",
      paramLabel = "W",
      description =
          "What no decision's weight can exceed, known beforehand: the largest chance of a policy"
              + " over the smallest that exploration leaves. Adds the intervals of Hoeffding and"
              + " Bernstein.")
  private double largestWeight = Double.POSITIVE_INFINITY;

  @Option(
      names = "--estimators",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Estimators to show, such as ips,snips,dr,sndr,dr-shrunk (default: all that suit the"
              + " log). Which one decides is fixed.")
  private List<String> estimators = List.of();

  @Option(
      names = "--segments",
      paramLabel = "NAMES",
      split = ",",
      description = "Context features by whose values the report is split; none of them decides.")
  private List<String> segments = List.of();

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description =
          "Item feature that says which items are alike (default: the only category among the item"
              + " features, where there is one).")
  private @Nullable String cluster;

  @Option(
      names = "--replicates",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Resamples of the bootstrap (default: ${DEFAULT-VALUE}).")
  private int replicates;

  @Option(
      names = "--model-steps",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Training steps of each reward model; 0 for none, and weights alone decide (default:"
              + " ${DEFAULT-VALUE}).")
  private long modelSteps;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all that is random (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--approver",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Who has read the warnings of a pass and answers for it.")
  private String approver = "";

  double alpha() {
    return alpha;
  }

  /** Refuses what cannot be, before anything is read. */
  void check() {
    if (!(alpha > 0 && alpha < 0.5)) {
      throw CommandFailed.wrongInput(
          "--alpha " + alpha + " is out of range.", "Give a number above 0 and below 0.5.");
    }
    if (!Double.isFinite(minLift)) {
      throw CommandFailed.wrongInput(
          "--min-lift " + minLift + " is no share.", "Give a number such as 0.01 for 1 %.");
    }
    if (modelSteps < 0) {
      throw CommandFailed.wrongInput(
          "--model-steps " + modelSteps + " is negative.", "Give 0 for no reward model.");
    }
    looks();
    if (!(largestWeight > 0)) {
      throw CommandFailed.wrongInput(
          "--largest-weight " + largestWeight + " is out of range.",
          "Give a number above 0, or leave it out.");
    }
    if (replicates < 0) {
      throw CommandFailed.wrongInput(
          "--replicates " + replicates + " is negative.", "Give 0 for no bootstrap.");
    }
    range();
  }

  /** Refuses what the surface does not have, with what it has. */
  EvaluationRequest request(Surface surface, Path data) throws IOException {
    LogRange range = range();
    requireDeclared(surface);
    return EvaluationRequest.of(surface, log.inRange(surface.name(), data))
        .withRange(range.from(), range.to())
        .withAsOf(asOf == null ? null : LogRange.end("--as-of", asOf))
        .withAlpha(alpha)
        .withMinLift(minLift)
        .withLooks(looks())
        .withLargestWeight(largestWeight)
        .withModelSteps(modelSteps)
        .withEstimators(estimators)
        .withSegments(segments)
        .withClusterFeature(cluster)
        .withReplicates(replicates)
        .withApprover(approver)
        .withSeed(seed);
  }

  private Looks looks() {
    if (repeated == null) {
      return new Looks.Once();
    }
    try {
      return new Looks.Repeated(repeated);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          "--repeated " + repeated + " is too few: " + e.getMessage() + ".",
          "Give the number of subjects that you expect to need.");
    }
  }

  private void requireDeclared(Surface surface) {
    List<String> possible =
        surface.context().stream().filter(EvaluationOptions::splits).map(Feature::name).toList();
    for (String segment : segments) {
      if (!possible.contains(segment)) {
        throw CommandFailed.wrongInput(
            "--segments: surface " + surface.name() + " cannot be split by '" + segment + "'.",
            possible.isEmpty()
                ? "It declares no flag, number or category in its context."
                : "It can be split by " + String.join(", ", possible) + ".");
      }
    }
    List<String> clusters =
        surface.item().stream().filter(EvaluationOptions::clusters).map(Feature::name).toList();
    if (cluster != null && !cluster.isEmpty() && !clusters.contains(cluster)) {
      throw CommandFailed.wrongInput(
          "--cluster: items of surface " + surface.name() + " are not alike by '" + cluster + "'.",
          clusters.isEmpty()
              ? "It declares no category, list of categories or flag of its items."
              : "They can be by " + String.join(", ", clusters) + ".");
    }
    try {
      EvaluationPlan.of(Objective.maximize(surface.objective().signal()))
          .withEstimatorNames(estimators);
    } catch (IllegalArgumentException e) {
      throw CommandFailed.wrongInput(
          "--estimators: " + e.getMessage() + ".", "Leave it out for all that suit the log.");
    }
  }

  private static boolean clusters(Feature feature) {
    return feature instanceof Feature.Category
        || feature instanceof Feature.Categories
        || feature instanceof Feature.Flag;
  }

  private static boolean splits(Feature feature) {
    return feature instanceof Feature.Flag
        || feature instanceof Feature.Number
        || feature instanceof Feature.Category;
  }

  private LogRange range() {
    LogRange named = log.range();
    if (from == null && to == null) {
      return named;
    }
    if (!named.equals(LogRange.ALL)) {
      throw CommandFailed.wrongInput(
          "--log names a range, and so do --from and --to.", "Give the range once.");
    }
    Instant first = from == null ? null : LogRange.start("--from", from);
    return LogRange.of(first, to == null ? null : LogRange.end("--to", to));
  }
}
