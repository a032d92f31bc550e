/**
 * What becomes of decisions and outcomes while parts of the system fail: load that does not stop,
 * faults that are injected one after the other, and an account of each event from its request to
 * its transition. Read {@link io.bellwether.loadtest.chaos.ChaosBenchmark} first.
 */
@NullMarked
package io.bellwether.loadtest.chaos;

import org.jspecify.annotations.NullMarked;
