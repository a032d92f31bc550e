package io.bellwether.serving.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApiKeysTest {

  @Test
  void eachKeyIsAcceptedAndNothingElse() {
    ApiKeys keys = new ApiKeys(Fixtures.config(Map.of("bellwether.api-keys", "old,nëw")));
    assertTrue(keys.accept("old"));
    assertTrue(keys.accept("nëw"));
    assertFalse(keys.accept("new"));
    assertFalse(keys.accept(""));
    assertFalse(keys.open());
  }

  @Test
  void onlyAdminKeysHaveTheScopeAndTheyMayCallToo() {
    ApiKeys keys =
        new ApiKeys(
            Fixtures.config(Map.of("bellwether.api-keys", "one", "bellwether.admin-keys", "two")));
    assertTrue(keys.accept("one") && keys.accept("two"));
    assertTrue(keys.admin("two"));
    assertFalse(keys.admin("one") || keys.admin(""));
  }

  @Test
  void withoutAnyKeyTheServiceDoesNotStart() {
    assertThrows(IllegalStateException.class, () -> new ApiKeys(Fixtures.config(Map.of())));
  }

  @Test
  void anybodyMayCallWhereThatIsSaid() {
    ApiKeys keys = new ApiKeys(Fixtures.config(Map.of("bellwether.auth", "none")));
    assertTrue(keys.open() && keys.adminOpen());
  }

  @Test
  void theScopeAdminTakesItsKeyWhereOneIsSet() {
    ApiKeys keys =
        new ApiKeys(
            Fixtures.config(Map.of("bellwether.auth", "none", "bellwether.admin-keys", "two")));
    assertTrue(keys.open() && keys.admin("two"));
    assertFalse(keys.adminOpen());
  }
}
