package io.bellwether.loadtest.evaluation.planted;

import java.util.List;

/**
 * What became of one planted failure.
 *
 * @param verdict the gate's word, or {@code invalid-data}
 * @param found everything that was found, the diagnostic included
 */
public record PlantedResult(
    String failure, String diagnostic, String verdict, boolean named, List<String> found) {
  public PlantedResult {
    found = List.copyOf(found);
  }

  public boolean isPassed() {
    return verdict.equals(Outcome.PASS);
  }

  /** Whether the failure was caught: by its name, and without a pass. */
  public boolean isCaught() {
    return named && !isPassed();
  }
}
