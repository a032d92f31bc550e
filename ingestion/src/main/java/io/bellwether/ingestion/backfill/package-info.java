/**
 * Joining once more what Kafka still holds, beside the job that runs. {@link
 * io.bellwether.ingestion.backfill.Backfill} is the way in.
 */
@NullMarked
package io.bellwether.ingestion.backfill;

import org.jspecify.annotations.NullMarked;
