/**
 * What the join of decisions and outcomes costs and whether it is right: a planned stream of any
 * length, shuffled, doubled and late, through the real job, beside an empty pipeline over the same
 * records. Read {@link io.bellwether.loadtest.ingestion.IngestionBenchmark} first, then {@link
 * io.bellwether.loadtest.ingestion.EventPlan}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.loadtest.ingestion;
