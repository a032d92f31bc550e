/**
 * What a product declares about one place where decisions are made. {@link
 * io.bellwether.ingestion.surface.Surface} is the declaration; {@link
 * io.bellwether.ingestion.surface.SurfaceReader} reads it from YAML and refuses mistakes with file,
 * line and field. Everything else in Bellwether is derived from it.
 */
@NullMarked
package io.bellwether.ingestion.surface;

import org.jspecify.annotations.NullMarked;
