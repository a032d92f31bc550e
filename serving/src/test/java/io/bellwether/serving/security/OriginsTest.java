package io.bellwether.serving.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OriginsTest {

  private static final String HOST = "localhost:8080";

  @Test
  void withoutKeysPagesOfOthersMayNotCallUnlessTheyAreListed() {
    Origins origins =
        new Origins(
            Fixtures.config(
                Map.of(
                    "bellwether.auth", "none", "bellwether.cors-origins", "https://shop.example")));
    assertTrue(origins.isStranger("https://elsewhere.example", HOST));
    assertTrue(origins.isStranger("null", HOST));
    assertTrue(origins.isStranger("http://localhost:3000", HOST));
    assertFalse(origins.isStranger("https://shop.example", HOST));
    assertFalse(origins.isStranger("http://" + HOST, HOST));
    assertFalse(origins.isStranger(null, HOST));
  }

  @Test
  void whereAKeyIsAskedForThePageDoesNotMatter() {
    Origins origins = new Origins(Fixtures.config(Map.of("bellwether.api-keys", "secret")));
    assertFalse(origins.isStranger("https://elsewhere.example", HOST));
  }
}
