package io.bellwether.evaluation.report;

import io.bellwether.evaluation.episode.EpisodeEstimator;
import io.bellwether.evaluation.episode.EpisodeInfluence;
import io.bellwether.evaluation.episode.EpisodeSteps;
import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.evaluation.episode.ModelledEpisodes;
import io.bellwether.evaluation.episode.StepSignal;
import io.bellwether.evaluation.episode.StepValues;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

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
      return new SessionValues(discount, 0, 0, List.of(), List.of(), SessionPolicies.MAGIC, unmet);
    }
    SessionPolicies all =
        new SessionPolicies(
            EpisodeSteps.ofTarget(log, episodes, discount),
            EpisodeSteps.ofBaseline(log, episodes, discount),
            supported,
            supported || !log.hasBaseline());
    List<SessionValue> values = new ArrayList<>();
    for (String signal : log.signals()) {
      StepSignal logged = new StepSignal(log.signal(signal).reward(), StepValues.NONE);
      values.addAll(all.logged(signal, logged));
      addThin(all.target(), signal, logged, unmet);
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
        Arrays.stream(all.target().effectiveSampleSizes()).boxed().toList(),
        values,
        all.target().steps() <= SHORT_SESSION
            ? EpisodeEstimator.WEIGHTED_DOUBLY_ROBUST.word()
            : SessionPolicies.MAGIC,
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
      ModelledEpisodes sample, double discount, SessionPolicies all, List<String> unmet) {
    if (!sample.isFinite()) {
      unmet.add("no model of the sessions' values: Q_NOT_FINITE");
      return List.of();
    }
    SessionPolicies policies =
        new SessionPolicies(
            EpisodeSteps.ofTarget(sample, discount),
            EpisodeSteps.ofBaseline(sample, discount),
            all.supported(),
            all.hasBaseline());
    int gone = policies.target().noOverlapFrom();
    if (gone >= 0) {
      unmet.add("NO_OVERLAP_AT_STEP " + gone + ": from there on the model speaks alone");
    }
    List<SessionValue> values = new ArrayList<>();
    for (String signal : sample.signals().keySet().stream().sorted().toList()) {
      values.addAll(policies.modelled(signal, sample));
      addModelGap(policies.target(), signal, sample.underTarget(signal), unmet);
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
