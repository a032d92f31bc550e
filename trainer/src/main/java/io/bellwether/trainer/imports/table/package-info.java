/**
 * Tables as logs of decisions: rows of CSV, JSON lines or Parquet, of which a {@link
 * io.bellwether.trainer.imports.table.Mapping} says what each column means. {@link
 * io.bellwether.trainer.imports.table.TableImport} is where to begin. {@link
 * io.bellwether.trainer.imports.table.FeatureValues} makes a feature's value of what stands in a
 * column, for every importer of tables.
 */
@NullMarked
package io.bellwether.trainer.imports.table;

import org.jspecify.annotations.NullMarked;
