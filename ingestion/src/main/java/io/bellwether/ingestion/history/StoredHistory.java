package io.bellwether.ingestion.history;

/**
 * A value for Redis; the latest one of a key wins.
 *
 * @param value as {@link io.bellwether.ingestion.feature.SubjectHistory#fromBytes} reads it
 */
public record StoredHistory(String key, byte[] value) {}
