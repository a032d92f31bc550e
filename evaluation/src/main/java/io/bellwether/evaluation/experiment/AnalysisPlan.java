package io.bellwether.evaluation.experiment;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What an experiment has to decide and to show, fixed at its start.
 *
 * <p>The error {@code alpha} is shared equally between the phases that are planned; guardrails and
 * primary metrics together spend the same again on their limits, equally. Phases that were not
 * planned get 1/(1·2), 1/(2·3), 1/(3·4) and so on of a planned one's share, so that all of them
 * together, however many, add at most one planned phase's error.
 *
 * @param control the variant that the others are compared with
 * @param primary one to three are sensible, none for a shadow; each must not get worse either
 * @param method by which {@code status} is concluded
 * @param plannedUnits control and one treatment together, per phase: sequences are tightest there,
 *     and a fixed horizon is reached
 * @param plannedDuration a fixed horizon is also reached after this, over all phases
 * @param plannedPhases in which control and treatments both get traffic
 * @param looks of a group-sequential design, as ascending shares of the planned units; empty for
 *     none
 * @param mixtureDeviation standard deviation of the mixture sequential test, in the metric's unit:
 *     about the effect worth detecting
 * @param blockLength of a switchback whose blocks come in pairs, counted from 1970, that have each
 *     variant once; 0 for any other
 * @param predictions what offline evaluations promised
 */
