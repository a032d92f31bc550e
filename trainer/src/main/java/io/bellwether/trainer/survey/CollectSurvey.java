package io.bellwether.trainer.survey;

import io.bellwether.trainer.data.Findings;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The one task that puts a survey together and leaves it in the run's folder. Emits nothing.
 *
 * <p>A log that cannot be evaluated is a result and not a failure of the job, so that no restart
 * repeats it.
 */
final class CollectSurvey extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;

  private final SurveyTask task;
  private transient Findings findings = new Findings();
  private transient HostileValues hostile = new HostileValues();
  private transient Tally tally = new Tally();
  private transient ContestedIds contested = new ContestedIds();
  private transient SubjectSample sample = new SubjectSample(0, 0);
  private transient long outOfRange;
  private transient long later;
  private transient long lastJoinedMicros;

  CollectSurvey(SurveyTask task) {
    this.task = task;
  }

  @Override
  public void open() throws Exception {
    super.open();
    findings = new Findings();
    hostile = new HostileValues();
    tally = new Tally();
    contested = new ContestedIds();
    sample = new SubjectSample(task.sampleTransitions(), task.sampleBytes());
    lastJoinedMicros = Long.MIN_VALUE;
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) {
    SurveyReport report = SurveyReport.of(element.getValue());
    if (report instanceof SurveyReport.Read read) {
      findings.merge(read.findings());
      hostile.merge(read.hostile());
      outOfRange += read.outOfRange();
      later += read.later();
      lastJoinedMicros = Math.max(lastJoinedMicros, read.lastJoinedMicros());
    } else if (report instanceof SurveyReport.Sample sampled) {
      sample.offer(sampled.transition());
    } else if (report instanceof SurveyReport.Contested one) {
      contested.add(one.key());
    } else if (report instanceof SurveyReport.Settled settled) {
      tally.merge(settled.tally());
    }
  }

  @Override
  public void endInput() throws IOException {
    SurveyFiles files = new SurveyFiles(Path.of(task.folder()));
    files.writeSample(sample.inOrder());
    contested.write(files.contested());
    files.write(Survey.of(findings, hostile, tally, outOfRange, later, lastJoinedMicros));
  }
}
