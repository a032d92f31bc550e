package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.AnalysisPlan.Design;
import io.bellwether.evaluation.report.Bounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads an experiment's numbers by its plan: a pure function, so that the same numbers always give
 * the same reading.
 *
 * <p>Effects are computed phase by phase, because shares and versions are constant within one, and
 * then averaged; values are never pooled over phases. A split of the traffic that chance does not
 * explain withholds every effect.
 */
public final class Analysis {
  /** A sequential p-value of the traffic split below this raises the alarm. */
  public static final double MISMATCH_ALARM = 0.01;

  /** Nothing is concluded from fewer units of either variant. */
  static final long BURN_IN = 100;

  /**
   * Nothing is concluded while the smaller variant should have had fewer events, which at even
   * shares is a hundred of both together. At one percent of the traffic a hundred of both are one
   * of the treatment's; it easily has none, and then its error would look like none as well.
   */
  static final double BURN_IN_EVENTS = 50;

  private static final String TOO_FEW_EVENTS = "TOO_FEW_EVENTS";

  /** The reason with which effects are withheld when the traffic is not split as asked for. */
  static final String MISMATCH = "SRM";

  static final String BEFORE_HORIZON = "BEFORE_PLANNED_SIZE";

  private final AnalysisPlan plan;
  private final List<PhaseSample> phases;
  private final TickMemory before;
  private final List<AnalysisPlan.Limited> limited;
  private final List<List<Comparison>> compared;
  private final SampleRatioReading split;
  private final boolean horizonReached;

  private Analysis(AnalysisPlan plan, List<PhaseSample> phases, TickMemory before) {
    this.plan = plan;
    this.phases = List.copyOf(phases);
    this.before = before;
    this.limited = plan.limited();
    this.compared = phases.stream().map(this::comparisons).toList();
    this.split = TrafficSplit.read(plan, phases, before);
    this.horizonReached = horizonReached();
  }

  /**
   * What the numbers say now.
   *
   * @param phases in order; the last is the present one. Empty while nothing was counted
   * @param numbersAge how old the numbers are
   * @param before what earlier looks left behind, {@link TickMemory#START} at first
   */
  public static ExperimentReading read(
      AnalysisPlan plan, List<PhaseSample> phases, Duration numbersAge, TickMemory before) {
    return new Analysis(plan, phases, before).reading(numbersAge);
  }

  private ExperimentReading reading(Duration numbersAge) {
    List<PhaseReading> readings = IntStream.range(0, phases.size()).mapToObj(this::phase).toList();
    List<MetricReading> allPhases = allPhases();
    ExperimentReading bare =
        new ExperimentReading(
            ExperimentReading.SCHEMA_VERSION,
            terms(),
            numbersAge.toMillis(),
            phases.isEmpty() ? 0 : last().number(),
            phases.stream().mapToDouble(Analysis::hours).sum(),
            split,
            phases.isEmpty() ? 0 : crossoverShare(last()),
            readings,
            allPhases,
            IntStream.range(0, phases.size())
                .boxed()
                .flatMap(each -> guardrails(each).stream())
                .toList(),
            ofPresent(phase -> Operations.limits(plan, phase, treatments(phase))),
            ofPresent(phase -> Preferences.read(plan, phase)),
            ofPresent(this::blocks),
            ofPresent(phase -> Operations.shadows(plan, phase)),
            plan.predictions().stream().map(each -> ledger(each, allPhases)).toList(),
            List.of(),
            List.of());
    ExperimentReading warned = bare.withCaveats(Caveats.of(plan, phases, bare));
    return warned.withSummary(Summary.of(warned));
  }

  private <T> List<T> ofPresent(Function<PhaseSample, List<T>> rows) {
    return phases.isEmpty() ? List.of() : rows.apply(last());
  }

  private List<SwitchbackReading> blocks(PhaseSample phase) {
    return plan.design() == Design.SWITCHBACK && !split.alarm()
        ? SwitchbackRows.read(plan, phase, treatments(phase))
        : List.of();
  }

  private ExperimentReading.Terms terms() {
    SortedMap<String, Role> metrics = new TreeMap<>();
    plan.primaryMetrics().forEach(metric -> metrics.put(metric.name(), Role.PRIMARY));
    plan.secondary().forEach(metric -> metrics.put(metric.name(), Role.SECONDARY));
    plan.guardrails().forEach(each -> metrics.put(each.metric().name(), Role.GUARDRAIL));
    return new ExperimentReading.Terms(
        plan.design(),
        plan.method(),
        plan.control(),
        plan.alpha(),
        plan.plannedUnits(),
        plan.plannedPhases(),
        metrics);
  }

