/**
 * The whole product as processes of this machine: platform, streams and serving on one data folder.
 * Knows what each program needs (heap, settings, order, readiness) and nothing of what they do.
 * Read {@link io.bellwether.infra.local.LocalSystem} first.
 */
@NullMarked
package io.bellwether.infra.local;

import org.jspecify.annotations.NullMarked;
