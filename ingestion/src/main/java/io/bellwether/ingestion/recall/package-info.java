/**
 * Histories as the archive remembers them. {@link io.bellwether.ingestion.recall.HistoryRebuild}
 * writes them to Redis anew, and {@link io.bellwether.ingestion.recall.HistoryCheck} compares them
 * with what serving used.
 */
@NullMarked
package io.bellwether.ingestion.recall;

import org.jspecify.annotations.NullMarked;