  private PhaseReading phase(int index) {
    PhaseSample phase = phases.get(index);
    int number = phase.number();
    return new PhaseReading(
        number,
        phase.shares(),
        phase.versions(),
        hours(phase),
        plan.alphaOfPhase(number),
        variants(phase),
        rows(number, plan.alphaOfPhase(number)).of(compared.get(index)));
  }

  /** The control first, the others by name. */
  private List<VariantReading> variants(PhaseSample phase) {
    TreeSet<String> others = new TreeSet<>(phase.shares().keySet());
    phase.variants().forEach(sample -> others.add(sample.variant()));
    Stream<String> control =
        others.remove(plan.control()) ? Stream.of(plan.control()) : Stream.of();
    return Stream.concat(control, others.stream())
        .map(name -> Operations.variant(phase.sample(name), phase.share(name)))
        .toList();
  }

  private List<MetricReading> allPhases() {
    Map<String, List<Comparison>> byRow = new LinkedHashMap<>();
    for (List<Comparison> phase : compared) {
      for (Comparison each : phase) {
        byRow.computeIfAbsent(each.key(), none -> new ArrayList<>()).add(each);
      }
    }
    return rows(MetricReading.ALL_PHASES, plan.alpha())
        .of(byRow.values().stream().map(Comparison::ofPhases).toList());
  }

  private MetricRows rows(int phase, double alpha) {
    double all = (double) plan.plannedUnits() * plan.plannedPhases();
    return new MetricRows(
        plan,
        phase,
        alpha,
        phase == MetricReading.ALL_PHASES ? all : plan.plannedUnits(),
        all,
        horizonReached,
        split.alarm(),
        before);
  }

  /** Every metric under every treatment; an interleaving and a shadow compare no units. */
  private List<Comparison> comparisons(PhaseSample phase) {
    if (!comparesUnits(plan)) {
      return List.of();
    }
    VariantSample control = phase.sample(plan.control());
    List<Comparison> comparisons = new ArrayList<>();
    for (String treatment : treatments(phase)) {
      VariantSample sample = phase.sample(treatment);
      plan.primaryMetrics()
          .forEach(each -> comparisons.add(compare(each, Role.PRIMARY, control, sample)));
      plan.guardrails()
          .forEach(
              each -> comparisons.add(compare(each.metric(), Role.GUARDRAIL, control, sample)));
      plan.secondary()
          .forEach(each -> comparisons.add(compare(each, Role.SECONDARY, control, sample)));
    }
    return comparisons;
  }

  private Comparison compare(
      Metric metric, Role role, VariantSample control, VariantSample treatment) {
    return plan.design() == Design.SWITCHBACK
        ? Comparison.ofBlocks(metric, role, control, treatment)
        : Comparison.of(metric, role, control, treatment);
  }

  private List<GuardrailReading> guardrails(int index) {
    PhaseSample phase = phases.get(index);
    List<GuardrailReading> rows = new ArrayList<>();
    for (Comparison comparison : compared.get(index)) {
      for (AnalysisPlan.Limited limited : limited) {
        if (limited.guardrail().metric().equals(comparison.metric())) {
          rows.add(guardrail(phase, limited, comparison));
        }
      }
    }
    return rows;
  }

  private GuardrailReading guardrail(
      PhaseSample phase, AnalysisPlan.Limited limited, Comparison comparison) {
    Guardrail guardrail = limited.guardrail();
    Metric metric = guardrail.metric();
    VariantSample treatment = phase.sample(comparison.variant());
    Distance harm = guardrail.harm().distance(metric, treatment, comparison.effect());
    Distance tolerated = guardrail.tolerated().distance(metric, treatment, comparison.effect());
    double alpha = plan.alphaOfLimit(phase.number()) / treatments(phase).size();
    double planned = plan.plannedUnits();
    Optional<String> early = earlyFor(guardrail, phase, treatment, comparison);
    if (early.isPresent()) {
      harm = new Distance.Unknown(early.get());
      tolerated = harm;
    }
    Figure harmBound = harm.upper(alpha, planned);
    Figure refutedBound = tolerated.upper(alpha, planned);
    Figure establishedBound = tolerated.lower(alpha, planned);
    return new GuardrailReading(
        phase.number(),
        metric.name(),
        limited.role(),
        comparison.variant(),
        guardrail.harm().words(metric.direction()),
        guardrail.tolerated().words(metric.direction()),
        alpha,
        !split.alarm() && comparison.effect() instanceof Effect effect
            ? Figure.of(effect.difference())
            : new Figure.Unknown(split.alarm() ? MISMATCH : reason(comparison.effect())),
        harm.estimate(),
        harmBound,
        tolerated.estimate(),
        establishedBound,
        isBelowZero(harmBound),
        isBelowZero(refutedBound),
        establishedBound.number().isPresent() && establishedBound.number().getAsDouble() >= 0,
        reasonOf(harmBound, establishedBound));
  }

