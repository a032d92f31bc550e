/**
 * The event contract: Avro records for decisions, outcomes and transitions, for exposures and the
 * numbers of experiments, their bytes, and the topics that carry them. {@link
 * io.bellwether.ingestion.event.EventCodec} reads every version of a record that was ever written;
 * {@link io.bellwether.ingestion.event.Topics} names the topics and their keys. The record classes
 * are generated from the schemas beside this source.
 */
@NullMarked
package io.bellwether.ingestion.event;

import org.jspecify.annotations.NullMarked;
