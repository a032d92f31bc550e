/**
 * Scored logs on disk, as columns of fixed width that are mapped into memory where they are read.
 * {@link io.bellwether.trainer.columns.LogColumns} says which columns a log has, {@link
 * io.bellwether.trainer.columns.ColumnWriter} writes them, and {@link
 * io.bellwether.trainer.columns.ColumnFiles} maps them.
 */
@NullMarked
package io.bellwether.trainer.columns;

import org.jspecify.annotations.NullMarked;
