package io.bellwether.serving.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A randomised comparison of variants on one surface, as it was declared, with all defaults filled
 * in. Its JSON is a declaration that {@link ExperimentReader} reads. Immutable.
 *
 * @param name distinct for ever
 * @param surface on which it runs
 * @param kind what it does with its variants
 * @param hypothesis what is expected and why, in words
 * @param owner who is asked about it
 * @param layer experiments of one layer never share a subject; the layer's name is its seed
 * @param slice of the layer's buckets that this experiment has
 * @param salt which seeds the choice of variants, independently of the layer
 * @param unit what is randomised
 * @param variants the first one is the control
 * @param targeting all of it must hold
 * @param primary metrics on which it is decided
 * @param secondary metrics to be explored
 * @param guardrails metrics whose breach takes the rollout back
 * @param health limits of how treatments may run
 * @param plan steps of the rollout; empty: shares are fixed
 * @param analysis how it is read
 * @param overrides variant by subject, for testing
 * @param startAt nobody is assigned before; empty: when it is started
 * @param endAt nobody is assigned from then on; empty: no end is planned
 * @param blockLength of a {@link Kind#SWITCHBACK}, otherwise 0
 * @param washout start of each block that is served and not counted; {@link Kind#SWITCHBACK} only
 * @param floor smallest share of a variant of a {@link Kind#BANDIT}, otherwise 0
 * @param every how often a {@link Kind#BANDIT} moves its shares, otherwise 0
 * @param autoActivateBulk for a flag, whether an answer among those of all flags counts as shown
 * @param override why versions that have not passed the gate may be shown; empty: they may not
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Experiment(
    String name,
    String surface,
    Kind kind,
    String hypothesis,
    String owner,
    String layer,
    Slice slice,
    String salt,
    UnitKind unit,
    List<Variant> variants,
    List<Condition> targeting,
    List<MetricDeclaration> primary,
    List<MetricDeclaration> secondary,
    List<MetricDeclaration> guardrails,
    HealthLimits health,
    List<Step> plan,
    Analysis analysis,
    Map<String, String> overrides,
    Optional<Instant> startAt,
    Optional<Instant> endAt,
    Duration blockLength,
    Duration washout,
    double floor,
    Duration every,
    boolean autoActivateBulk,
    Optional<String> override) {

  public Experiment {
    variants = List.copyOf(variants);
    targeting = List.copyOf(targeting);
    primary = List.copyOf(primary);
    secondary = List.copyOf(secondary);
    guardrails = List.copyOf(guardrails);
    plan = List.copyOf(plan);
    overrides = Collections.unmodifiableMap(new LinkedHashMap<>(overrides));
  }

  /** The variant that others are compared with. */
  @JsonIgnore
  public Variant control() {
    return variants.get(0);
  }

  /** All variants but the control. */
  @JsonIgnore
  public List<Variant> treatments() {
    return variants.subList(1, variants.size());
  }

  /** The variant of this name. */
  public Optional<Variant> variant(String variantName) {
    return variants.stream().filter(v -> v.name().equals(variantName)).findFirst();
  }

  /** Whether it decides about slates; otherwise it is a flag. */
  public boolean choosesPolicy() {
    return variants.get(0).arm().choosesPolicy();
  }

  /** What seeds the layer's buckets. */
  public String layerSalt() {
    return "layer." + layer;
  }

  /** The same declaration under another name, seeded anew, without times. */
  Experiment cloned(String newName) {
    return new Experiment(
        newName,
        surface,
        kind,
        hypothesis,
        owner,
        layer,
        slice,
        newName,
        unit,
        variants,
        targeting,
        primary,
        secondary,
        guardrails,
        health,
        plan,
        analysis,
        overrides,
        Optional.empty(),
        Optional.empty(),
        blockLength,
        washout,
        floor,
        every,
        autoActivateBulk,
        override);
  }
}
