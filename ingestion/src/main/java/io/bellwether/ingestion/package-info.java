/**
 * Root of the ingestion module; start reading at {@link io.bellwether.ingestion.surface.Surface}.
 */
@org.jspecify.annotations.NullMarked
package io.bellwether.ingestion;
