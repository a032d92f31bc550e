package io.bellwether.serving.decision;

import io.bellwether.serving.experiment.Analysis;
import io.bellwether.serving.experiment.Arm;
import io.bellwether.serving.experiment.Assigned;
import io.bellwether.serving.experiment.Experiment;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.HealthLimits;
import io.bellwether.serving.experiment.Kind;
import io.bellwether.serving.experiment.Phase;
import io.bellwether.serving.experiment.Slice;
import io.bellwether.serving.experiment.Status;
import io.bellwether.serving.experiment.UnitKind;
import io.bellwether.serving.experiment.Variant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Assignments to the variants of a running experiment, without asking for them. */
public final class Variants {

  private Variants() {}

  /** The assignment to a single variant. */
  public static Assigned.ToVariant to(Arm arm, String version) {
    Variant variant = new Variant("treatment", 5000, arm);
    Variant control = new Variant("control", 5000, new Arm.Policy("champion"));
    return assigned(
        state(
            Kind.AB, List.of(control, variant), Map.of("control", "uniform", "treatment", version)),
        variant,
        version);
  }

  /** The assignment to a draft of two versions. */
  static Assigned.ToVariant interleaved(String first, String second) {
    List<Variant> teams =
        List.of(
            new Variant("control", 5000, new Arm.Policy(first)),
            new Variant("treatment", 5000, new Arm.Policy(second)));
    return assigned(
        state(Kind.INTERLEAVING, teams, Map.of("control", first, "treatment", second)),
        new Variant(Variant.INTERLEAVED, 10_000, new Arm.Interleaved()),
        first + "+" + second);
  }

  private static Assigned.ToVariant assigned(
      ExperimentState state, Variant variant, String version) {
    return new Assigned.ToVariant(
        state, state.phases().get(0), variant, version, "u", 7000, 0.5, false, "");
  }

  private static ExperimentState state(
      Kind kind, List<Variant> variants, Map<String, String> versions) {
    return new ExperimentState(
        2,
        experiment(kind, variants),
        Status.RUNNING,
        false,
        List.of(new Phase(1, Instant.EPOCH, Map.of("control", 5000, "treatment", 5000), versions)),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Experiment experiment(Kind kind, List<Variant> variants) {
    return new Experiment(
        "better-feed",
        "feed",
        kind,
        "",
        "",
        "better-feed",
        Slice.WHOLE,
        "better-feed",
        UnitKind.SUBJECT,
        variants,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new HealthLimits(0.01, Duration.ofMillis(100), 100),
        List.of(),
        new Analysis(Analysis.Method.SEQUENTIAL, 0.05, 1000, 1, 0.01, Duration.ofDays(7)),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Duration.ZERO,
        Duration.ZERO,
        0,
        Duration.ZERO,
        false,
        Optional.empty());
  }
}
