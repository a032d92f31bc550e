package io.bellwether.evaluation.report;

import io.bellwether.evaluation.episode.EpisodeEstimator;
import io.bellwether.evaluation.episode.EpisodeInfluence;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.evaluation.episode.Magic;
import io.bellwether.evaluation.episode.ModelledEpisodes;
import io.bellwether.evaluation.episode.StepSignal;
import io.bellwether.evaluation.episode.StepValues;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.UnitIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a log says about the discounted value per session, which depends on all that a policy does
 * in it: advisory, it decides nothing. Values whose weights have worn out are not stated.
 *
 * @param discount weight of the next step, in (0, 1)
 * @param sessions how many there are
 * @param cutOff how many of them did not end by themselves: what came later is the model's alone,
 *     or not counted where there is none
 * @param effectiveSampleSizes of the target's weights by step, in sessions
 * @param values target, baseline and difference of every signal by every estimator
 * @param deciding the estimator that would decide if sessions did; empty without sessions
 * @param unmet which of its conditions do not hold, in words; empty where all do
 */
public record SessionValues(
    double discount,
    long sessions,
    long cutOff,
    List<Double> effectiveSampleSizes,
    List<SessionValue> values,
    String deciding,
    List<String> unmet) {

  /** Of a surface whose decisions stand for themselves. */
  public static final SessionValues NONE =
      new SessionValues(0, 0, 0, List.of(), List.of(), "", List.of());

  /** Fewer effective sessions say nothing about a step. */
  public static final double LEAST_EFFECTIVE = 100;

  /** A value is stated while no more than this share of it stands at such steps. */
  public static final double LARGEST_THIN_SHARE = 0.2;

  /** Steps up to which weights usually last. */
  private static final int SHORT_SESSION = 10;

  /** A model that is further from the log, in standard errors of the log's value, is biased. */
  private static final double LARGEST_MODEL_GAP = 3;

  private static final double ROUNDING = 1e-9;
  private static final String MAGIC = "magic";
  private static final String WORN_OUT = "FEW_EFFECTIVE_SESSIONS";

  public SessionValues {
    effectiveSampleSizes = List.copyOf(effectiveSampleSizes);
    values = List.copyOf(values);
    unmet = List.copyOf(unmet);
  }

  /** A sample of the log's sessions with a model of their values, or why there is none. */
  public sealed interface Model {

    record Fitted(ModelledEpisodes sample) implements Model {}

    /**
     * No model.
     *
     * @param reason machine-readable
     */
    record Missing(String reason) implements Model {}
  }

  /** The values of a log without a model. */
  public static SessionValues of(
      LoggedDecisions log, Episodes episodes, double discount, OffPolicyReport report) {
    return of(log, episodes, discount, report, new Model.Missing("NO_MODEL"));
  }

  /**
   * The values of a log.
   *
   * @param discount in (0, 1)
   * @param report on the same log: its columns are known to be valid, and where it states no value
   *     of the target for lack of support, none is stated here
   * @param model of the same log's sessions
   */
  public static SessionValues of(
      LoggedDecisions log,
      Episodes episodes,
      double discount,
      OffPolicyReport report,
      Model model) {
    boolean supported = report.verdict().code() != Verdict.Code.INSUFFICIENT_SUPPORT;
    List<String> unmet = new ArrayList<>();
    if (!supported) {
      unmet.add("the log does not support the target");
    }
    if (episodes.count() == 0) {
      unmet.add("no session begins in the log");
      return new SessionValues(discount, 0, 0, List.of(), List.of(), MAGIC, unmet);
    }
    Policies all =
        new Policies(
            EpisodeSteps.ofTarget(log, episodes, discount),
            EpisodeSteps.ofBaseline(log, episodes, discount),
            supported,
            supported || !log.hasBaseline());
    List<SessionValue> values = new ArrayList<>();
    for (String signal : log.signals()) {
      StepSignal logged = new StepSignal(log.signal(signal).reward(), StepValues.NONE);
      values.addAll(all.logged(signal, logged));
      addThin(all.target, signal, logged, unmet);
    }
    if (model instanceof Model.Fitted fitted && fitted.sample.count() > 0) {
      values.addAll(modelled(fitted.sample, discount, all, unmet));
    } else {
      unmet.add("no model of the sessions' values: " + reason(model));
    }
    return new SessionValues(
        discount,
        episodes.count(),
        episodes.cutOffs(),
        Arrays.stream(all.target.effectiveSampleSizes()).boxed().toList(),
        values,
        all.target.steps() <= SHORT_SESSION
            ? EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.word()
            : MAGIC,
        unmet);
  }

  private static String reason(Model model) {
    return model instanceof Model.Missing missing ? missing.reason : "NO_SESSIONS";
  }

  private static void addThin(
      EpisodeSteps target, String signal, StepSignal logged, List<String> unmet) {
    double share = target.thinShare(logged, LEAST_EFFECTIVE);
    if (share > LARGEST_THIN_SHARE) {
      unmet.add(
          String.format(
              Locale.ROOT,
              "%.0f %% of %s stands at steps with fewer than %.0f effective sessions",
              100 * share,
              signal,
              LEAST_EFFECTIVE));
    }
  }

  private static List<SessionValue> modelled(
      ModelledEpisodes sample, double discount, Policies all, List<String> unmet) {
    if (!sample.isFinite()) {
      unmet.add("no model of the sessions' values: Q_NOT_FINITE");
      return List.of();
    }
    Policies policies =
        new Policies(
            EpisodeSteps.ofTarget(sample, discount),
            EpisodeSteps.ofBaseline(sample, discount),
            all.supported,
            all.hasBaseline);
    int gone = policies.target.noOverlapFrom();
    if (gone >= 0) {
      unmet.add("NO_OVERLAP_AT_STEP " + gone + ": from there on the model speaks alone");
    }
    List<SessionValue> values = new ArrayList<>();
    for (String signal : sample.signals().keySet().stream().sorted().toList()) {
      values.addAll(policies.modelled(signal, sample));
      addModelGap(policies.target, signal, sample.underTarget(signal), unmet);
    }
    return values;
  }

  private static void addModelGap(
      EpisodeSteps target, String signal, StepSignal modelled, List<String> unmet) {
    EpisodeInfluence robust = EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(target, modelled);
    double direct = EpisodeEstimator.DIRECT.of(target, modelled).value();
    double error = robust.estimate(target.units()).error().orElse(0);
    double gap = Math.abs(direct - robust.value());
    if (gap > LARGEST_MODEL_GAP * error + ROUNDING * Math.abs(direct)) {
      unmet.add(
          "the model expects %s of %s, the log says %s ± %s"
              .formatted(
                  Words.number(direct), signal, Words.number(robust.value()), Words.number(error)));
    }
  }

  /** One signal's value under both policies, and what it owes to the luck of a model. */
  private record Pair(EpisodeInfluence target, EpisodeInfluence baseline) {

    double difference() {
      return target.value() - baseline.value();
    }
  }

  /** The two policies that are compared, as they weigh the same sessions. */
  private record Policies(
      EpisodeSteps target, EpisodeSteps baseline, boolean supported, boolean hasBaseline) {

    List<SessionValue> logged(String signal, StepSignal logged) {
      EpisodeEstimator estimator = EpisodeEstimator.WEIGHTED_PER_DECISION;
      Pair pair = new Pair(estimator.of(target, logged), estimator.of(baseline, logged));
      return stated(signal, estimator.word(), logged, true, pair, List.of());
    }

    List<SessionValue> modelled(String signal, ModelledEpisodes sample) {
      List<SessionValue> values = new ArrayList<>();
      for (Modelled estimator : Modelled.values()) {
        Pair pair =
            new Pair(
                estimator.of(target, sample.underTarget(signal)),
                estimator.of(baseline, sample.underBaseline(signal)));
        List<Pair> refits = new ArrayList<>();
        for (int fold = 0; estimator.owesToModel && fold < sample.refits(signal); fold++) {
          refits.add(
              new Pair(
                  estimator.of(target, sample.underTarget(signal, fold)),
                  estimator.of(baseline, sample.underBaseline(signal, fold))));
        }
        values.addAll(
            stated(
                signal,
                estimator.word,
                sample.underTarget(signal),
                !estimator.owesToModel,
                pair,
                refits));
      }
      return values;
    }

    /** {@code wearsOut}: whether nothing is left where the weights have worn out. */
    private List<SessionValue> stated(
        String signal,
        String word,
        StepSignal logged,
        boolean wearsOut,
        Pair pair,
        List<Pair> refits) {
      Stated stated = new Stated(signal, word, target.units(), wearsOut);
      double thin = target.thinShare(logged, LEAST_EFFECTIVE);
      double thinBaseline = baseline.thinShare(logged, LEAST_EFFECTIVE);
      return List.of(
          stated.value(
              "target",
              pair.target,
              variance(refits, refit -> refit.target.value()),
              thin,
              supported),
          stated.value(
              "baseline",
              pair.baseline,
              variance(refits, refit -> refit.baseline.value()),
              thinBaseline,
              hasBaseline),
          stated.value(
              "difference",
              pair.target.combine(1, pair.baseline, -1),
              variance(refits, Pair::difference),
              Math.max(thin, thinBaseline),
              supported));
    }

    /** The jackknife's, over models that each leave out one of the folds. */
    private static double variance(List<Pair> refits, ToDoubleFunction<Pair> value) {
      int folds = refits.size();
      double mean = 0;
      for (Pair refit : refits) {
        mean += value.applyAsDouble(refit) / folds;
      }
      double squares = 0;
      for (Pair refit : refits) {
        squares += Math.pow(value.applyAsDouble(refit) - mean, 2);
      }
      return folds > 1 ? squares * (folds - 1) / folds : 0;
    }
  }

  /** The estimators that need a model. */
  private enum Modelled {
    WEIGHTED_DOUBLY_ROBUST(EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.word(), false) {
      @Override
      EpisodeInfluence of(EpisodeSteps steps, StepSignal signal) {
        return EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.of(steps, signal);
      }
    },
    DIRECT(EpisodeEstimator.DIRECT.word(), true) {
      @Override
      EpisodeInfluence of(EpisodeSteps steps, StepSignal signal) {
        return EpisodeEstimator.DIRECT
            .of(steps, signal)
            .withBias(Magic.of(steps, signal).bias()[0]);
      }
    },
    BLENDED(MAGIC, true) {
      @Override
      EpisodeInfluence of(EpisodeSteps steps, StepSignal signal) {
        return Magic.of(steps, signal).influence();
      }
    };

    private final String word;

    /** Whether another model moves the value by more than the square of what it changes. */
    private final boolean owesToModel;

    Modelled(String word, boolean owesToModel) {
      this.word = word;
      this.owesToModel = owesToModel;
    }

    abstract EpisodeInfluence of(EpisodeSteps steps, StepSignal signal);
  }

  private record Stated(String signal, String estimator, UnitIndex units, boolean wearsOut) {

    SessionValue value(
        String policy,
        EpisodeInfluence influence,
        double modelVariance,
        double thinShare,
        boolean supported) {
      Estimate estimate =
          !supported
              ? new Estimate.Refused(Verdict.Code.INSUFFICIENT_SUPPORT.name())
              : wearsOut && thinShare > LARGEST_THIN_SHARE
                  ? new Estimate.Refused(WORN_OUT)
                  : influence.estimate(units, modelVariance);
      return new SessionValue(policy, signal, estimator, estimate, bounds(estimate), thinShare);
    }
  }

  private static Bounds bounds(Estimate estimate) {
    if (estimate instanceof Estimate.Estimated known) {
      return new Bounds.Within(Estimation.readingInterval(known));
    }
    return new Bounds.Absent(Estimation.reason(estimate));
  }

  /** The first step, from 0 on, that too few effective sessions speak for; -1 where none is. */
  public int wornOutFrom() {
    for (int step = 0; step < effectiveSampleSizes.size(); step++) {
      if (effectiveSampleSizes.get(step) < LEAST_EFFECTIVE) {
        return step;
      }
    }
    return -1;
  }
}
