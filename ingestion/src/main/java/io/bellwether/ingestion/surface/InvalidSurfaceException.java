package io.bellwether.ingestion.surface;

import java.util.List;
import java.util.stream.Collectors;

/** A surface file that was refused, with every mistake that was found in it. */
public final class InvalidSurfaceException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String file;
  private final transient List<Problem> problems;

  InvalidSurfaceException(String file, List<Problem> problems) {
    super(
        problems.stream()
            .map(p -> file + ": " + p)
            .collect(Collectors.joining(System.lineSeparator())));
    this.file = file;
    this.problems = List.copyOf(problems);
  }

  public String file() {
    return file;
  }

  /** At least one, in the order of lines. */
  public List<Problem> problems() {
    return problems;
  }
}
