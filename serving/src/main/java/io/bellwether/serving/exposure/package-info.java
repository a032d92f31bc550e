/**
 * Who met which variant of an experiment. {@link io.bellwether.serving.exposure.Exposures} says
 * what an exposure is, {@link io.bellwether.serving.exposure.ExposureLog} sends it, {@link
 * io.bellwether.serving.exposure.Deferred} keeps it until the product shows what was decided, and
 * {@link io.bellwether.serving.exposure.ShadowScorer} scores what is never shown.
 */
@NullMarked
package io.bellwether.serving.exposure;

import org.jspecify.annotations.NullMarked;
