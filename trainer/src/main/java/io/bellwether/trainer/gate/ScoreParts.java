package io.bellwether.trainer.gate;

import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.trainer.survey.ContestedIds;
import io.bellwether.trainer.survey.StageProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * One of the parallel readers that score: takes numbers of parts, emits a message per decision, and
 * passes on unscored those transitions of whose decision there may be others.
 */
final class ScoreParts extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<Integer, byte[]> {

  static final String STAGE = "scoring";

  private static final long serialVersionUID = 1;

  private final ScoringTask task;
  private final OutputTag<Transition> contested;
  private final OutputTag<byte[]> support;
  private transient @Nullable Reading reading;

  ScoreParts(ScoringTask task, OutputTag<Transition> contested, OutputTag<byte[]> support) {
    this.task = task;
    this.contested = contested;
    this.support = support;
  }

  @Override
  public void open() throws Exception {
    super.open();
    reading = new Reading(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
  }

  @Override
  public void processElement(StreamRecord<Integer> part) throws IOException {
    if (reading == null) {
      throw new IllegalStateException("not open");
    }
    reading.read(part.getValue());
  }

  @Override
  public void close() throws Exception {
    if (reading != null) {
      reading.close();
    }
    super.close();
  }

  private final class Reading implements AutoCloseable {

    private final ContestedIds several;
    private final StageProgress.Counter progress;
    private final Scoring scoring;

    Reading(int number) throws IOException {
      Path folder = Path.of(task.folder());
      several = ContestedIds.read(new EvaluationFolder(folder).survey().contested());
      progress = new StageProgress.Counter(folder, STAGE, number);
      scoring =
          new Scoring(
              task,
              scored ->
                  output.collect(
                      new StreamRecord<>(scored.message(), scored.decision().decidedAtMicros())));
    }

    void read(int part) throws IOException {
      task.parts().get(part).forEach(this::add);
      output.collect(
          support, new StreamRecord<>(new SupportReport(part, scoring.finishPart()).bytes()));
    }

    private void add(Transition transition) {
      try {
        progress.add();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (!task.selection().isKnown(transition.getJoinedAtMicros())
          || !task.selection().isInRange(transition.getDecision().getDecidedAtMicros())) {
        return;
      }
      if (several.mayHold(DecisionSeed.seedOf(transition.getDecision().getDecisionId()))) {
        output.collect(contested, new StreamRecord<>(transition));
      } else {
        scoring.add(transition);
      }
    }

    @Override
    public void close() throws IOException {
      scoring.close();
      progress.close();
    }
  }
}
