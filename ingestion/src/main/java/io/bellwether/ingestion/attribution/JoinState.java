package io.bellwether.ingestion.attribution;

/**
 * How far the join of one decision has come: state of {@link AttributeOutcomes}, public so that
 * Flink serializes it as a record.
 *
 * @param closesAtMillis event time at which the longest window is over
 * @param releaseAtMillis event time from which the decision may be forgotten
 * @param closed whether its transition was let go
 * @param changed whether an outcome came after that
 * @param measuredOnly whether it is told to the numbers of experiments only
 * @param assigned whether it comes from an experiment
 */
public record JoinState(
    Shown shown,
    long closesAtMillis,
    long releaseAtMillis,
    boolean closed,
    boolean changed,
    boolean measuredOnly,
    boolean assigned) {

  JoinState emitted() {
    return new JoinState(
        shown, closesAtMillis, releaseAtMillis, true, false, measuredOnly, assigned);
  }

  JoinState restated() {
    return new JoinState(
        shown, closesAtMillis, releaseAtMillis, closed, true, measuredOnly, assigned);
  }
}
