package io.bellwether.serving.scoring;

/**
 * What a version's graph gave for one request. The array is the receiver's own.
 *
 * @param logits {@code [candidates]}, all finite
 * @param queueMicros time until the run began
 * @param scoreMicros of the run, in which other requests may have been scored too
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Scored(float[] logits, int queueMicros, int scoreMicros) {}
