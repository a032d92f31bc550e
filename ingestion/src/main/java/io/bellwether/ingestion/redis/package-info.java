/**
 * Values that jobs keep in Redis to be looked up. {@link io.bellwether.ingestion.redis.RedisSink}
 * writes the latest one of each key and survives a Redis that is away.
 */
@NullMarked
package io.bellwether.ingestion.redis;

import org.jspecify.annotations.NullMarked;
