/**
 * Each subject's recent past, kept online for serving. {@link
 * io.bellwether.ingestion.history.KeepHistory} holds the newest items of a subject as Flink state
 * and emits the whole value whenever it changes; {@link io.bellwether.ingestion.redis.RedisSink}
 * writes it to Redis, where the latest value wins.
 */
@NullMarked
package io.bellwether.ingestion.history;

import org.jspecify.annotations.NullMarked;
