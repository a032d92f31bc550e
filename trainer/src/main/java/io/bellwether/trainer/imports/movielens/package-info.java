/**
 * MovieLens as a log: {@link io.bellwether.trainer.imports.movielens.MovieLensImport}. Nobody knows
 * what could have been shown nor with what chance, so it has no propensities: a source for
 * simulations, not for evaluation.
 */
@NullMarked
package io.bellwether.trainer.imports.movielens;

import org.jspecify.annotations.NullMarked;
