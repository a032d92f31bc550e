package io.bellwether.trainer.gate;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.TrainingRow;
import io.bellwether.trainer.survey.Mention;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Scores the transition that counts of each decision that has several. Takes transitions of which
 * those of one decision come one after the other, as a keyed input of a batch job does; there is
 * one such task, so that batches do not depend on how many there are.
 */
final class ScoreContested extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<Transition, byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;

  private final ScoringTask task;
  private final OutputTag<byte[]> support;
  private transient @Nullable Choice choice;

  ScoreContested(ScoringTask task, OutputTag<byte[]> support) {
    this.task = task;
    this.support = support;
  }

  @Override
  public void open() throws Exception {
    super.open();
    choice = new Choice();
  }

  private Choice choice() {
    if (choice == null) {
      throw new IllegalStateException("not open");
    }
    return choice;
  }

  @Override
  public void processElement(StreamRecord<Transition> element) {
    choice().add(element.getValue());
  }

  @Override
  public void endInput() {
    byte[] sums = choice().finish();
    output.collect(
        support, new StreamRecord<>(new SupportReport(SupportReport.CONTESTED, sums).bytes()));
  }

  @Override
  public void close() throws Exception {
    if (choice != null) {
      choice.scoring.close();
    }
    super.close();
  }

  private record Candidate(Mention mention, Transition transition) {}

  private final class Choice {

    private final EventCodec<Transition> codec = EventCodec.of(Transition.class);
    private final MessageDigest sha256 = sha256();
    private final Findings ignored = new Findings();
    private final Map<String, Candidate> best = new TreeMap<>();
    private final Scoring scoring =
        new Scoring(
            task,
            scored ->
                output.collect(
                    new StreamRecord<>(scored.message(), scored.decision().decidedAtMicros())));
    private long key;

    void add(Transition transition) {
      List<TrainingRow> rows = new ArrayList<>();
      task.encoder().encode(transition, rows::add, ignored);
      if (rows.isEmpty()) {
        return;
      }
      Mention mention = Mention.of(transition, sha256.digest(codec.encode(transition)));
      if (mention.key() != key) {
        settle();
        key = mention.key();
      }
      Candidate other = best.get(mention.id());
      if (other == null || mention.countsBefore(other.mention)) {
        best.put(mention.id(), new Candidate(mention, transition));
      }
    }

    private void settle() {
      best.values().forEach(candidate -> scoring.add(candidate.transition));
      best.clear();
    }

    byte[] finish() {
      settle();
      return scoring.finishPart();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
