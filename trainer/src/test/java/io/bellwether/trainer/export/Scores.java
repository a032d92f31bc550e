package io.bellwether.trainer.export;

/** What an exported graph answered: {@code logits[n]} and {@code values[n * S]}. */
@SuppressWarnings("ArrayRecordComponent")
record Scores(float[] logits, float[] values) {}
