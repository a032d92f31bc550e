/**
 * The record of all transitions, as Parquet files by surface and day. {@link
 * io.bellwether.ingestion.archive.TransitionArchive} reads what is finished, and everything that
 * adds to it only adds files; {@link io.bellwether.ingestion.archive.ArchiveCompaction}, {@link
 * io.bellwether.ingestion.archive.ArchiveErasure} and {@link
 * io.bellwether.ingestion.archive.ArchiveRetention} take away, one at a time. A file whose name
 * starts with a dot is not finished.
 */
@NullMarked
package io.bellwether.ingestion.archive;

import org.jspecify.annotations.NullMarked;
