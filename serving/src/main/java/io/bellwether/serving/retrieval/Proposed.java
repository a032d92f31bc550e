package io.bellwether.serving.retrieval;

/**
 * Candidates that retrieval proposes.
 *
 * @param rows of the table that it was asked about, without repetition, the most promising first;
 *     empty where no item is left
 * @param source who proposed them: {@code all}, {@code nearest:VERSION}, {@code popularity} or
 *     {@code random}; for the log
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Proposed(int[] rows, String source) {}
