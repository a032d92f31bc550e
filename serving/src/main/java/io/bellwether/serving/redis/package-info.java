/**
 * Redis, as the request path reads it: {@link io.bellwether.serving.redis.RedisLink} answers within
 * a bound or says at once that it cannot. Nothing here queues while Redis is away, and nothing is
 * read from a Redis that is another one than before.
 */
@NullMarked
package io.bellwether.serving.redis;

import org.jspecify.annotations.NullMarked;
