/**
 * What a training run was told and what it read, kept with the version that came of it, so that the
 * run can be repeated. Read {@link io.bellwether.trainer.recipe.Recipe} first.
 */
@NullMarked
package io.bellwether.trainer.recipe;

import org.jspecify.annotations.NullMarked;
