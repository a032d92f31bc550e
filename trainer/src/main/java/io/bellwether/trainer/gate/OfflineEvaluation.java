package io.bellwether.trainer.gate;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.trainer.data.DataSummary;
import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.SignalOrder;
import io.bellwether.trainer.data.TrainingRow;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Evaluates a policy on decisions that another one made: reads and checks the log, asks the target
 * (and the champion) for their chances on the logged features, fits reward models on the other half
 * of the subjects, and lets the evaluation judge. Uses all cores; thread-safe.
 */
public final class OfflineEvaluation {

  private final Clock clock;
  private final String codeVersion;
  private final Consumer<String> progress;

  /**
   * @param clock dates the record
   * @param codeVersion written to the record
   * @param progress takes a line per step
   */
  public OfflineEvaluation(Clock clock, String codeVersion, Consumer<String> progress) {
    this.clock = clock;
    this.codeVersion = codeVersion;
    this.progress = progress;
  }

  /** Compares a target with the logging policy. */
  public EvaluationRecord evaluate(EvaluationRequest request, TargetPolicy target)
      throws IOException {
    return evaluate(request, target, Optional.empty());
  }

  /** Compares a target with the champion. */
  public EvaluationRecord evaluate(
      EvaluationRequest request, TargetPolicy target, TargetPolicy champion) throws IOException {
    return evaluate(request, target, Optional.of(champion));
  }

  private EvaluationRecord evaluate(
      EvaluationRequest request, TargetPolicy target, Optional<TargetPolicy> champion)
      throws IOException {
    EvaluatedLog log = EvaluatedLog.read(request.source(), request.surface(), request.subjects());
    progress.accept(log.decisions().size() + " decisions from " + request.source().words());
    List<double[]> targetChances = InParallel.map(log.decisions(), target::chances);
    List<double[]> championChances =
        champion.map(policy -> InParallel.map(log.decisions(), policy::chances)).orElse(List.of());
    progress.accept("scored with " + target.name());
    List<RewardTerms> terms = rewardTerms(request, log, targetChances, championChances);
    LoggedDecisions columns = columns(request, log, targetChances, championChances, terms);
    OffPolicyReport report = OffPolicyReport.of(columns, SurfacePlan.of(request));
    progress.accept("verdict: " + report.verdict().word());
    return new EvaluationRecord(
        target.name(),
        champion.map(TargetPolicy::name).orElse("logging policy"),
        request,
        data(log),
        loggedMeans(request, log),
        report,
        perSession(request, log, columns, report),
        List.of(),
        List.of(),
        "",
        clock.instant(),
        codeVersion);
  }

  private static EvaluatedData data(EvaluatedLog log) {
    DataSummary summary = log.summary();
    return new EvaluatedData(
        summary.to(),
        summary.read(),
        summary.decisions(),
        summary.rows(),
        summary.from(),
        summary.to(),
        summary.digest(),
        0,
        0,
        summary.findings(),
        new TreeMap<>(),
        new TreeMap<>());
  }

  private static SessionValues perSession(
      EvaluationRequest request,
      EvaluatedLog log,
      LoggedDecisions columns,
      OffPolicyReport report) {
    double discount = request.surface().objective().discount();
    return discount > 0
        ? SessionValues.of(columns, SessionEpisodes.of(log.decisions()), discount, report)
        : SessionValues.NONE;
  }

  private List<RewardTerms> rewardTerms(
      EvaluationRequest request, EvaluatedLog log, List<double[]> target, List<double[]> champion) {
    if (request.modelSteps() == 0) {
      return List.of();
    }
    return new CrossFittedModels(request, progress).of(log, target, champion);
  }

  private static LoggedDecisions columns(
      EvaluationRequest request,
      EvaluatedLog log,
      List<double[]> target,
      List<double[]> champion,
      List<RewardTerms> terms) {
    List<String> signals = SignalOrder.of(request.surface());
    DecisionTable table = new DecisionTable(log.rows(), signals.size());
    for (int i = 0; i < log.decisions().size(); i++) {
      table.add(
          i,
          log.decisions().get(i),
          target.get(i),
          champion.isEmpty() ? new double[0] : champion.get(i),
          terms.isEmpty() ? Optional.empty() : Optional.of(terms.get(i)));
    }
    return table.columns(signals, excluded(log));
  }

  private static LoggedDecisions.Excluded excluded(EvaluatedLog log) {
    Map<Finding, Long> findings = log.summary().findings();
    return new LoggedDecisions.Excluded(
        findings.getOrDefault(Finding.SUPERSEDED, 0L),
        0,
        findings.getOrDefault(Finding.NOT_LEARNABLE, 0L));
  }

  private static SortedMap<String, EvaluationRecord.LoggedMean> loggedMeans(
      EvaluationRequest request, EvaluatedLog log) {
    List<String> signals = SignalOrder.of(request.surface());
    SortedMap<String, EvaluationRecord.LoggedMean> means = new TreeMap<>();
    for (int signal = 0; signal < signals.size(); signal++) {
      means.put(signals.get(signal), loggedMean(log, signal));
    }
    return means;
  }

  private static EvaluationRecord.LoggedMean loggedMean(EvaluatedLog log, int signal) {
    long count = log.decisions().size();
    double[] values =
        log.decisions().stream().mapToDouble(decision -> value(decision, signal)).toArray();
    double sum = 0;
    long events = 0;
    for (double value : values) {
      sum += value;
      events += value == 0 ? 0 : 1;
    }
    double mean = sum / count;
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double error = count < 2 ? 0 : Math.sqrt(squares / count / (count - 1));
    return new EvaluationRecord.LoggedMean(mean, error, count, events);
  }

  private static double value(EvaluatedDecision decision, int signal) {
    double value = 0;
    for (TrainingRow row : decision.rows()) {
      value += row.rewards()[signal];
    }
    return value;
  }
}
