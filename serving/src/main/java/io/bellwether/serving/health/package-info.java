/**
 * What an orchestrator asks: {@link io.bellwether.serving.health.Readiness} says whether the
 * service can decide now. It is about this process: an outage of Kafka or Redis after the start
 * does not make it unready, since that would empty the service instead of degrading it.
 */
@NullMarked
package io.bellwether.serving.health;

import org.jspecify.annotations.NullMarked;
