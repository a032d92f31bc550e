package io.bellwether.trainer.search;

import io.bellwether.evaluation.report.Bounds;
import io.bellwether.evaluation.report.Comparison;
import io.bellwether.evaluation.report.OffPolicyReport;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.TransitionSource;
import io.bellwether.trainer.gate.EvaluationRequest;
import io.bellwether.trainer.gate.ScoredTarget;
import io.bellwether.trainer.gate.TargetPolicy;
import io.bellwether.trainer.gate.TargetRefused;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks for an algorithm, its settings, epochs and a batch size: draws at random, trains on the
 * earlier part of a log and ranks by what the later part shows each policy to reach at least; never
 * by a loss. Each trial is kept when it is finished, so that a search that was killed goes on.
 *
 * <p>Who looks often enough finds something good by chance. What is said of the winner is therefore
 * said at the error probability over the number of looks (Bonferroni).
 */
public final class Search {

  private final PolicyStore store;
  private final Clock clock;
  private final String codeVersion;
  private final Consumer<String> progress;

  /**
   * @param store that has the champion; nothing is published there
   * @param clock says when the time is up
   * @param codeVersion of the trainer
   * @param progress takes a line for each trial
   */
  public Search(PolicyStore store, Clock clock, String codeVersion, Consumer<String> progress) {
    this.store = store;
    this.clock = clock;
    this.codeVersion = codeVersion;
    this.progress = progress;
  }

  /** Why a request cannot go on in its folder; empty where it can, or begins there. */
  public Optional<String> refused(SearchRequest request) throws IOException {
    return new SearchFolder(request.folder())
        .plan()
        .flatMap(plan -> plan.differs(request, codeVersion));
  }

  /** Whether a search was begun in a request's folder. */
  public static boolean isBegun(SearchRequest request) throws IOException {
    return new SearchFolder(request.folder()).plan().isPresent();
  }

  /**
   * Searches, from where an earlier search in the same folder left off.
   *
   * @throws io.bellwether.trainer.data.InvalidTrainingData where the log cannot be used
   * @throws io.bellwether.trainer.job.TrainingFailed where not even cloning works on it
   * @throws IllegalArgumentException where another search was begun in the folder
   */
  public SearchResult run(SearchRequest request) throws IOException {
    Optional<String> refused = refused(request);
    if (refused.isPresent()) {
      throw new IllegalArgumentException("another search is in the folder: " + refused.get());
    }
    SearchFolder folder = new SearchFolder(request.folder());
    SearchPlan plan = plan(request, folder);
    progress.accept("training on what was decided before %s".formatted(plan.split()));
    TrainedTrials trials = new TrainedTrials(request, plan, folder, clock, codeVersion);
    List<Trial> ranking =
        new TrialLoop(plan, request.draws(), request.limit(), folder, trials, clock, progress)
            .run();
    return new SearchResult(
        plan.split(),
        request.draws(),
        ranking.size(),
        request.alpha(),
        Halving.next(request.draws(), folder.trials()).isEmpty(),
        ranking,
        answers(request, plan, trials, ranking));
  }

  private SearchPlan plan(SearchRequest request, SearchFolder folder) throws IOException {
    Optional<SearchPlan> begun = folder.plan();
    if (begun.isPresent()) {
      return begun.get();
    }
    TransitionSource pinned =
        request.source() instanceof ArchiveSource archive ? archive.listed() : request.source();
    TimeSplit times = TimeSplit.of(pinned, request.surface().name(), request.judgedShare());
    SearchPlan plan = SearchPlan.of(request, codeVersion, times, pinned);
    folder.write(plan);
    return plan;
  }

  private List<SearchResult.Answer> answers(
      SearchRequest request, SearchPlan plan, TrainedTrials trials, List<Trial> ranking)
      throws IOException {
    progress.accept("comparing the winner at the level of %d looks".formatted(ranking.size()));
    Trial winner = ranking.get(0);
    Trial cloning =
        ranking.stream()
            .filter(each -> each.step().equals(Step.BASELINE))
            .findFirst()
            .orElseThrow();
    EvaluationRequest corrected =
        trials.request().withAlpha(request.alpha() / ranking.size()).withReplicates(0);
    List<SearchResult.Answer> answers = new ArrayList<>();
    try (TargetPolicy target = trials.target(new VersionId(winner.version()))) {
      if (winner.equals(cloning)) {
        OffPolicyReport report = trials.evaluate(target, null, corrected).report();
        answers.add(answer(report, "logging", SearchResult.Answer.LOGGED, ""));
      } else {
        try (TargetPolicy other = trials.target(new VersionId(cloning.version()))) {
          OffPolicyReport report = trials.evaluate(target, other, corrected).report();
          answers.add(answer(report, "logging", SearchResult.Answer.LOGGED, ""));
          answers.add(answer(report, "champion", SearchResult.Answer.CLONING, ""));
        }
      }
      if (request.champion() != null) {
        answers.add(champion(request.champion(), request, plan, trials, target, corrected));
      }
    }
    return answers;
  }

  private SearchResult.Answer champion(
      VersionId champion,
      SearchRequest request,
      SearchPlan plan,
      TrainedTrials trials,
      TargetPolicy target,
      EvaluationRequest corrected)
      throws IOException {
    String name = "the champion, " + champion;
    PolicyManifest manifest = store.manifest(champion);
    Subjects subjects = Subjects.all().and(Subjects.notSeenBy(manifest));
    boolean knows =
        manifest.data().rows() > 0
            && subjects.equals(Subjects.all())
            && !manifest.data().to().isBefore(plan.split());
    try (TargetPolicy other = ScoredTarget.open(store, champion, request.surface())) {
      return answer(
          trials.evaluate(target, other, corrected.withSubjects(subjects)).report(),
          "champion",
          name,
          knows ? "it has learned from decisions that judge here: its value is too good" : "");
    } catch (TargetRefused e) {
      return new SearchResult.Answer(name, null, null, null, String.valueOf(e.getMessage()));
    }
  }

  /** The paired difference in the objective, by the estimator that decides. */
  private static SearchResult.Answer answer(
      OffPolicyReport report, String against, String name, String note) {
    Optional<Comparison> found =
        report.comparisons().stream()
            .filter(each -> each.against().equals(against))
            .filter(each -> each.signal().equals(report.terms().objective().signal()))
            .filter(each -> each.estimator().equals(report.terms().primary()))
            .findFirst();
    if (found.isEmpty() || found.get().difference().point().isEmpty()) {
      return new SearchResult.Answer(name, null, null, null, "the log does not tell");
    }
    double difference = found.get().difference().point().getAsDouble();
    if (found.get().simultaneousInterval() instanceof Bounds.Within within) {
      return new SearchResult.Answer(
          name, difference, within.interval().lower(), within.interval().upper(), note);
    }
    return new SearchResult.Answer(name, difference, null, null, "there is no interval");
  }
}
