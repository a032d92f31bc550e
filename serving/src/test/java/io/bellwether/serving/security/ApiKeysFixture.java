package io.bellwether.serving.security;

import io.bellwether.serving.Fixtures;
import java.util.Map;

/** Keys for tests of other packages. */
public final class ApiKeysFixture {

  private ApiKeysFixture() {}

  /** The service's keys, separated by commas. */
  public static ApiKeys of(String keys) {
    return new ApiKeys(Fixtures.config(Map.of("bellwether.api-keys", keys)));
  }
}
