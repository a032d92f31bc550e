package io.bellwether.serving.request;

import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who says to be calling, in the header {@code Bellwether-Actor}. */
public final class Actor {

  /** The header's name. */
  public static final String HEADER = "Bellwether-Actor";

  private static final String UNNAMED = "api";
  private static final Pattern NAME =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]{0,126}[\\x21-\\x7e])?");

  private Actor() {}

  /**
   * The name in a header, {@code api} where there is none.
   *
   * @throws ProblemException 400
   */
  public static String of(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return UNNAMED;
    }
    if (!NAME.matcher(header).matches()) {
      throw ProblemException.of(
          Slug.INVALID_REQUEST,
          "The header Bellwether-Actor must be 1 to 128 printable ASCII characters.");
    }
    return header;
  }
}
