package io.bellwether.ingestion.redis;

/**
 * A value for Redis; the latest one of a key and field wins. Immutable by convention: nobody
 * changes the array.
 *
 * @param field of the hash at that key; empty: the key's own value
 */
public record RedisValue(String key, String field, byte[] value) {

  /** A key's own value. */
  public static RedisValue of(String key, byte[] value) {
    return new RedisValue(key, "", value);
  }
}