public record AnalysisPlan(
    Design design,
    String control,
    List<Guardrail> primary,
    List<Metric> secondary,
    List<Guardrail> guardrails,
    HealthLimits health,
    Method method,
    double alpha,
    long plannedUnits,
    Duration plannedDuration,
    int plannedPhases,
    List<Double> looks,
    double mixtureDeviation,
    Duration blockLength,
    List<Prediction> predictions) {

  /** How variants meet their units. */
  public enum Design {
    /** Each unit meets one variant; also holdouts and apprentices. */
    PARALLEL,
    /** The same with shares that follow the results. */
    BANDIT,
    /** Each slate mixes two rankings, and reactions are credited to them. */
    INTERLEAVING,
    /** Blocks of time are wholly one variant's. */
    SWITCHBACK,
    /** Treatments score and are not shown. */
    SHADOW
  }

  /** What decides. */
  public enum Method {
    ASYMPTOTIC_SEQUENCE,
    MIXTURE_SEQUENTIAL,
    FIXED_HORIZON,
    GROUP_SEQUENTIAL
  }

  private static final long DEFAULT_UNITS = 20_000;
  private static final Duration NO_DURATION = Duration.ofDays(36_500);

  public AnalysisPlan {
    primary = List.copyOf(primary);
    secondary = List.copyOf(secondary);
    guardrails = List.copyOf(guardrails);
    looks = List.copyOf(looks);
    predictions = List.copyOf(predictions);
    if (!(alpha > 0 && alpha < 0.5)) {
      throw new IllegalArgumentException("alpha lies in (0, 0.5), found " + alpha);
    }
    if (plannedUnits < 1 || plannedPhases < 1) {
      throw new IllegalArgumentException(
          "%d units, %d phases".formatted(plannedUnits, plannedPhases));
    }
    if (!(mixtureDeviation >= 0) || Double.isInfinite(mixtureDeviation)) {
      throw new IllegalArgumentException("a deviation is at least 0, found " + mixtureDeviation);
    }
    if (blockLength.isNegative()) {
      throw new IllegalArgumentException("blocks of " + blockLength);
    }
    requireAscending(looks);
    requireUnique(primary, secondary, guardrails);
    if (method == Method.GROUP_SEQUENTIAL && looks.isEmpty()) {
      throw new IllegalArgumentException("a group-sequential design needs its looks");
    }
    if (method == Method.MIXTURE_SEQUENTIAL && mixtureDeviation == 0) {
      throw new IllegalArgumentException("a mixture sequential test needs a deviation above 0");
    }
  }

  /** The defaults: parallel, asymptotic sequence, alpha 0.05, one phase, no guardrail. */
  public static AnalysisPlan of(String control, Metric primary) {
    return new AnalysisPlan(
        Design.PARALLEL,
        control,
        List.of(noWorse(primary)),
        List.of(),
        List.of(),
        HealthLimits.NONE,
        Method.ASYMPTOTIC_SEQUENCE,
        0.05,
        DEFAULT_UNITS,
        NO_DURATION,
        1,
        List.of(),
        0,
        Duration.ZERO,
        List.of());
  }

  public AnalysisPlan withDesign(Design other) {
    return changed(draft -> draft.design = other);
  }

  /** None of them may get worse at all. */
  public AnalysisPlan withPrimary(List<Metric> metrics) {
    return changed(draft -> draft.primary = metrics.stream().map(AnalysisPlan::noWorse).toList());
  }

  /** Limits of every primary metric: where harm begins, and what must be shown at the end. */
  public AnalysisPlan withPrimaryMargins(Margin harm, Margin tolerated) {
    return changed(
        draft ->
            draft.primary =
                primary.stream()
                    .map(each -> new Guardrail(each.metric(), harm, tolerated))
                    .toList());
  }

  public AnalysisPlan withSecondary(List<Metric> metrics) {
    return changed(draft -> draft.secondary = metrics);
  }

  public AnalysisPlan withGuardrails(List<Guardrail> limits) {
    return changed(draft -> draft.guardrails = limits);
  }

  public AnalysisPlan withHealth(HealthLimits limits) {
    return changed(draft -> draft.health = limits);
  }

  /** Without what a mixture sequential test or a group-sequential design needs besides. */
  public AnalysisPlan withMethod(Method other) {
    return changed(draft -> draft.method = other);
  }

  public AnalysisPlan withAlpha(double error) {
    return changed(draft -> draft.alpha = error);
  }

  public AnalysisPlan withPlannedUnits(long units) {
    return changed(draft -> draft.plannedUnits = units);
  }

  public AnalysisPlan withPlannedDuration(Duration duration) {
    return changed(draft -> draft.plannedDuration = duration);
  }

  public AnalysisPlan withPlannedPhases(int phases) {
    return changed(draft -> draft.plannedPhases = phases);
  }

  /** Decides at these looks. */
  public AnalysisPlan withLooks(List<Double> information) {
    return changed(
        draft -> {
          draft.method = Method.GROUP_SEQUENTIAL;
          draft.looks = information;
        });
  }

  public AnalysisPlan withMixtureDeviation(double deviation) {
    return changed(draft -> draft.mixtureDeviation = deviation);
  }

  public AnalysisPlan withBlockLength(Duration length) {
    return changed(draft -> draft.blockLength = length);
  }

  public AnalysisPlan withPredictions(List<Prediction> promised) {
    return changed(draft -> draft.predictions = promised);
  }

  /** All of them. */
  List<Metric> metrics() {
    return Stream.of(
            primary.stream().map(Guardrail::metric),
            guardrails.stream().map(Guardrail::metric),
            secondary.stream())
        .flatMap(each -> each)
        .toList();
  }

  List<Metric> primaryMetrics() {
    return primary.stream().map(Guardrail::metric).toList();
  }

  /** All limited metrics, the primary ones first. */
  List<Limited> limited() {
    return Stream.concat(
            primary.stream().map(each -> new Limited(Role.PRIMARY, each)),
            guardrails.stream().map(each -> new Limited(Role.GUARDRAIL, each)))
        .toList();
  }

  record Limited(Role role, Guardrail guardrail) {}

  /** Error of a phase's conclusions. */
  double alphaOfPhase(int number) {
    double planned = alpha / plannedPhases;
    double beyond = number - plannedPhases;
    return beyond <= 0 ? planned : planned / (beyond * (beyond + 1));
  }

  /** Error of a limit's one-sided bounds in a phase for all treatments: equal parts per metric. */
  double alphaOfLimit(int phase) {
    return alphaOfPhase(phase) / Math.max(1, primary.size() + guardrails.size());
  }

  private static void requireAscending(List<Double> looks) {
    double before = 0;
    for (double look : looks) {
      if (!(look > before && look <= 1)) {
        throw new IllegalArgumentException(
            "looks are ascending shares of the planned units in (0, 1], found " + looks);
      }
      before = look;
    }
  }

  private static Guardrail noWorse(Metric metric) {
    return Guardrail.within(metric, new Margin.Absolute(0));
  }

  private static void requireUnique(
      List<Guardrail> primary, List<Metric> secondary, List<Guardrail> guardrails) {
    List<String> names =
        Stream.of(
                primary.stream().map(each -> each.metric().name()),
                secondary.stream().map(Metric::name),
                guardrails.stream().map(each -> each.metric().name()))
            .flatMap(each -> each)
            .toList();
    if (names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException("a metric has one role, found " + names);
    }
  }

  private AnalysisPlan changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.plan();
  }

  private static final class Draft {
    private final AnalysisPlan from;
    private Design design;
    private List<Guardrail> primary;
    private List<Metric> secondary;
    private List<Guardrail> guardrails;
    private HealthLimits health;
    private Method method;
    private double alpha;
    private long plannedUnits;
    private Duration plannedDuration;
    private int plannedPhases;
    private List<Double> looks;
    private double mixtureDeviation;
    private Duration blockLength;
    private List<Prediction> predictions;

    Draft(AnalysisPlan plan) {
      from = plan;
      design = plan.design;
      primary = plan.primary;
      secondary = plan.secondary;
      guardrails = plan.guardrails;
      health = plan.health;
      method = plan.method;
      alpha = plan.alpha;
      plannedUnits = plan.plannedUnits;
      plannedDuration = plan.plannedDuration;
      plannedPhases = plan.plannedPhases;
      looks = plan.looks;
      mixtureDeviation = plan.mixtureDeviation;
      blockLength = plan.blockLength;
      predictions = plan.predictions;
    }

    AnalysisPlan plan() {
      return new AnalysisPlan(
          design,
          from.control,
          primary,
          secondary,
          guardrails,
          health,
          method,
          alpha,
          plannedUnits,
          plannedDuration,
          plannedPhases,
          looks,
          mixtureDeviation,
          blockLength,
          predictions);
    }
  }
}
