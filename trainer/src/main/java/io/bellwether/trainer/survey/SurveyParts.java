package io.bellwether.trainer.survey;

import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.DecisionSeed;
import io.bellwether.trainer.data.Findings;
import io.bellwether.trainer.data.TrainingRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * One of the parallel readers of a survey: takes numbers of parts, checks every transition, emits a
 * {@link Mention} of each that can be used, and at its end reports what it found and its share of
 * the sample. Keeps nothing but counts and the sample.
 */
final class SurveyParts extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<Integer, byte[]>, BoundedOneInput {

  static final String STAGE = "survey";

  private static final long serialVersionUID = 1;
  private static final int BATCH = 128;

  private final SurveyTask task;
  private final OutputTag<byte[]> reports;
  private transient @Nullable Reading reading;

  SurveyParts(SurveyTask task, OutputTag<byte[]> reports) {
    this.task = task;
    this.reports = reports;
  }

  @Override
  public void open() throws Exception {
    super.open();
    reading = new Reading(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
  }

  private Reading reading() {
    if (reading == null) {
      throw new IllegalStateException("not open");
    }
    return reading;
  }

  @Override
  public void processElement(StreamRecord<Integer> part) throws IOException {
    reading().read(part.getValue());
  }

  @Override
  public void endInput() {
    reading().report();
  }

  @Override
  public void close() throws Exception {
    if (reading != null) {
      reading.close();
    }
    super.close();
  }

  /** What a batch of transitions came to. */
  private record Surveyed(
      List<byte[]> mentions,
      Findings findings,
      HostileValues hostile,
      List<SubjectSample.Sampled> sampled) {}

  private final class Reading implements AutoCloseable {

    private final EventCodec<Transition> codec = EventCodec.of(Transition.class);
    private final Findings findings = new Findings();
    private final HostileValues hostile = new HostileValues();
    private final SubjectSample sample =
        new SubjectSample(task.sampleTransitions(), task.sampleBytes());
    private final InOrder<Surveyed> work = new InOrder<>(STAGE, task.threads(), this::take);
    private final StageProgress.Counter progress;
    private List<Transition> batch = new ArrayList<>();
    private long outOfRange;
    private long later;
    private long lastJoinedMicros = Long.MIN_VALUE;

    Reading(int number) throws IOException {
      progress = new StageProgress.Counter(Path.of(task.folder()), STAGE, number);
    }

    void read(int part) throws IOException {
      task.parts().get(part).forEach(this::add);
      give();
      work.finish();
    }

    private void add(Transition transition) {
      try {
        progress.add();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (!task.selection().isKnown(transition.getJoinedAtMicros())) {
        later++;
        return;
      }
      lastJoinedMicros = Math.max(lastJoinedMicros, transition.getJoinedAtMicros());
      if (!task.selection().isInRange(transition.getDecision().getDecidedAtMicros())) {
        outOfRange++;
        return;
      }
      batch.add(transition);
      if (batch.size() == BATCH) {
        give();
      }
    }

    private void give() {
      List<Transition> transitions = batch;
      batch = new ArrayList<>();
      work.give(() -> survey(transitions));
    }

    private Surveyed survey(List<Transition> transitions) {
      Surveyed surveyed =
          new Surveyed(new ArrayList<>(), new Findings(), new HostileValues(), new ArrayList<>());
      MessageDigest sha256 = sha256();
      for (Transition transition : transitions) {
        survey(transition, sha256, surveyed);
      }
      return surveyed;
    }

    private void survey(Transition transition, MessageDigest sha256, Surveyed surveyed) {
      Findings found = new Findings();
      List<TrainingRow> rows = new ArrayList<>();
      task.encoder().encode(transition, rows::add, found);
      surveyed.findings.merge(found);
      if (found.fatal()) {
        surveyed.hostile.add(transition, found);
      }
      if (rows.isEmpty()) {
        return;
      }
      byte[] bytes = codec.encode(transition);
      Mention mention = Mention.of(transition, sha256.digest(withoutRevision(transition, bytes)));
      surveyed.mentions.add(mention.bytes());
      long unit = DecisionSeed.seedOf(transition.getDecision().getSubjectId());
      if (sample.mayTake(unit)) {
        surveyed.sampled.add(
            new SubjectSample.Sampled(
                unit, mention.key(), mention.revision(), learnerBytes(rows), bytes));
      }
    }

    /** Compaction forgets revisions, and data is the same before and after it. */
    private byte[] withoutRevision(Transition transition, byte[] bytes) {
      int revision = transition.getRevision();
      if (revision == 0) {
        return bytes;
      }
      transition.setRevision(0);
      byte[] without = codec.encode(transition);
      transition.setRevision(revision);
      return without;
    }

    private static long learnerBytes(List<TrainingRow> rows) {
      TrainingRow row = rows.get(0);
      long floats = (long) row.context().length + row.history().length + row.items().length;
      return rows.size() * floats * Float.BYTES;
    }

    private void take(Surveyed surveyed) {
      surveyed.mentions.forEach(mention -> output.collect(new StreamRecord<>(mention)));
      findings.merge(surveyed.findings);
      hostile.merge(surveyed.hostile);
      surveyed.sampled.forEach(sample::offer);
    }

    void report() {
      send(new SurveyReport.Read(findings, hostile, outOfRange, later, lastJoinedMicros));
      sample.toJoin().forEach(sampled -> send(new SurveyReport.Sample(sampled)));
    }

    private void send(SurveyReport report) {
      output.collect(reports, new StreamRecord<>(report.bytes()));
    }

    @Override
    public void close() throws IOException {
      work.close();
      progress.close();
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
