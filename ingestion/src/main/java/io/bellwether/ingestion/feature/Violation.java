package io.bellwether.ingestion.feature;

/**
 * One thing that is wrong with what a caller sent.
 *
 * @param code slug for machines: {@code invalid-request}, {@code unknown-field}, {@code
 *     value-out-of-range} or {@code too-many-candidates}
 * @param pointer JSON pointer, as a URI fragment, to what was found: {@code #/context/hour}
 * @param detail what was found and what would be right
 */
public record Violation(String code, String pointer, String detail) {}
