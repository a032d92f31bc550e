package io.bellwether.serving.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "{",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":1,\"a\":2}",
        "{} {}",
        "{'a':1}",
        "{\"a\":01}",
        "[[[[[[[[1]]]]]]]]"
      })
  void whatIsNotStrictJsonIsRefused(String body) {
    Problem problem = refused(body);
    assertEquals(400, problem.status());
    assertEquals("urn:bellwether:problem:invalid-request", problem.type());
  }

  @Test
  void theRefusalSaysWhere() {
    String detail = refused("{\n  \"a\": nope\n}").detail();
    assertTrue(detail.contains("line 2 column"), detail);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":NaN}", "{\"a\":1,\"a\":2}", "{} {}", "[[[[[[[[1]]]]]]]]", "{", "[1"})
  void theRefusalSaysNothingAboutTheParser(String body) {
    String detail = refused(body).detail();
    assertFalse(detail.matches(".*(`|Feature|Constraints|REDACTED).*"), detail);
  }

  @Test
  void textsAndNamesAreBounded() {
    assertEquals(1024, JsonBody.parse(quoted("x".repeat(1024)), 1 << 20).textValue().length());
    assertEquals(400, refused("\"" + "x".repeat(1025) + "\"").status());
    assertEquals(400, refused("{\"" + "x".repeat(129) + "\":1}").status());
  }

  @Test
  void aLargerBodyThanAllowedIsTooLarge() {
    Problem problem =
        assertThrows(ProblemException.class, () -> JsonBody.parse(quoted("abc"), 4)).problem();
    assertEquals(413, problem.status());
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] body = {'"', (byte) 0xC3, (byte) 0x28, '"'};
    assertThrows(ProblemException.class, () -> JsonBody.parse(body, 100));
  }

  private static byte[] quoted(String text) {
    return ("\"" + text + "\"").getBytes(UTF_8);
  }

  private static Problem refused(String body) {
    return assertThrows(ProblemException.class, () -> JsonBody.parse(body.getBytes(UTF_8), 1 << 20))
        .problem();
  }
}
