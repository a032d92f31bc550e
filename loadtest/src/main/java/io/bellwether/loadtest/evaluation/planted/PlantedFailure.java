package io.bellwether.loadtest.evaluation.planted;

/**
 * Something wrong with a log.
 *
 * @param name what is wrong, in words
 * @param diagnostic the finding or check that has to name it, or how its name begins
 */
record PlantedFailure(String name, String diagnostic, Evaluated evaluated) {

  /** Plants the failure and evaluates. */
  interface Evaluated {
    Outcome outcome() throws Exception;
  }
}
