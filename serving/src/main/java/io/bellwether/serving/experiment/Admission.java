package io.bellwether.serving.experiment;

import io.bellwether.ingestion.feature.Violation;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.UnknownVersionException;
import io.bellwether.policy.version.VersionId;
import io.bellwether.policy.version.VersionState;
import io.bellwether.serving.surface.Surfaces;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether an experiment that is right in itself fits into the world: its surface is declared, its
 * versions are there and may be shown, and no other experiment is in its way. Asked when it is
 * declared and again when it starts: two that were declared at the same moment do not see each
 * other before. Thread-safe.
 */
final class Admission {

  private static final String INVALID = "invalid-request";

  private final Surfaces surfaces;
  private final PolicyStore policies;

  Admission(Surfaces surfaces, PolicyStore policies) {
    this.surfaces = surfaces;
    this.policies = policies;
  }

  /** Notes everything that is in an experiment's way. */
  void check(Experiment experiment, Collection<ExperimentState> known, List<Violation> violations) {
    List<ExperimentState> others =
        known.stream().filter(other -> !other.name().equals(experiment.name())).toList();
    if (surfaces.find(experiment.surface()).isEmpty()) {
      checkSurface(experiment, others, violations);
    } else {
      pins(experiment, violations);
      checkRules(experiment, violations);
    }
    List<Experiment> unfinished =
        others.stream()
            .filter(other -> other.status().unfinished())
            .map(ExperimentState::declaration)
            .toList();
    checkSalt(experiment, unfinished, violations);
    if (takesPlace(experiment)) {
      List<Experiment> placed = unfinished.stream().filter(Admission::takesPlace).toList();
      checkLayerOfSurface(experiment, placed, violations);
      checkSlice(experiment, placed, violations);
    }
  }

  /** Notes that two rankings are to be interleaved where a slate is more than a ranking. */
  private void checkRules(Experiment experiment, List<Violation> violations) {
    boolean ruled =
        surfaces
            .find(experiment.surface())
            .map(surface -> !surface.surface().rules().groups().isEmpty())
            .orElse(false);
    if (ruled && experiment.kind() == Kind.INTERLEAVING) {
      violations.add(
          new Violation(
              INVALID,
              "#/kind",
              "is INTERLEAVING, and slates of '%s' keep to rules, which two rankings in turns would not; compare them with AB"
                  .formatted(experiment.surface())));
    }
  }

  /** Notes that a name is taken, whatever became of whoever has it. */
  void checkName(
      Experiment experiment, Collection<ExperimentState> known, List<Violation> violations) {
    for (ExperimentState other : known) {
      if (other.name().equals(experiment.name())) {
        violations.add(
            new Violation(
                INVALID,
                "#/name",
                "is '%s', the name of an experiment on '%s' already (%s); names are never used twice"
                    .formatted(other.name(), other.declaration().surface(), other.status())));
      }
    }
  }

  /** Notes that an experiment would be over before it began. */
  void checkEnd(Experiment experiment, Instant now, List<Violation> violations) {
    experiment
        .endAt()
        .filter(end -> !now.isBefore(end))
        .ifPresent(
            end ->
                violations.add(
                    new Violation(INVALID, "#/endAt", "is " + end + ", which is past already")));
  }

  /** What each variant is pinned to now; notes which ones cannot be. */
  Map<String, String> pins(Experiment experiment, List<Violation> violations) {
    Map<String, String> pins = new LinkedHashMap<>();
    List<Variant> variants = experiment.variants();
    for (int i = 0; i < variants.size(); i++) {
      Variant variant = variants.get(i);
      String pointer = "#/variants/" + i + "/policy";
      pins.put(
          variant.name(),
          variant.arm() instanceof Arm.Policy policy
              ? pin(experiment, policy.reference(), pointer, violations)
              : Optional.ofNullable(variant.policy()).orElse(variant.name()));
      checkTwin(variants, i, pins, violations);
    }
    return pins;
  }

  /**
   * Notes that a variant is the same version as an earlier one under another name. The same name
   * twice is somebody's A/A test.
   */
  private static void checkTwin(
      List<Variant> variants, int index, Map<String, String> pins, List<Violation> violations) {
    Variant variant = variants.get(index);
    String version = Objects.requireNonNull(pins.get(variant.name()));
    for (Variant earlier : variants.subList(0, index)) {
      if (variant.arm() instanceof Arm.Policy policy
          && earlier.arm() instanceof Arm.Policy other
          && !policy.equals(other)
          && !version.equals(Arm.UNIFORM)
          && version.equals(pins.get(earlier.name()))) {
        violations.add(
            new Violation(
                INVALID,
                "#/variants/" + index + "/policy",
                "is '%s', and that is version %s like '%s' of variant '%s': there is nothing to compare; train and evaluate another version, or name one"
                    .formatted(policy.reference(), version, other.reference(), earlier.name())));
        return;
      }
    }
  }

  private String pin(
      Experiment experiment, String reference, String pointer, List<Violation> violations) {
    String surface = experiment.surface();
    if (reference.equals(Alias.CHAMPION.word())) {
      // Without a champion a surface explores uniformly.
      return policies.alias(surface, Alias.CHAMPION).map(VersionId::value).orElse(Arm.UNIFORM);
    }
    Optional<VersionId> version = version(surface, reference);
    if (version.isEmpty()) {
      violations.add(
          new Violation(
              INVALID,
              pointer,
              "is '%s', which names no version of '%s'; %s"
                  .formatted(reference, surface, versions(surface))));
      return Arm.UNIFORM;
    }
    if (experiment.kind() != Kind.SHADOW
        && experiment.override().isEmpty()
        && !mayBeShown(version.get())) {
      violations.add(
          new Violation(
              "evaluation-not-passed",
              pointer,
              "is '%s', version %s, whose gate says %s, must be a version that passed; to show it all the same give the reason in override"
                  .formatted(reference, version.get(), verdict(version.get()))));
    }
    return version.get().value();
  }

