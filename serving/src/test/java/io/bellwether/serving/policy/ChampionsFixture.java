package io.bellwether.serving.policy;

import io.bellwether.serving.surface.Surfaces;

/** Champions of tests. */
public final class ChampionsFixture {

  private ChampionsFixture() {}

  /** No surface has a champion. */
  public static Champions none(Surfaces surfaces) {
    return new Champions(surfaces);
  }
}
