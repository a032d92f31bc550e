package io.bellwether.ingestion.surface;

/**
 * One mistake in a surface file.
 *
 * @param line 1-based
 * @param field path of the field: {@code constraints[0].signal}
 * @param found what stands there
 * @param right what would be right
 */
public record Problem(int line, String field, String found, String right) {

  @Override
  public String toString() {
    return "line " + line + ": " + field + ": found " + found + ", must be " + right;
  }
}
