package io.bellwether.ingestion.attribution;

/**
 * An outcome that waits for its decision: state of {@link AttributeOutcomes}, public so that Flink
 * serializes it as a record.
 *
 * @param unknownAtMillis event time at which the decision counts as unknown
 */
public record Parked(Received record, long unknownAtMillis) {}
