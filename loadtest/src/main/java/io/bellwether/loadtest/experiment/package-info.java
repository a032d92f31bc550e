/**
 * Measures whether experiments can be trusted: simulated ones, drawn by the thousand, and planted
 * policies that a running service has to ship or to take back by itself. Read {@link
 * io.bellwether.loadtest.experiment.ExperimentBenchmark} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.experiment;
