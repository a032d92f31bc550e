/**
 * What becomes of logged decisions when a surface's declaration changes. {@link
 * io.bellwether.ingestion.evolution.SurfaceChange} says which changes the log can follow and which
 * not, and {@link io.bellwether.ingestion.evolution.LayoutTranslation} puts earlier rows into the
 * present layout.
 */
@NullMarked
package io.bellwether.ingestion.evolution;

import org.jspecify.annotations.NullMarked;
