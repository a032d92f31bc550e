/**
 * An endpoint that does nothing, beside which a benchmark measures the others on the same machine.
 * It is off unless {@code bellwether.noop} says otherwise.
 */
@NullMarked
package io.bellwether.serving.noop;

import org.jspecify.annotations.NullMarked;
