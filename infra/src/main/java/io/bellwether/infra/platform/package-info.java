/**
 * A real single-node Kafka and a real Redis from Maven artifacts, for one machine: loopback only,
 * data under one folder, the same ports again at the next start. Production brings its own Kafka
 * and Redis instead. Read {@link io.bellwether.infra.platform.Platform} first.
 */
@NullMarked
package io.bellwether.infra.platform;

import org.jspecify.annotations.NullMarked;
