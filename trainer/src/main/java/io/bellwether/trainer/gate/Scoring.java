package io.bellwether.trainer.gate;

import io.bellwether.evaluation.support.ActionIndex;
import io.bellwether.evaluation.support.DecisionVectors;
import io.bellwether.evaluation.support.SupportAccumulator;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.survey.InOrder;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Scores transitions in batches on several threads and adds up what all candidates' chances say of
 * the log's support. Results come in the order of the transitions. Owns threads, policies and
 * models, until {@link #close}; confined to the thread that gives the transitions.
 */
final class Scoring implements AutoCloseable {

  /** Large enough to fill a graph's matrix products, small enough to keep every core busy. */
  private static final int BATCH = 128;

  private static final long MICROS_PER_DAY = Duration.ofDays(1).toMillis() * 1000;

  private final ScoreDecisions scores;
  private final boolean isRounded;
  private final Consumer<ScoredDecision> results;
  private final InOrder<List<ScoredDecision>> work;
  private final ActionIndex index;
  private final DecisionVectors vectors = new DecisionVectors();
  private final RowChances first = new RowChances();
  private SupportAccumulator support;
  private List<Transition> batch = new ArrayList<>();

  /**
   * @param results takes the scored decisions, on the thread that gives the transitions
   */
  Scoring(ScoringTask task, Consumer<ScoredDecision> results) {
    this.scores = new ScoreDecisions(task);
    this.isRounded = task.target().isRounded();
    this.results = results;
    this.work = new InOrder<>("score decisions", task.threads(), this::take);
    this.index = ActionIndex.of(task.items());
    this.support = new SupportAccumulator(index);
  }

  void add(Transition transition) {
    batch.add(transition);
    if (batch.size() == BATCH) {
      give();
    }
  }

  private void give() {
    List<Transition> transitions = batch;
    batch = new ArrayList<>(BATCH);
    work.give(() -> scores.score(transitions));
  }

  /** Ends a part: what follows stands in no batch with what was given before. */
  byte[] finishPart() {
    give();
    work.finish();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      support.writeTo(out);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does no I/O", e);
    }
    support = new SupportAccumulator(index);
    return bytes.toByteArray();
  }

  private void take(List<ScoredDecision> scored) {
    for (ScoredDecision each : scored) {
      if (each.decision().logging().length > 0) {
        addSupport(each);
      }
      results.accept(each);
    }
  }

  private void addSupport(ScoredDecision scored) {
    EvaluatedDecision decision = scored.decision();
    vectors.begin(
        decision.idHash(),
        scored.logger(),
        (int) Math.floorDiv(decision.decidedAtMicros(), MICROS_PER_DAY));
    List<String> items = decision.candidateIds();
    double[] logging = first.ofFirst(decision.rules(), decision.logging(), decision.slate());
    double[] target = first.ofFirst(decision.rules(), scored.target(), decision.slate());
    double all = isRounded ? Arrays.stream(target).sum() : 1;
    for (int i = 0; i < items.size(); i++) {
      vectors.candidate(index.numberOf(items.get(i)), logging[i], target[i] / all);
    }
    vectors.shown(decision.slate()[0], decision.rows().get(0).propensity());
    support.add(vectors);
  }

  @Override
  public void close() {
    work.close();
    scores.close();
  }
}
