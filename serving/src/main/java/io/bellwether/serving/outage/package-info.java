/**
 * What is outside and may be away. {@link io.bellwether.serving.outage.Breaker} decides whether a
 * call is worth its wait; each caller owns one.
 */
@NullMarked
package io.bellwether.serving.outage;

import org.jspecify.annotations.NullMarked;
