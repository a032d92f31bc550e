/**
 * Learners in the simulated world of short videos, where the truth is known: the log they learn
 * from, the policy they leave behind, and what it is truly worth beside the logging policy. Read
 * {@link io.bellwether.loadtest.learning.bsim.SimulatedTask} first, then {@link
 * io.bellwether.loadtest.learning.bsim.SimulatedLog} and {@link
 * io.bellwether.loadtest.learning.bsim.TrueRatios}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.learning.bsim;
