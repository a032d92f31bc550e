package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.experiment.MetricReading.Status;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.Interval;
import io.bellwether.evaluation.interval.MultipleComparisons;
import io.bellwether.evaluation.report.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The conclusions from the comparisons of one phase, or of all phases.
 *
 * @param phase its number, or {@link MetricReading#ALL_PHASES}
 * @param alpha error of the conclusions about primary metrics together
 * @param planned units at which sequences are tightest
 * @param information units that a group-sequential design plans in all
 * @param horizonReached whether the one planned read-out may be read
 * @param mismatch whether the traffic split voids everything
 */
record MetricRows(
    AnalysisPlan plan,
    int phase,
    double alpha,
    double planned,
    double information,
    boolean horizonReached,
    boolean mismatch,
    TickMemory before) {

  /** Expected share of false ones among the secondary metrics that are called different. */
  private static final double EXPLORATORY = 0.1;

  private static final String FIRST_LOOK = "BEFORE_FIRST_LOOK";
  private static final String BY_BOUND = "DECIDED_BY_BOUND";

  /** One row per comparison, in the same order. */
  List<MetricReading> of(List<Comparison> comparisons) {
    List<Draft> drafts = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      long asked = comparisons.stream().filter(each -> sameFamily(each, comparison)).count();
      drafts.add(draft(comparison, asked));
    }
    double[] adjusted = new double[drafts.size()];
    adjust(drafts, adjusted, true, MultipleComparisons.HOLM);
    adjust(drafts, adjusted, false, MultipleComparisons.BENJAMINI_HOCHBERG);
    List<MetricReading> rows = new ArrayList<>();
    for (int row = 0; row < adjusted.length; row++) {
      rows.add(drafts.get(row).concluded(adjusted[row]));
    }
    return rows;
  }

  private static boolean sameFamily(Comparison first, Comparison second) {
    return (first.role() == Role.PRIMARY) == (second.role() == Role.PRIMARY);
  }

  /** A question without an answer yet was asked all the same, and counts as one without effect. */
  private static void adjust(
      List<Draft> drafts, double[] adjusted, boolean primary, MultipleComparisons method) {
    int[] family =
        IntStream.range(0, drafts.size())
            .filter(row -> (drafts.get(row).role() == Role.PRIMARY) == primary)
            .toArray();
    double[] p = new double[family.length];
    for (int index = 0; index < family.length; index++) {
      p[index] = drafts.get(family[index]).p().number().orElse(1);
    }
    double[] values = method.adjust(p);
    for (int index = 0; index < family.length; index++) {
      adjusted[family[index]] = values[index];
    }
  }

  private Draft draft(Comparison comparison, long asked) {
    double error = comparison.role() == Role.PRIMARY ? alpha : EXPLORATORY * alpha / plan.alpha();
    if (mismatch) {
      return Draft.withheld(comparison, error, Status.WITHHELD, Analysis.MISMATCH);
    }
    if (!(comparison.effect() instanceof Effect effect)) {
      String reason = Analysis.reason(comparison.effect());
      return Draft.withheld(comparison, error, undefined(comparison.effect()), reason);
    }
    return draft(comparison, effect, error, asked);
  }

  /** What more units will cure is only early. */
  private static Status undefined(EffectOutcome effect) {
    return effect instanceof EffectOutcome.Undefined undefined
            && (undefined.reason() == EffectOutcome.Reason.EMPTY_VARIANT
                || undefined.reason() == EffectOutcome.Reason.TOO_FEW_UNITS)
        ? Status.TOO_EARLY
        : Status.WITHHELD;
  }

  private Draft draft(Comparison comparison, Effect effect, double error, long asked) {
    Optional<String> early = Analysis.burnIn(effect, comparison.events());
    String key = comparison.key();
    AsymptoticSequence sequence = new AsymptoticSequence(alpha, planned);
    MetricReading row =
        new MetricReading(
            comparison.metric().name(),
            comparison.role(),
            comparison.metric().direction(),
            comparison.variant(),
            Status.UNDECIDED,
            "",
            error,
            Figure.of(effect.control()),
            Figure.of(effect.treatment()),
            Figure.of(effect.difference()),
            Figure.of(effect.standardError()),
            lift(effect),
            early.<Bounds>map(Bounds.Absent::new).orElseGet(() -> liftInterval(sequence, effect)),
            effect.controlUnits(),
            effect.treatmentUnits(),
            early
                .<Bounds>map(Bounds.Absent::new)
                .orElseGet(() -> sequence(sequence, effect.units(), effect.absolute())),
            early
                .<Figure>map(Figure.Unknown::new)
                .orElseGet(
                    () ->
                        smallest(
                            key,
                            effect,
                            sequence.pValue(
                                effect.units(), effect.difference(), effect.standardError()))),
            new Figure.Unknown(""),
            fixed(comparison, effect),
            early.map(MixtureReading::none).orElseGet(() -> mixture(key, effect)),
            group(key, effect, early, error / asked),
            bayes(comparison.metric().direction(), effect));
    return new Draft(row, p(row), early.orElseGet(() -> wait(row)));
  }

  private Figure p(MetricReading row) {
    return switch (plan.method()) {
      case ASYMPTOTIC_SEQUENCE -> row.sequenceP();
      case MIXTURE_SEQUENTIAL -> row.mixture().p();
      case FIXED_HORIZON ->
          row.fixed().exactP() instanceof Figure.Known ? row.fixed().exactP() : row.fixed().p();
      case GROUP_SEQUENTIAL -> new Figure.Unknown(BY_BOUND);
    };
  }

  /** Why the method says nothing yet, or empty. */
  private String wait(MetricReading row) {
    return switch (plan.method()) {
      case ASYMPTOTIC_SEQUENCE, MIXTURE_SEQUENTIAL -> "";
      case FIXED_HORIZON -> horizonReached ? "" : Analysis.BEFORE_HORIZON;
      case GROUP_SEQUENTIAL ->
          row.group().repeated() instanceof Bounds.Absent absent ? absent.reason() : "";
    };
  }

  private Figure smallest(String key, Effect effect, double p) {
    return Figure.of(Math.min(p, before.smallestP(phase, key, effect.difference())));
  }

  private static Figure lift(Effect effect) {
    return effect
        .lift()
        .known()
        .<Figure>map(relative -> Figure.of(relative.difference()))
        .orElseGet(() -> new Figure.Unknown(whyNoLift(effect)));
  }

  private static String whyNoLift(Effect effect) {
    return effect.lift() instanceof Lift.Withheld withheld ? withheld.reason().name() : "";
  }

  private static Bounds liftInterval(AsymptoticSequence sequence, Effect effect) {
    return effect
        .lift()
        .known()
        .<Bounds>map(relative -> sequence(sequence, effect.units(), relative))
        .orElseGet(() -> new Bounds.Absent(whyNoLift(effect)));
  }

  private static Bounds sequence(AsymptoticSequence sequence, long units, Welch estimate) {
    double half = sequence.twoSidedMargin(units, estimate.standardError());
    return within(
        Interval.Method.ASYMPTOTIC_SEQUENCE,
        1 - sequence.alpha(),
        estimate.difference() - half,
        estimate.difference() + half);
  }

  private static Bounds within(Interval.Method method, double level, double lower, double upper) {
    return Double.isFinite(lower) && Double.isFinite(upper)
        ? new Bounds.Within(new Interval(method, level, lower, upper))
        : new Bounds.Absent(EffectOutcome.Reason.NOT_FINITE.name());
  }

  private FixedReading fixed(Comparison comparison, Effect effect) {
    if (!horizonReached) {
      return FixedReading.none(Analysis.BEFORE_HORIZON);
    }
    Figure exact =
        comparison
            .table()
            .<Figure>map(
                table ->
                    table.small() ? Figure.of(table.exactP()) : new Figure.Unknown("NO_SMALL_CELL"))
            .orElseGet(() -> new Figure.Unknown("NO_TABLE"));
    return new FixedReading(
        new Bounds.Within(effect.absolute().interval(1 - alpha)),
        Figure.of(effect.absolute().p()),
        exact);
  }

  private MixtureReading mixture(String key, Effect effect) {
    if (plan.mixtureDeviation() == 0) {
      return MixtureReading.none("NO_MIXTURE_DECLARED");
    }
    double variance = plan.mixtureDeviation() * plan.mixtureDeviation();
    MixtureSequentialTest test = new MixtureSequentialTest(variance);
    double difference = effect.difference();
    double error = effect.standardError();
    return new MixtureReading(
        within(
            Interval.Method.MIXTURE_SEQUENCE,
            1 - alpha,
            difference - test.margin(alpha, error),
            difference + test.margin(alpha, error)),
        Figure.of(test.logLikelihoodRatio(difference, error)),
        smallest(key + TickMemory.MIXTURE, effect, test.pValue(difference, error)));
  }

  private GroupReading group(String key, Effect effect, Optional<String> early, double error) {
    if (plan.looks().isEmpty()) {
      return GroupReading.none("NO_LOOKS_DECLARED");
    }
    if (phase != MetricReading.ALL_PHASES) {
      return GroupReading.none("OVER_ALL_PHASES");
    }
    GroupReading last = before.looks().getOrDefault(key, GroupReading.none(FIRST_LOOK));
    double reached = effect.units() / information;
    List<Double> looks = new ArrayList<>(last.information());
    double before = looks.isEmpty() ? 0 : looks.get(looks.size() - 1);
    boolean due = plan.looks().stream().anyMatch(look -> before < look && look <= reached);
    if (early.isPresent() || !due || last.crossed() || !GroupSequential.apart(before, reached)) {
      return last;
    }
    looks.add(reached);
    return look(effect, looks, error);
  }

  private static GroupReading look(Effect effect, List<Double> looks, double error) {
    GroupSequential design = new GroupSequential(new Spending.ObrienFleming(), error);
    List<GroupSequential.Look> taken =
        design.looks(looks.stream().mapToDouble(Double::doubleValue).toArray());
    GroupSequential.Look look = taken.get(taken.size() - 1);
    double difference = effect.difference();
    return new GroupReading(
        looks,
        look.bound(),
        difference / effect.standardError(),
        look.crossedBy(difference, effect.standardError()),
        new Bounds.Within(look.repeated(difference, effect.standardError(), 1 - error)));
  }

  private static BayesReading bayes(Direction direction, Effect effect) {
    Optional<Welch> lift = effect.lift().known();
    if (lift.isEmpty()) {
      return BayesReading.none(whyNoLift(effect));
    }
    NormalPosterior oriented =
        NormalPosterior.of(
            NormalPosterior.Prior.DEFAULT,
            direction.oriented(lift.get().difference()),
            lift.get().standardError());
    NormalPosterior plain =
        new NormalPosterior(direction.oriented(oriented.mean()), oriented.standardDeviation());
    return new BayesReading(
        Figure.of(oriented.chanceToWin()),
        Figure.of(oriented.lossOfTreatment()),
        Figure.of(oriented.lossOfControl()),
        new Bounds.Within(plain.interval(0.95)),
        BayesReading.LABEL);
  }

  /**
   * A row without its conclusion.
   *
   * @param p of the plan's method, not adjusted
   * @param waits why nothing is concluded yet, or empty
   */
  private record Draft(MetricReading row, Figure p, String waits) {

    static Draft withheld(Comparison comparison, double error, Status status, String reason) {
      Figure unknown = new Figure.Unknown(reason);
      Bounds absent = new Bounds.Absent(reason);
      EffectOutcome effect = comparison.effect();
      boolean valuesMayShow = !reason.equals(Analysis.MISMATCH);
      MetricReading row =
          new MetricReading(
              comparison.metric().name(),
              comparison.role(),
              comparison.metric().direction(),
              comparison.variant(),
              status,
              reason,
              error,
              valuesMayShow ? Figure.of(effect.controlValue(), reason) : unknown,
              valuesMayShow ? Figure.of(effect.treatmentValue(), reason) : unknown,
              unknown,
              unknown,
              unknown,
              absent,
              effect.controlUnits(),
              effect.treatmentUnits(),
              absent,
              unknown,
              unknown,
              FixedReading.none(reason),
              MixtureReading.none(reason),
              GroupReading.none(reason),
              BayesReading.none(reason));
      return new Draft(row, unknown, reason);
    }

    Role role() {
      return row.role();
    }

    MetricReading concluded(double adjusted) {
      if (row.status() != Status.UNDECIDED) {
        return row;
      }
      if (!waits.isEmpty()) {
        return row.concluded(Status.TOO_EARLY, waits, new Figure.Unknown(waits));
      }
      boolean different =
          p instanceof Figure.Known ? adjusted <= row.alpha() : row.group().crossed();
      return row.concluded(
          different ? sign() : Status.UNDECIDED,
          "",
          p instanceof Figure.Known ? Figure.of(adjusted) : p);
    }

    private Status sign() {
      double difference =
          row.group().crossed() && !(p instanceof Figure.Known)
              ? row.group().z()
              : row.difference().number().orElseThrow();
      return row.direction().oriented(difference) > 0 ? Status.BETTER : Status.WORSE;
    }
  }
}
