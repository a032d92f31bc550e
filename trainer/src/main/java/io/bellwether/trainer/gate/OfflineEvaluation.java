package io.bellwether.trainer.gate;

import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.evaluation.report.SessionValues;
import io.bellwether.evaluation.support.ActionIndex;
import io.bellwether.evaluation.support.ItemCounts;
import io.bellwether.evaluation.support.Support;
import io.bellwether.evaluation.support.SupportAccumulator;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.event.UndecodableEventException;
import io.bellwether.trainer.columns.ColumnFiles;
import io.bellwether.trainer.columns.LogColumns;
import io.bellwether.trainer.data.Finding;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.Reread;
import io.bellwether.trainer.data.RowEncoder;
import io.bellwether.trainer.data.SignalOrder;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.data.TrainingRow;
import io.bellwether.trainer.data.TransitionPart;
import io.bellwether.trainer.survey.SubjectSample;
import io.bellwether.trainer.survey.Survey;
import io.bellwether.trainer.survey.SurveyJob;
import io.bellwether.trainer.survey.SurveyTask;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a policy on decisions that another one made, in stages: a first look at the log checks
 * and counts it and draws a sample; reward models are fitted on the sample; all policies and models
 * are asked about every decision; and the evaluation judges by the columns that this leaves on
 * disk. Memory does not grow with the log. Uses all cores.
 *
 * <p>What a stage has finished stays in a folder, where the same evaluation finds it again.
 * Thread-safe for different evaluations.
 */
public final class OfflineEvaluation {

  private final Clock clock;
  private final String codeVersion;
  private final @Nullable Path folder;
  private final int parallelism;
  private final Consumer<String> progress;

  /**
   * Keeps nothing: what is interrupted begins again.
   *
   * @param clock dates the record
   * @param codeVersion written to the record
   * @param progress takes a line now and then
   */
  public OfflineEvaluation(Clock clock, String codeVersion, Consumer<String> progress) {
    this(clock, codeVersion, null, Runtime.getRuntime().availableProcessors(), progress);
  }

