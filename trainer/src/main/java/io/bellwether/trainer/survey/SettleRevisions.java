package io.bellwether.trainer.survey;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Decides which of a decision's transitions counts, and counts it. Takes {@link Mention}s of which
 * those with one key come one after the other, as a keyed input of a batch job does.
 */
final class SettleRevisions extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1;

  /** Of the current key: all but once in a long while, one decision. */
  private transient Map<String, Contest> contests = new HashMap<>();

  private transient long key;
  private transient Tally tally = new Tally();

  private static final class Contest {
    private Mention first;
    private long others;

    Contest(Mention first) {
      this.first = first;
    }

    void add(Mention other) {
      others++;
      first = other.countsBefore(first) ? other : first;
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    contests = new HashMap<>();
    tally = new Tally();
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) {
    Mention mention = Mention.of(element.getValue());
    if (mention.key() != key) {
      settle();
      key = mention.key();
    }
    Contest contest = contests.get(mention.id());
    if (contest == null) {
      contests.put(mention.id(), new Contest(mention));
    } else {
      contest.add(mention);
    }
  }

  private void settle() {
    boolean contested = contests.size() > 1;
    for (Contest contest : contests.values()) {
      tally.add(contest.first, contest.others);
      contested |= contest.others > 0;
    }
    if (contested) {
      send(new SurveyReport.Contested(key));
    }
    contests.clear();
  }

  @Override
  public void endInput() {
    settle();
    send(new SurveyReport.Settled(tally));
  }

  private void send(SurveyReport report) {
    output.collect(new StreamRecord<>(report.bytes()));
  }
}
