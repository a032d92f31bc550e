/**
 * Refusals, as RFC 9457 problem details: {@link io.bellwether.serving.problem.Problem} is one,
 * {@link io.bellwether.serving.problem.ProblemException} carries it to the edge, and {@link
 * io.bellwether.serving.problem.Slug} lists the kinds. Every answer of the native interface that is
 * not a success has this shape, also where the framework refused; where flags are evaluated it has
 * that of {@link io.bellwether.serving.problem.FlagFailure}.
 */
@NullMarked
package io.bellwether.serving.problem;

import org.jspecify.annotations.NullMarked;
