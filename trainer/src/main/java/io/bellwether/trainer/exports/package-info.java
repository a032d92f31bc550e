/**
 * Archives as files for other tools: {@link io.bellwether.trainer.exports.ArchiveExport} writes
 * VW's dsjson, JSON lines that can be imported again, or a flat Parquet table with one row per
 * shown item.
 */
@NullMarked
package io.bellwether.trainer.exports;

import org.jspecify.annotations.NullMarked;
