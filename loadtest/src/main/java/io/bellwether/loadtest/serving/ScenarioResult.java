package io.bellwether.loadtest.serving;

import io.bellwether.loadtest.serving.ProcessUse.Pause;
import io.bellwether.loadtest.serving.ProcessUse.Threads;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What one scenario took, beside its floors. Immutable but for the distributions, which are not
 * copied.
 *
 * @param bodyBytes of a request, on average
 * @param sustained highest rate that was sustained, decisions per second
 * @param ramp how it was found
 * @param load at half of it
 * @param noop the endpoint that does nothing, at the same rate
 * @param graph the bare graph, one run after the other
 * @param use of the service's process during {@code load}
 * @param noopCpuMillis CPU time of the service per request of {@code noop}
 * @param cores of the machine
 */
record ScenarioResult(
    Scenario scenario,
    int bodyBytes,
    double sustained,
    List<Ramp.Step> ramp,
    LoadReport load,
    LoadReport noop,
    BareGraph.Times graph,
    Use use,
    double noopCpuMillis,
    int cores) {

  /**
   * What the service's process used.
   *
   * @param cpuMillis per decision
   * @param allocatedBytes on the heap per decision; empty where the JVM was not asked
   * @param threads CPU time and allocation of all threads, the busiest first
   * @param pauses stops of all threads
   * @param residentBytes at the end; 0 where it cannot be told
   */
  record Use(
      double cpuMillis,
      OptionalDouble allocatedBytes,
      List<Threads> threads,
      List<Pause> pauses,
      long residentBytes) {

    double longestPauseMillis() {
      return pauses.stream().mapToDouble(Pause::millis).max().orElse(0);
    }
  }

  ScenarioResult {
    ramp = List.copyOf(ramp);
  }

  /** The percentile of both floors together: the endpoint's and the graph's. */
  double floorMillis(double percentile) {
    return noop.latency().millis(percentile) + graph.latency().millis(percentile);
  }

  double overFloor(double percentile) {
    return load.latency().millis(percentile) / floorMillis(percentile);
  }

  /** Decisions per second if nothing took CPU time but the two floors, on all cores. */
  double allowedPerSecond() {
    return cores * 1000 / (noopCpuMillis + graph.cpuMillis());
  }

  double throughputOverFloor() {
    return sustained / allowedPerSecond();
  }
}