  private Optional<VersionId> version(String surface, String reference) {
    for (Alias alias : Alias.values()) {
      if (alias.word().equals(reference)) {
        return policies.alias(surface, alias);
      }
    }
    try {
      VersionId id = new VersionId(reference);
      return policies.version(id).name().equals(surface) ? Optional.of(id) : Optional.empty();
    } catch (UnknownVersionException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** It passed, or somebody let it out on his own word, which the policy store keeps. */
  private boolean mayBeShown(VersionId version) {
    boolean passed = policies.verdict(version).filter(GateVerdict.PASS::equals).isPresent();
    if (passed && !policies.awaitsApproval(version)) {
      return true;
    }
    VersionState state = policies.state(version);
    return state == VersionState.CHAMPION || state == VersionState.CHALLENGER;
  }

  private String verdict(VersionId version) {
    String verdict = policies.verdict(version).map(GateVerdict::word).orElse("nothing yet");
    return policies.awaitsApproval(version) ? verdict + ", to be approved" : verdict;
  }

  private String versions(String surface) {
    List<String> ids =
        policies.versions(surface).stream().map(version -> version.id().value()).toList();
    int shown = 10;
    return ids.isEmpty()
        ? "it has none yet"
        : "the latest are "
            + String.join(", ", ids.subList(Math.max(0, ids.size() - shown), ids.size()));
  }

  private void checkSurface(
      Experiment experiment, List<ExperimentState> others, List<Violation> violations) {
    String name = experiment.surface();
    boolean retired =
        policies.names().contains(name)
            || others.stream().anyMatch(other -> other.declaration().surface().equals(name));
    if (!name.isEmpty()) {
      violations.add(
          new Violation(
              INVALID,
              "#/surface",
              "is '%s', which %s; %s"
                  .formatted(
                      name,
                      retired
                          ? "is retired: it had policies or experiments, and is no longer declared"
                          : "is not declared",
                      surfaces.known())));
    }
  }

  /** With equal salts the same subjects would be first in both. */
  private static void checkSalt(
      Experiment experiment, List<Experiment> unfinished, List<Violation> violations) {
    for (Experiment other : unfinished) {
      if (other.salt().equals(experiment.salt())) {
        violations.add(
            new Violation(
                INVALID,
                "#/salt",
                "is '%s', the salt of '%s' as well, so that the same units would be first in both;"
                        .formatted(experiment.salt(), other.name())
                    + " must be one of its own"));
      }
    }
    if (experiment.salt().equals(experiment.layerSalt())) {
      violations.add(
          new Violation(
              INVALID, "#/salt", "is that of the layer; gate and variants must be independent"));
    }
  }

  /** What is only scored takes nobody; what is held out is so from every layer. */
  private static boolean takesPlace(Experiment experiment) {
    return experiment.kind() != Kind.SHADOW && experiment.kind() != Kind.HOLDOUT;
  }

  /** One decision has one policy. */
  private static void checkLayerOfSurface(
      Experiment experiment, List<Experiment> placed, List<Violation> violations) {
    if (!experiment.choosesPolicy()) {
      return;
    }
    for (Experiment other : placed) {
      if (other.choosesPolicy()
          && other.surface().equals(experiment.surface())
          && !other.layer().equals(experiment.layer())) {
        violations.add(
            new Violation(
                INVALID,
                "#/layer",
                "is '%s', must be '%s' while '%s' chooses the policy of '%s' too"
                    .formatted(
                        experiment.layer(), other.layer(), other.name(), experiment.surface())));
        return;
      }
    }
  }

  private static void checkSlice(
      Experiment experiment, List<Experiment> placed, List<Violation> violations) {
    List<Experiment> neighbours =
        placed.stream().filter(other -> other.layer().equals(experiment.layer())).toList();
    List<Experiment> overlapping =
        neighbours.stream().filter(other -> other.slice().overlaps(experiment.slice())).toList();
    if (overlapping.isEmpty()) {
      return;
    }
    int total =
        experiment.slice().size() + neighbours.stream().mapToInt(o -> o.slice().size()).sum();
    String sum =
        total > Bucket.COUNT
            ? "; together they want %d of the layer's %d".formatted(total, Bucket.COUNT)
            : "";
    violations.add(
        new Violation(
            INVALID,
            "#/slice",
            "of '%s' is %s and overlaps %s in layer '%s'%s; free is %s"
                .formatted(
                    experiment.name(),
                    experiment.slice(),
                    overlapping.stream()
                        .map(other -> "'" + other.name() + "' " + other.slice())
                        .collect(Collectors.joining(", ")),
                    experiment.layer(),
                    sum,
                    free(neighbours))));
  }

  private static String free(List<Experiment> neighbours) {
    List<Slice> taken =
        neighbours.stream()
            .map(Experiment::slice)
            .sorted((a, b) -> Integer.compare(a.from(), b.from()))
            .toList();
    List<String> free = new ArrayList<>();
    int next = 0;
    for (Slice slice : taken) {
      if (slice.from() > next) {
        free.add(new Slice(next, slice.from()).toString());
      }
      next = Math.max(next, slice.to());
    }
    if (next < Bucket.COUNT) {
      free.add(new Slice(next, Bucket.COUNT).toString());
    }
    return free.isEmpty() ? "nothing" : String.join(", ", free);
  }
}
