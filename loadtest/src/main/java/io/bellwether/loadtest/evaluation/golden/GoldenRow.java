package io.bellwether.loadtest.evaluation.golden;

import java.util.OptionalDouble;

/**
 * One reference number with what was found in its place.
 *
 * @param path of the number in its file, a JSON pointer
 * @param found empty where nothing could be computed
 * @param tolerance largest difference that still counts as equal, absolute
 * @param reason why nothing was found, or empty
 */
public record GoldenRow(
    String file,
    String path,
    double expected,
    OptionalDouble found,
    double tolerance,
    String reason) {

  public boolean isEqual() {
    return found.isPresent() && Math.abs(found.getAsDouble() - expected) <= tolerance;
  }
}
