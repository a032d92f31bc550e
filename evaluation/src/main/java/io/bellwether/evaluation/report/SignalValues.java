package io.bellwether.evaluation.report;

import io.bellwether.evaluation.interval.BootstrapDistribution;
import io.bellwether.evaluation.offpolicy.DecisionColumns;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Estimator;
import io.bellwether.evaluation.offpolicy.Influence;
import io.bellwether.evaluation.offpolicy.Statistic;
import io.bellwether.evaluation.offpolicy.UnitBootstrap;
import io.bellwether.evaluation.offpolicy.WeightedLoggers;
import io.bellwether.evaluation.offpolicy.Weighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One signal's estimates and comparisons under every estimator that suits the log, with a number of
 * passes that does not depend on how many estimators there are.
 */
final class SignalValues {

  /** A baseline nearer to 0 than this share of the largest reward is no yardstick for a lift. */
  private static final double LEAST_SHARE = 1e-9;

  /** Nor is one whose square divides nothing any more. */
  private static final double LEAST_BASELINE = 1e-100;

  private static final String CHAMPION = "champion";

  private final String signal;
  private final Estimation estimation;
  private final List<Shown> shown;
  private final Batch batch;
  private final Map<String, Influence> target = new HashMap<>();
  private final Map<String, Influence> champion = new HashMap<>();
  private final Optional<Influence> logging;
  private final Map<String, BootstrapDistribution> resampled = new HashMap<>();
  private final List<SignalEstimate> estimates = new ArrayList<>();
  private final List<Comparison> comparisons = new ArrayList<>();

  /** Estimates that are asked for one by one and computed together. */
  private static final class Batch {
    private final Estimation estimation;
    private final List<Influence> asked = new ArrayList<>();
    private final Map<Influence, Integer> numbers = new HashMap<>();
    private List<Estimate> answers = List.of();

    Batch(Estimation estimation) {
      this.estimation = estimation;
    }

    Influence ask(Influence influence) {
      numbers.put(influence, asked.size());
      asked.add(influence);
      return influence;
    }

    void compute() {
      answers = Influence.estimates(asked, estimation.units());
    }

    Estimate of(Influence influence) {
      Integer number = numbers.get(influence);
      if (number == null) {
        throw new IllegalStateException("an estimate that was not asked for");
      }
      return answers.get(number);
    }
  }

  /** A paired difference and the lift, where the other policy's value allows one. */
  private record Pair(
      String against, Shown shown, Influence difference, Optional<Influence> lift) {}

  private SignalValues(
      String signal, Estimation estimation, List<Shown> shown, Optional<Influence> logging) {
    this.signal = signal;
    this.estimation = estimation;
    this.shown = shown;
    this.logging = logging;
    batch = new Batch(estimation);
  }

  /**
   * The values of a signal.
   *
   * @param shown what suits the log, with parameters
   */
  static SignalValues of(String signal, Estimation estimation, List<Shown> shown) {
    SignalValues values = new SignalValues(signal, estimation, shown, estimation.logging(signal));
    values.compute();
    return values;
  }

  private void compute() {
    Shown deciding = estimation.deciding(signal);
    logging.ifPresent(batch::ask);
    readTarget();
    readChampion(deciding);
    List<Pair> pairs = pairs();
    batch.compute();
    resample();
    estimation.weigh(shown);
    shown.forEach(this::addTarget);
    estimation.plan().shown().forEach(this::addByLogger);
    addPositions(deciding);
    addBaseline(deciding);
    pairs.forEach(this::addComparison);
  }

  List<SignalEstimate> estimates() {
    return List.copyOf(estimates);
  }

  List<Comparison> comparisons() {
    return List.copyOf(comparisons);
  }

  private void readTarget() {
    for (Weighting weighting : Weighting.values()) {
      List<Shown> readable =
          shown.stream()
              .filter(each -> each.weighting() == weighting)
              .filter(each -> estimation.refusal(each, signal).isEmpty())
              .toList();
      if (!readable.isEmpty()) {
        put(
            readable,
            estimation.influences(estimators(readable), estimation.target(signal, weighting)),
            target);
      }
    }
  }

