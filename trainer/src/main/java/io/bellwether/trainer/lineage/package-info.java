/**
 * Where a policy version came from and what came of it, and whether it comes out again. {@link
 * io.bellwether.trainer.lineage.Lineage} follows the record both ways; {@link
 * io.bellwether.trainer.lineage.Retraining} repeats a training run and compares every byte.
 */
@NullMarked
package io.bellwether.trainer.lineage;

import org.jspecify.annotations.NullMarked;
