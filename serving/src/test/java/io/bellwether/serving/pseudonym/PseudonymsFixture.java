package io.bellwether.serving.pseudonym;

import java.util.List;
import java.util.Optional;

/** Pseudonyms for tests of other packages. */
public final class PseudonymsFixture {

  private PseudonymsFixture() {}

  /** Those under a key. */
  public static Pseudonyms under(String key) {
    return new Pseudonyms(Optional.of(key), List.of());
  }
}
