/**
 * The numbers of experiments: what each unit that met a variant did, and sums of that per variant.
 * {@link io.bellwether.ingestion.metrics.UnitColumns} says what is counted of a unit. The streams
 * job knows no metric: it keeps first and second moments of all columns and distributions by {@link
 * io.bellwether.ingestion.metrics.LogBuckets}, from which a reader computes any.
 */
@NullMarked
package io.bellwether.ingestion.metrics;

import org.jspecify.annotations.NullMarked;
