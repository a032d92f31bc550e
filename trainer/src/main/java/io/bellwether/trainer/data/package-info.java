/**
 * How logged transitions become the data set that a learner trains on. {@link
 * io.bellwether.trainer.data.TransitionSource} says where transitions are read from, {@link
 * io.bellwether.trainer.data.RowEncoder} turns each into compact {@link
 * io.bellwether.trainer.data.TrainingRow}s and says why not where it cannot, and {@link
 * io.bellwether.trainer.data.DataSet} puts the rows of all feeders into one canonical order that
 * depends on nothing but the data.
 */
@NullMarked
package io.bellwether.trainer.data;

import org.jspecify.annotations.NullMarked;