  /** A level of the treatment's own needs no unit of the control. */
  private Optional<String> earlyFor(
      Guardrail guardrail, PhaseSample phase, VariantSample treatment, Comparison comparison) {
    if (split.alarm()) {
      return Optional.of(MISMATCH);
    }
    boolean compares =
        guardrail.harm().comparesWithControl() || guardrail.tolerated().comparesWithControl();
    if (compares && phase.share(plan.control()) == 0) {
      return Optional.of("NO_CONTROL");
    }
    if (comparison.effect() instanceof Effect effect) {
      return burnIn(effect, comparison.events());
    }
    if (compares) {
      return Optional.empty();
    }
    if (treatment.units() < BURN_IN) {
      return Optional.of(EffectOutcome.Reason.TOO_FEW_UNITS.name());
    }
    return comparison.metric().measure().events(treatment).orElse(Long.MAX_VALUE) < BURN_IN_EVENTS
        ? Optional.of(TOO_FEW_EVENTS)
        : Optional.empty();
  }

  private static String reasonOf(Figure... bounds) {
    for (Figure bound : bounds) {
      if (bound instanceof Figure.Unknown unknown) {
        return unknown.reason();
      }
    }
    return "";
  }

  private static boolean isBelowZero(Figure bound) {
    return bound.number().isPresent() && bound.number().getAsDouble() < 0;
  }

  private LedgerRow ledger(Prediction prediction, List<MetricReading> rows) {
    for (MetricReading row : rows) {
      if (row.metric().equals(prediction.metric())
          && row.variant().equals(prediction.variant())
          && row.difference() instanceof Figure.Known online) {
        return new LedgerRow(
            prediction,
            online,
            row.sequence(),
            Figure.of(online.value() - prediction.difference()),
            prediction.lower() <= online.value() && online.value() <= prediction.upper());
      }
    }
    Figure unknown = new Figure.Unknown(split.alarm() ? MISMATCH : "NOT_MEASURED");
    return new LedgerRow(
        prediction,
        unknown,
        new Bounds.Absent(split.alarm() ? MISMATCH : "NOT_MEASURED"),
        unknown,
        false);
  }

  private boolean horizonReached() {
    Duration age = phases.stream().map(PhaseSample::age).reduce(Duration.ZERO, Duration::plus);
    if (age.compareTo(plan.plannedDuration()) >= 0) {
      return true;
    }
    long control = phases.stream().mapToLong(each -> each.sample(plan.control()).units()).sum();
    long planned = plan.plannedUnits() * plan.plannedPhases();
    TreeSet<String> treatments = new TreeSet<>();
    phases.forEach(phase -> treatments.addAll(treatments(phase)));
    return !treatments.isEmpty()
        && treatments.stream()
            .allMatch(
                name ->
                    control + phases.stream().mapToLong(each -> each.sample(name).units()).sum()
                        >= planned);
  }

  /** Those that get traffic; a variant that only overrides reach is not compared. */
  private List<String> treatments(PhaseSample phase) {
    return phase.withTraffic().stream().filter(name -> !name.equals(plan.control())).toList();
  }

  private PhaseSample last() {
    return phases.get(phases.size() - 1);
  }

  private static double crossoverShare(PhaseSample phase) {
    long all = phase.units() + phase.crossovers();
    return all == 0 ? 0 : (double) phase.crossovers() / all;
  }

  private static double hours(PhaseSample phase) {
    return phase.age().toMillis() / Phrases.HOUR_MILLIS;
  }

  static boolean comparesUnits(AnalysisPlan plan) {
    return plan.design() != Design.INTERLEAVING && plan.design() != Design.SHADOW;
  }

  /** Why an effect, though known, is not yet to be concluded from. */
  static Optional<String> burnIn(Effect effect, OptionalLong events) {
    long smaller = Math.min(effect.controlUnits(), effect.treatmentUnits());
    if (smaller < BURN_IN) {
      return Optional.of(EffectOutcome.Reason.TOO_FEW_UNITS.name());
    }
    double expected = events.orElse(Long.MAX_VALUE) * ((double) smaller / effect.units());
    return expected < BURN_IN_EVENTS ? Optional.of(TOO_FEW_EVENTS) : Optional.empty();
  }

  static String reason(EffectOutcome effect) {
    return effect instanceof EffectOutcome.Undefined undefined ? undefined.reason().name() : "";
  }
}