  private void readChampion(Shown deciding) {
    if (!estimation.hasChampion()) {
      return;
    }
    List<Shown> readable = new ArrayList<>(shown);
    if (readable.stream().noneMatch(each -> each.name().equals(deciding.name()))) {
      readable.add(deciding);
    }
    readable.removeIf(each -> !estimation.suitsChampion(each, signal));
    put(
        readable,
        estimation.influences(estimators(readable), estimation.champion(signal)),
        champion);
  }

  private static List<Estimator> estimators(List<Shown> shown) {
    return shown.stream().map(Shown::estimator).toList();
  }

  private void put(
      List<Shown> of, List<Optional<Influence>> influences, Map<String, Influence> into) {
    for (int at = 0; at < of.size(); at++) {
      String name = of.get(at).name();
      influences.get(at).map(batch::ask).ifPresent(influence -> into.put(name, influence));
    }
  }

  private List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (Shown each : shown) {
      Influence ofTarget = target.get(each.name());
      if (ofTarget == null) {
        continue;
      }
      Influence ofChampion = champion.get(each.name());
      if (ofChampion != null) {
        pairs.add(pair(CHAMPION, each, ofTarget, ofChampion));
      }
      logging.ifPresent(of -> pairs.add(pair("logging", each, ofTarget, of)));
    }
    return pairs;
  }

  private Pair pair(String against, Shown each, Influence ofTarget, Influence other) {
    double least = LEAST_SHARE * estimation.rewards(signal).largestMagnitude();
    boolean isYardstick = Math.abs(other.value()) > Math.max(LEAST_BASELINE, least);
    return new Pair(
        against,
        each,
        batch.ask(ofTarget.combine(1, other, -1, 0)),
        isYardstick ? Optional.of(batch.ask(ofTarget.relativeTo(other))) : Optional.empty());
  }

  private void resample() {
    int replicates = estimation.plan().replicates();
    if (replicates == 0 || estimation.isSparse(signal) || estimation.units().count() < 2) {
      return;
    }
    List<Shown> readable = shown.stream().filter(each -> target.containsKey(each.name())).toList();
    List<Optional<BootstrapDistribution>> found =
        new UnitBootstrap(estimation.plan().seed(), replicates)
            .of(
                readable.stream()
                    .map(
                        each ->
                            new Statistic.Value(
                                each.estimator(), estimation.target(signal, each.weighting())))
                    .toList(),
                estimation.units());
    for (int at = 0; at < readable.size(); at++) {
      String name = readable.get(at).name();
      found.get(at).ifPresent(distribution -> resampled.put(name, distribution));
    }
  }

  private void addTarget(Shown each) {
    Influence influence = target.get(each.name());
    Estimate estimate =
        influence == null
            ? new Estimate.Refused(estimation.refusal(each, signal).orElse("NO_OVERLAP"))
            : batch.of(influence);
    Optional<BootstrapDistribution> bootstrap = Optional.ofNullable(resampled.get(each.name()));
    List<EstimateInterval> intervals =
        new ArrayList<>(new ReadingIntervals(estimation, signal, estimate, bootstrap).all());
    if (each.estimator().name().equals("ips") && estimate.point().isPresent()) {
      intervals.addAll(new BoundedIntervals(estimation, signal).of(each.weighting()));
    }
    double size = estimation.effectiveSampleSize(each);
    estimates.add(
        new SignalEstimate(
            "target",
            signal,
            Scope.ALL,
            each.name(),
            each.parameters(),
            estimate,
            estimation.readingInterval(estimate, each, signal),
            intervals,
            size,
            Notes.of(each),
            Notes.warnings(each, signal, size, intervals, estimation)));
  }

  /** A value from the logging versions' own values, where there are several. */
  private void addByLogger(String name) {
    if (estimation.log().loggers().size() < 2 || Roster.byLogger(name).isEmpty()) {
      return;
    }
    Estimator estimator = Roster.byLogger(name).get();
    Shown plain = Shown.of(estimator, Weighting.PREFIX);
    Optional<String> refusal = estimation.refusal(plain, signal);
    DecisionColumns columns = estimation.target(signal, Weighting.PREFIX);
    WeightedLoggers joined =
        refusal
            .map(reason -> new WeightedLoggers(new Estimate.Refused(reason), List.of(), ""))
            .orElseGet(() -> WeightedLoggers.of(estimator, columns, estimation.units()));
    estimates.add(
        new SignalEstimate(
            "target",
            signal,
            Scope.ALL,
            name,
            new TreeMap<>(),
            joined.estimate(),
            unlessSparse(Estimation.plainInterval(joined.estimate())),
            List.of(),
            estimation.effectiveSampleSize(plain),
            "a cross-check; never decides",
            joined.warning().isEmpty() ? List.of() : List.of(joined.warning())));
  }

  /** What each place of the slate contributes, under the estimator that decides. */
  private void addPositions(Shown deciding) {
    int positions = estimation.log().positions();
    if (positions == 1 || estimation.refusal(deciding, signal).isPresent()) {
      return;
    }
    List<Optional<Influence>> values = new ArrayList<>();
    for (int position = 0; position < positions; position++) {
      values.add(
          Influence.of(
              deciding.estimator(),
              estimation.target(signal, deciding.weighting()).atPosition(position)));
    }
    List<Influence> present = values.stream().flatMap(Optional::stream).toList();
    List<Estimate> found = Influence.estimates(present, estimation.units());
    int next = 0;
    for (int position = 0; position < positions; position++) {
      Estimate estimate =
          values.get(position).isPresent() ? found.get(next++) : new Estimate.Refused("NO_OVERLAP");
      estimates.add(
          new SignalEstimate(
              "target",
              signal,
              Scope.position(position),
              deciding.name(),
              deciding.parameters(),
              estimate,
              Estimation.plainInterval(
                  estimate, RewardSummary.ofPosition(estimation.log(), signal, position)),
              List.of(),
              estimation.effectiveSampleSizes()[position],
              "",
              List.of()));
    }
  }

  private void addBaseline(Shown deciding) {
    if (estimation.hasChampion()) {
      addBaseline("baseline", deciding, champion.get(deciding.name()));
      logging.ifPresent(influence -> addLogging("logging", influence));
    } else {
      logging.ifPresent(influence -> addLogging("baseline", influence));
    }
  }

  private void addBaseline(String policy, Shown deciding, @Nullable Influence influence) {
    Estimate estimate =
        influence == null ? new Estimate.Refused("NO_OVERLAP") : batch.of(influence);
    estimates.add(
        baseline(
            policy,
            deciding.name(),
            estimate,
            estimation.baselineInterval(estimate, signal),
            estimation.championEffectiveSampleSize()));
  }

  private void addLogging(String policy, Influence influence) {
    Estimate estimate = batch.of(influence);
    Bounds interval =
        estimation.isSparse(signal) && estimate instanceof Estimate.Estimated
            ? estimation.safe().ofLogging(signal, (1 - Estimation.READING_LEVEL) / 2)
            : Estimation.plainInterval(estimate);
    estimates.add(baseline(policy, "logging", estimate, interval, estimation.log().decisions()));
  }

  private SignalEstimate baseline(
      String policy, String estimator, Estimate estimate, Bounds interval, double size) {
    return new SignalEstimate(
        policy,
        signal,
        Scope.ALL,
        estimator,
        new TreeMap<>(),
        estimate,
        interval,
        List.of(),
        size,
        "",
        List.of());
  }

  private void addComparison(Pair pair) {
    Estimate difference = estimation.withoutRounding(batch.of(pair.difference), signal);
    Estimate lift =
        pair.lift.map(batch::of).orElseGet(() -> new Estimate.Refused("BASELINE_IS_ZERO"));
    boolean toChampion = pair.against.equals(CHAMPION);
    comparisons.add(
        new Comparison(
            pair.against,
            signal,
            pair.shown.name(),
            difference,
            lift,
            unlessSparse(Estimation.plainInterval(difference)),
            unlessSparse(estimation.simultaneous(difference, pair.shown, signal, toChampion)),
            unlessSparse(Estimation.plainInterval(lift))));
  }

  private Bounds unlessSparse(Bounds bounds) {
    return estimation.isSparse(signal) ? new Bounds.Absent(estimation.sparseness(signal)) : bounds;
  }
}
