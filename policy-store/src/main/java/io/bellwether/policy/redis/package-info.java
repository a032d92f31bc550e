/**
 * The aliases of policies in Redis: quick to read from anywhere, and a feed that tells of moves.
 * The files of the policy store stay the truth; what is here may be late or lost and is rebuilt
 * from them. Read {@link io.bellwether.policy.redis.RedisAliasIndex}, then {@link
 * io.bellwether.policy.redis.PolicyWatcher}.
 */
@NullMarked
package io.bellwether.policy.redis;

import org.jspecify.annotations.NullMarked;
