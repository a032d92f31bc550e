/**
 * The record of all transitions, as Parquet files by surface and day. {@link
 * io.bellwether.ingestion.archive.TransitionArchive} reads what is finished, {@link
 * io.bellwether.ingestion.archive.TransitionArchiveWriter} writes files without a stream, and
 * {@link io.bellwether.ingestion.archive.ArchiveSink} writes them from one, exactly once. A file
 * whose name starts with a dot is not finished.
 */
@NullMarked
package io.bellwether.ingestion.archive;

import org.jspecify.annotations.NullMarked;
