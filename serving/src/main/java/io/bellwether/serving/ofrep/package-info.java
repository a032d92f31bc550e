/**
 * Experiments as feature flags, in the words of the OpenFeature Remote Evaluation Protocol 0.3.0:
 * {@link io.bellwether.serving.ofrep.FlagResource} takes the calls, {@link
 * io.bellwether.serving.ofrep.FlagEvaluator} finds the value, and {@link
 * io.bellwether.serving.ofrep.FlagService} logs who met it. The protocol is not final, so that
 * nothing outside this package knows it, except for the shape of its failures.
 */
@NullMarked
package io.bellwether.serving.ofrep;

import org.jspecify.annotations.NullMarked;
