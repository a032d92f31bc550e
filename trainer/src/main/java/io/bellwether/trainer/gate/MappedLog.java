package io.bellwether.trainer.gate;

import io.bellwether.evaluation.CompensatedSums;
import io.bellwether.evaluation.episode.Episodes;
import io.bellwether.evaluation.offpolicy.Labels;
import io.bellwether.evaluation.offpolicy.LoggedDecisions;
import io.bellwether.evaluation.offpolicy.LoggedDecisions.Signal;
import io.bellwether.trainer.columns.ColumnFiles;
import io.bellwether.trainer.columns.LogColumns;
import java.io.IOException;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A scored log as the evaluation reads it, mapped from its files.
 *
 * @param files the columns
 * @param decisions the same, as columns of the evaluation
 */
record MappedLog(ColumnFiles files, LoggedDecisions decisions) {

  /**
   * What is known of a log beside its columns.
   *
   * @param signals their names
   * @param loggers policy versions by index
   */
  record Words(List<String> signals, List<String> loggers, Segmentation segments) {}

  static MappedLog of(ColumnFiles files, Words words, LoggedDecisions.Excluded excluded)
      throws IOException {
    LoggedDecisions.Builder builder =
        LoggedDecisions.builder()
            .decisions(
                files.ints(LogColumns.DECISION),
                files.ints(LogColumns.POSITION),
                files.longs(LogColumns.UNIT))
            .excluded(excluded)
            .logging(files.doubles(LogColumns.LOGGING))
            .target(files.doubles(LogColumns.TARGET))
            .baseline(files.doublesIfKnown(LogColumns.BASELINE))
            .divergence(files.doublesIfKnown(LogColumns.DIVERGENCE))
            .unsupported(files.doublesIfKnown(LogColumns.UNSUPPORTED))
            .thin(files.doublesIfKnown(LogColumns.THIN))
            .clusterWeight(files.doublesIfKnown(LogColumns.CLUSTER_WEIGHT))
            .slotWeight(files.doublesIfKnown(LogColumns.SLOT_WEIGHT))
            .balancedWeight(files.doublesIfKnown(LogColumns.BALANCED_WEIGHT))
            .slateWeight(files.doublesIfKnown(LogColumns.SLATE_WEIGHT))
            .timeMicros(files.longs(LogColumns.TIME))
            .loggers(words.loggers, files.ints(LogColumns.LOGGER));
    for (String segment : words.segments.names()) {
      builder.segment(
          segment,
          new Labels(words.segments.labels(segment), files.ints(LogColumns.SEGMENT + segment)));
    }
    for (String signal : words.signals) {
      builder.signal(
          signal,
          new Signal(
              files.doubles(LogColumns.REWARD + signal),
              files.doublesIfKnown(LogColumns.PREDICTION + signal),
              files.doublesIfKnown(LogColumns.DIRECT + signal),
              files.doublesIfKnown(LogColumns.BASELINE_DIRECT + signal)));
    }
    return new MappedLog(files, builder.build());
  }

  /** The sessions of the decisions. */
  Episodes episodes() throws IOException {
    return SessionEpisodes.of(
        files.longs(LogColumns.ID),
        files.longs(LogColumns.NEXT),
        files.ints(LogColumns.STEP),
        files.ints(LogColumns.TERMINATED),
        files.longs(LogColumns.UNIT_OF_DECISION));
  }

  /** What the logging policy itself reached. */
  EvaluationRecord.LoggedMean loggedMean(String signal) {
    DoubleBuffer reward = decisions.signal(signal).reward();
    CompensatedSums sums = new CompensatedSums(2);
    long events = 0;
    int count = decisions.decisions();
    for (int number = 0; number < count; number++) {
      double value = value(reward, number);
      sums.add(0, value);
      events += value == 0 ? 0 : 1;
    }
    double mean = sums.get(0) / count;
    for (int number = 0; number < count; number++) {
      double deviation = value(reward, number) - mean;
      sums.add(1, deviation * deviation);
    }
    double error = count < 2 ? 0 : Math.sqrt(sums.get(1) / count / (count - 1));
    return new EvaluationRecord.LoggedMean(mean, error, count, events);
  }

  private double value(DoubleBuffer reward, int number) {
    double value = 0;
    for (int row = decisions.firstRow(number); row < decisions.firstRow(number + 1); row++) {
      value += reward.get(row);
    }
    return value;
  }

  /** What was wanted and could not be known, in words. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (files.lacks(LogColumns.DIVERGENCE)) {
      notes.add(
          "the log does not have every candidate's propensity: support, divergence and the weights"
              + " of clusters and slates are not known");
      return notes;
    }
    if (files.lacks(LogColumns.SLOT_WEIGHT)) {
      notes.add(
          "iips is left out: a policy gives a chance to fewer items than there are positions, or"
              + " slates had rules to keep to");
    }
    if (files.lacks(LogColumns.SLATE_WEIGHT)) {
      notes.add(
          "the pseudo-inverse estimator is left out: there are too many slates to count, or the log"
              + " says nothing of some that the policy shows");
    }
    if (files.lacks(LogColumns.CLUSTER_WEIGHT)) {
      notes.add("clusters of items are left out: the log never shows some that the policy shows");
    }
    if (files.lacks(LogColumns.BALANCED_WEIGHT)) {
      notes.add(
          "weights are not balanced between the log's policies: asked again, one of them gives"
              + " other chances than it logged");
    }
    return notes;
  }
}
