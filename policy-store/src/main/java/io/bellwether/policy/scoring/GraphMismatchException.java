package io.bellwether.policy.scoring;

import java.util.List;

/** A graph whose inputs or outputs are not those of its feature schema. */
public final class GraphMismatchException extends RuntimeException {

  private static final long serialVersionUID = 1;

  GraphMismatchException(List<String> mismatches) {
    super("the graph does not fit its feature schema: " + String.join("; ", mismatches));
  }
}
