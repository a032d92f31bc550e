/**
 * How long it takes from files to estimates with intervals, and how much memory, beside the same
 * work in NumPy; each in a process of its own. Read {@link
 * io.bellwether.loadtest.evaluation.speed.SpeedComparison} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.evaluation.speed;
