package io.bellwether.trainer.imports;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What came of one import. Immutable.
 *
 * @param logs one entry per log that was written, in the order of their names
 */
public record ImportReport(List<Log> logs) {

  public ImportReport {
    logs = List.copyOf(logs);
  }

  /**
   * One imported log.
   *
   * @param name name of the log: its logging policy and its campaign
   * @param folder the archive folder that holds its transitions
   * @param rows transitions written
   * @param rejected lines that could not be read
   * @param rejects where these lines stand with number and reason; empty when there are none
   * @param items candidates of each decision
   * @param outcomes outcomes written
   * @param minPropensity smallest logged propensity
   * @param meanInversePropensity mean of 1/p; the number of candidates, in expectation, where the
   *     propensities are right
   * @param first time of the first decision
   * @param last time of the last decision
   */
  public record Log(
      String name,
      Path folder,
      long rows,
      long rejected,
      Optional<Path> rejects,
      int items,
      long outcomes,
      double minPropensity,
      double meanInversePropensity,
      Instant first,
      Instant last) {}

  /** Transitions of all logs. */
  public long rows() {
    return logs.stream().mapToLong(Log::rows).sum();
  }

  /** Rejected lines of all logs. */
  public long rejected() {
    return logs.stream().mapToLong(Log::rejected).sum();
  }
}
