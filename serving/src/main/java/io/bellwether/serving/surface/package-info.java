/**
 * The surfaces that this service decides for, read once at the start. {@link
 * io.bellwether.serving.surface.Surfaces} holds them, {@link
 * io.bellwether.serving.surface.DeclaredSurface} is one with its encoders. A mistake in a surface
 * file stops the start with file, line and field.
 */
@NullMarked
package io.bellwether.serving.surface;

import org.jspecify.annotations.NullMarked;
