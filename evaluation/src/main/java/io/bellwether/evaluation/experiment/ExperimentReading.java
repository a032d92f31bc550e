package io.bellwether.evaluation.experiment;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the numbers of an experiment say at one look: immutable plain data, free of NaN and
 * infinity.
 *
 * @param terms what was to be decided, fixed beforehand
 * @param numbersAgeMillis how old the numbers are
 * @param phase number of the present phase, which is the last of {@code phases}; 0 before the first
 * @param hours how long all phases have lasted
 * @param crossoverShare units seen in two variants as a share of all units of the present phase
 * @param phases in order, with one row per metric and treatment each
 * @param allPhases the same over all phases, weighted so that moving shares do not bias them; for
 *     reading, a rollout is decided phase by phase
 * @param guardrails one row per phase, treatment and limited metric
 * @param limits operational limits in the present phase
 * @param preferences of an interleaving; empty otherwise
 * @param blocks of a switchback; empty otherwise
 * @param shadows versions that scored without being shown
 * @param ledger offline predictions next to online effects
 * @param summary plain sentences
 */
public record ExperimentReading(
    int schemaVersion,
    Terms terms,
    long numbersAgeMillis,
    int phase,
    double hours,
    SampleRatioReading sampleRatio,
    double crossoverShare,
    List<PhaseReading> phases,
    List<MetricReading> allPhases,
    List<GuardrailReading> guardrails,
    List<LimitReading> limits,
    List<PreferenceReading> preferences,
    List<SwitchbackReading> blocks,
    List<ShadowReading> shadows,
    List<LedgerRow> ledger,
    List<Caveat> caveats,
    List<String> summary) {

  public static final int SCHEMA_VERSION = 1;

  /**
   * The plan in plain values.
   *
   * @param plannedUnits at which sequences are tightest, control and one treatment together, per
   *     phase
   * @param metrics role by metric
   */
  public record Terms(
      AnalysisPlan.Design design,
      AnalysisPlan.Method method,
      String control,
      double alpha,
      long plannedUnits,
      int plannedPhases,
      SortedMap<String, Role> metrics) {
    public Terms {
      metrics = Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
    }
  }

  public ExperimentReading {
    if (numbersAgeMillis < 0) {
      throw new IllegalArgumentException("numbers from the future: " + numbersAgeMillis + " ms");
    }
    phases = List.copyOf(phases);
    allPhases = List.copyOf(allPhases);
    guardrails = List.copyOf(guardrails);
    limits = List.copyOf(limits);
    preferences = List.copyOf(preferences);
    blocks = List.copyOf(blocks);
    shadows = List.copyOf(shadows);
    ledger = List.copyOf(ledger);
    caveats = List.copyOf(caveats);
    summary = List.copyOf(summary);
  }

  ExperimentReading withCaveats(List<Caveat> found) {
    return new ExperimentReading(
        schemaVersion,
        terms,
        numbersAgeMillis,
        phase,
        hours,
        sampleRatio,
        crossoverShare,
        phases,
        allPhases,
        guardrails,
        limits,
        preferences,
        blocks,
        shadows,
        ledger,
        found,
        summary);
  }

  ExperimentReading withSummary(List<String> sentences) {
    return new ExperimentReading(
        schemaVersion,
        terms,
        numbersAgeMillis,
        phase,
        hours,
        sampleRatio,
        crossoverShare,
        phases,
        allPhases,
        guardrails,
        limits,
        preferences,
        blocks,
        shadows,
        ledger,
        caveats,
        sentences);
  }

  /** Rows of the present phase. */
  List<GuardrailReading> presentGuardrails() {
    return guardrails.stream().filter(row -> row.phase() == phase).toList();
  }

  /** Whether this limit is shown to be kept now, or was in a phase with the same two versions. */
  boolean isEstablished(GuardrailReading present) {
    return guardrails.stream()
        .filter(GuardrailReading::established)
        .filter(row -> row.key().equals(present.key()))
        .anyMatch(row -> sameVersions(row.phase(), present.phase(), present.variant()));
  }

  private boolean sameVersions(int first, int second, String treatment) {
    return Stream.of(terms.control(), treatment)
        .allMatch(variant -> version(first, variant).equals(version(second, variant)));
  }

  private String version(int number, String variant) {
    return phases.stream()
        .filter(each -> each.number() == number)
        .map(each -> each.versions().getOrDefault(variant, ""))
        .findFirst()
        .orElse("");
  }
}
