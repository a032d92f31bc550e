/**
 * Every reference number of the golden files that is deterministic, computed anew through the
 * public types of {@code io.bellwether.evaluation}. Read {@link
 * io.bellwether.loadtest.evaluation.golden.GoldenComparison} first.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.evaluation.golden;