  /**
   * Goes on where it was interrupted.
   *
   * @param clock dates the record
   * @param codeVersion written to the record
   * @param folder in which the last few evaluations are kept; absent for none
   * @param parallelism of the stages that read the log; changes nothing but the speed
   * @param progress takes a line now and then
   */
  public OfflineEvaluation(
      Clock clock,
      String codeVersion,
      @Nullable Path folder,
      int parallelism,
      Consumer<String> progress) {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism is at least 1, found " + parallelism);
    }
    this.clock = clock;
    this.codeVersion = codeVersion;
    this.folder = folder;
    this.parallelism = parallelism;
    this.progress = progress;
  }

  /**
   * Compares a target with the logging policy.
   *
   * @throws io.bellwether.trainer.data.InvalidTrainingData where the log cannot be evaluated
   * @throws TargetRefused where the target cannot be asked about the log
   */
  public EvaluationRecord evaluate(EvaluationRequest request, TargetPolicy target)
      throws IOException {
    return evaluate(request, target, null, LoggingPolicies.UNKNOWN);
  }

  /** Compares a target with the champion; fails as the other does. */
  public EvaluationRecord evaluate(
      EvaluationRequest request, TargetPolicy target, TargetPolicy champion) throws IOException {
    return evaluate(request, target, champion, LoggingPolicies.UNKNOWN);
  }

  /**
   * Compares a target with the champion, or with the logging policy where there is none; fails as
   * the others do.
   *
   * @param loggers that can be asked what they would have done in one another's decisions
   */
  public EvaluationRecord evaluate(
      EvaluationRequest request,
      TargetPolicy target,
      @Nullable TargetPolicy champion,
      LoggingPolicies loggers)
      throws IOException {
    Segmentation.requireDeclared(request.surface(), request.segments());
    ItemClusters.of(request.surface(), request.clusterFeature());
    EvaluationInputs inputs =
        new EvaluationInputs(
            request,
            target,
            champion,
            loggers != LoggingPolicies.UNKNOWN,
            request
                .source()
                .parts(Reread.of(request.surface(), request.source(), request.selection().asOf())),
            codeVersion);
    Path root = folder == null ? Files.createTempDirectory("bellwether-evaluation") : folder;
    try (EvaluationRuns.Run run =
        new EvaluationRuns(root, clock).open(inputs.folderFingerprint())) {
      return new Stages(inputs, run.folder(), loggers).run();
    } finally {
      if (folder == null) {
        EvaluationRuns.delete(root);
      }
    }
  }

  /** One evaluation. Confined to one thread. */
  private final class Stages {

    /** Enough for a model of a reward, and few enough to be held in memory. */
    private static final int SAMPLE_TRANSITIONS = 60_000;

    private static final long SAMPLE_BYTES = 128L << 20;

    /** Asking more policies about every decision costs more than it tells. */
    private static final int MOST_LOGGERS = 8;

    private static final int BATCH = 128;

    /** More than a reader can take in; the rest stands together. */
    private static final int MOST_ITEMS = 100;

    private final EvaluationInputs inputs;
    private final EvaluationRequest request;
    private final EvaluationFolder run;
    private final LoggingPolicies loggers;
    private final RowEncoder encoder;

    Stages(EvaluationInputs inputs, EvaluationFolder run, LoggingPolicies loggers) {
      this.inputs = inputs;
      this.request = inputs.request();
      this.run = run;
      this.loggers = loggers;
      this.encoder = new RowEncoder(request.surface(), request.subjects());
    }

    EvaluationRecord run() throws IOException {
      Prepared prepared;
      long transitions = inputs.parts().stream().mapToLong(TransitionPart::transitions).sum();
      try (EvaluationJobs jobs = new EvaluationJobs(run, parallelism, transitions, progress)) {
        Survey survey = survey(jobs);
        survey.requireUsable();
        progress.accept(
            "%d decisions from %s".formatted(survey.decisions(), request.source().words()));
        prepared = prepared(survey);
        score(prepared, jobs);
      }
      return record(prepared);
    }

    /** The sample is not held beyond. */
    private Prepared prepared(Survey survey) throws IOException {
      List<EvaluatedDecision> sample = sample();
      return new Prepared(
          survey,
          models(sample),
          Segmentation.of(request.surface(), request.segments(), sample),
          items(sample));
    }

    /** What scoring needs to know of a log. */
    private record Prepared(
        Survey survey, RewardModels models, Segmentation segments, List<String> items) {

      List<String> loggers() {
        return List.copyOf(survey.loggers().keySet());
      }
    }

    private Survey survey(EvaluationJobs jobs) throws IOException {
      Optional<Survey> finished = run.survey().survey();
      if (finished.isPresent()) {
        progress.accept("the log was read before");
        return finished.get();
      }
      jobs.run(
          new SurveyJob(
              new SurveyTask(
                  new ArrayList<>(inputs.parts()),
                  encoder,
                  request.selection(),
                  parallelism,
                  SAMPLE_TRANSITIONS,
                  SAMPLE_BYTES,
                  run.path().toString()),
              parallelism));
      Survey survey = run.survey().survey().orElseThrow();
      if (survey.later() > 0) {
        progress.accept(
            "%d transitions were joined after %s and are left out"
                .formatted(survey.later(), request.selection().asOf()));
      }
      return survey;
    }

    /** The highest revision of each decision of the sample. */
    private List<EvaluatedDecision> sample() throws IOException {
      EventCodec<Transition> codec = EventCodec.of(Transition.class);
      Findings ignored = new Findings();
      List<EvaluatedDecision> decisions = new ArrayList<>();
      String last = "";
      for (SubjectSample.Sampled sampled : run.survey().sample()) {
        Transition transition = decode(codec, sampled.transition());
        String id = transition.getDecision().getDecisionId();
        if (!id.equals(last)) {
          List<TrainingRow> rows = new ArrayList<>();
          encoder.encode(transition, rows::add, ignored);
          decisions.add(EvaluatedDecision.of(transition, rows));
          last = id;
        }
      }
      return decisions;
    }

    private static Transition decode(EventCodec<Transition> codec, byte[] bytes)
        throws IOException {
      try {
        return codec.decode(bytes);
      } catch (UndecodableEventException e) {
        throw new IOException("the sample is damaged", e);
      }
    }

    private RewardModels models(List<EvaluatedDecision> sample) throws IOException {
      Optional<RewardModels> finished = run.models();
      if (finished.isPresent()) {
        progress.accept("the reward models were fitted before");
        return finished.get();
      }
      RewardModels models =
          request.modelSteps() == 0
              ? RewardModels.none()
              : new FitRewardModels(request, progress).on(sample);
      run.write(models);
      return models;
    }

    private void score(Prepared prepared, EvaluationJobs jobs) throws IOException {
      if (run.isScored()) {
        progress.accept("the decisions were scored before");
        return;
      }
      List<TargetPolicy> logging = new ArrayList<>();
      try {
        open(prepared.loggers(), logging);
        jobs.run(new ScoringJob(task(prepared, logging), parallelism));
      } finally {
        logging.forEach(TargetPolicy::close);
      }
      run.finishScoring();
      progress.accept("scored with " + inputs.target().name());
    }

    /** All loggers, or none. */
    private void open(List<String> versions, List<TargetPolicy> opened) {
      if (versions.size() < 2 || versions.size() > MOST_LOGGERS) {
        return;
      }
      for (String version : versions) {
        Optional<TargetPolicy> policy = loggers.open(version);
        if (policy.isEmpty()) {
          progress.accept("weights are not balanced: " + version + " cannot be asked");
          opened.forEach(TargetPolicy::close);
          opened.clear();
          return;
        }
        opened.add(policy.get());
      }
    }

    private ScoringTask task(Prepared prepared, List<TargetPolicy> logging) {
      Survey survey = prepared.survey;
      List<String> signals = SignalOrder.of(request.surface());
      ItemClusters clusters = ItemClusters.of(request.surface(), request.clusterFeature());
      LogColumns.Known known =
          new LogColumns.Known(
              inputs.champion() != null,
              !prepared.models.graphs().isEmpty(),
              !clusters.isEmpty(),
              request.surface().slateSize() > 1,
              !logging.isEmpty());
      ArrayList<PortableGraph> graphs = new ArrayList<>();
      for (byte[] graph : prepared.models.graphs()) {
        graphs.add(new PortableGraph(graph, SurfaceSchema.policy(request.surface())));
      }
      ArrayList<Double> shares = new ArrayList<>();
      survey.loggers().values().forEach(count -> shares.add((double) count / survey.decisions()));
      return new ScoringTask(
          new ArrayList<>(inputs.parts()),
          encoder,
          request.selection(),
          parallelism,
          inputs.target(),
          inputs.champion(),
          new ArrayList<>(prepared.loggers()),
          new ArrayList<>(logging),
          shares,
          graphs,
          new ArrayList<>(signals),
          LogColumns.of(known, signals, prepared.segments.names()),
          prepared.segments,
          clusters,
          new ArrayList<>(prepared.items),
          run.path().toString());
    }

    /** The most frequent ones of the sample. */
    private static List<String> items(List<EvaluatedDecision> sample) {
      ItemCounts counts = new ItemCounts();
      for (EvaluatedDecision decision : sample) {
        counts.add(decision.candidateIds().get(decision.slate()[0]));
      }
      ActionIndex index = counts.mostFrequent(MOST_ITEMS);
      return IntStream.range(0, index.other()).mapToObj(index::name).toList();
    }

    private EvaluationRecord record(Prepared prepared) throws IOException {
      Survey survey = prepared.survey;
      List<String> signals = SignalOrder.of(request.surface());
      MappedLog log =
          MappedLog.of(
              ColumnFiles.open(run.columns()),
              new MappedLog.Words(signals, prepared.loggers(), prepared.segments),
              excluded(survey));
      OffPolicyReport report =
          OffPolicyReport.of(log.decisions(), SurfacePlan.of(request), support(prepared.loggers()));
      progress.accept("verdict: " + report.verdict().word());
      SortedMap<String, EvaluationRecord.LoggedMean> logged = new TreeMap<>();
      signals.forEach(signal -> logged.put(signal, log.loggedMean(signal)));
      return new EvaluationRecord(
          inputs.target().name(),
          inputs.baselineName(),
          request,
          EvaluatedData.of(survey, request.selection()),
          logged,
          report,
          DecisionIds.of(report, log.files()),
          perSession(log, report),
          prepared.models.learning(),
          notes(log, survey),
          inputs.fingerprint(survey),
          clock.instant(),
          codeVersion);
    }

    private static List<String> notes(MappedLog log, Survey survey) {
      List<String> notes = new ArrayList<>(log.notes());
      long estimated = survey.findings().getOrDefault(Finding.ESTIMATED_PROPENSITY, 0L);
      if (estimated > 0) {
        notes.add(
            "the propensities of "
                + estimated
                + " decisions were estimated afterwards: no weight is better than that estimate,"
                + " and no interval knows of its error");
      }
      return notes;
    }

    private Support support(List<String> versions) throws IOException {
      try (DataInputStream in =
          new DataInputStream(new BufferedInputStream(Files.newInputStream(run.support())))) {
        return SupportAccumulator.readFrom(in).result(versions);
      }
    }

    private SessionValues perSession(MappedLog log, OffPolicyReport report) throws IOException {
      double discount = request.surface().objective().discount();
      return discount > 0
          ? SessionValues.of(log.decisions(), log.episodes(), discount, report, sessionModel())
          : SessionValues.NONE;
    }

    private SessionValues.Model sessionModel() throws IOException {
      if (request.modelSteps() == 0) {
        return new SessionValues.Model.Missing("NO_MODEL");
      }
      List<EvaluatedDecision> sample = sample();
      return new SessionModels(request.surface(), request.modelSteps(), request.seed(), progress)
          .of(sample, chances(inputs.target(), sample), chances(inputs.champion(), sample));
    }

    /** What a policy says of the sample; empty without one. */
    private static List<double[]> chances(
        @Nullable TargetPolicy policy, List<EvaluatedDecision> sample) {
      if (policy == null) {
        return List.of();
      }
      List<List<double[]>> batches =
          IntStream.range(0, (sample.size() + BATCH - 1) / BATCH)
              .parallel()
              .mapToObj(
                  batch ->
                      policy.chances(
                          sample.subList(
                              batch * BATCH, Math.min(sample.size(), (batch + 1) * BATCH))))
              .toList();
      return batches.stream().flatMap(List::stream).toList();
    }

    private static LoggedDecisions.Excluded excluded(Survey survey) {
      return new LoggedDecisions.Excluded(
          survey.findings().getOrDefault(Finding.SUPERSEDED, 0L),
          0,
          survey.findings().getOrDefault(Finding.NOT_LEARNABLE, 0L));
    }
  }
}
