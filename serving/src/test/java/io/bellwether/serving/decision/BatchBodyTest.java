package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.serving.problem.Problem;
import io.bellwether.serving.problem.ProblemException;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchBodyTest {

  @Test
  void eachRequestKeepsTheBytesThatItHasAlone() {
    assertEquals(
        List.of("{ \"surface\" :\"ä🦊\" }", "{\"context\":{\"a\":[1, {}]}}", "7", "\"x\"", "null"),
        texts(" [{ \"surface\" :\"ä🦊\" } ,\n{\"context\":{\"a\":[1, {}]}},7 , \"x\",null ] "));
    assertEquals(List.of("{}", "{}"), texts("{\"decisions\":[{},{}]}"));
  }

  @Property(tries = 300)
  void whateverIsJoinedIsCutAgain(
      @ForAll("values") List<String> values, @ForAll("spaces") String space) {
    String body = "[" + space + String.join(space + "," + space, values) + space + "]";
    assertEquals(values, texts(body));
    assertEquals(values, texts("{" + space + "\"decisions\":" + space + body + "}"));
  }

  @Provide
  Arbitrary<List<String>> values() {
    ObjectMapper mapper = new ObjectMapper();
    Arbitrary<String> scalars =
        Arbitraries.oneOf(
            Arbitraries.strings().excludeChars('\ud800').map(text -> json(mapper, text)),
            Arbitraries.doubles().between(-1e300, 1e300).map(String::valueOf),
            Arbitraries.of("null", "true", "false", "-0", "{}", "[]", "1E5"));
    Arbitrary<String> nested =
        Arbitraries.lazyOf(
            () -> scalars,
            () -> scalars.list().ofMaxSize(4).map(list -> "[" + String.join(", ", list) + "]"),
            () -> scalars.list().ofMaxSize(4).map(BatchBodyTest::object));
    return nested.list().ofMinSize(1).ofMaxSize(20);
  }

  @Provide
  Arbitrary<String> spaces() {
    return Arbitraries.strings().withChars(" \t\r\n").ofMaxLength(3);
  }

  private static String object(List<String> values) {
    StringBuilder text = new StringBuilder("{");
    for (String value : values) {
      text.append(text.length() > 1 ? "," : "").append("\"k\" : ").append(value);
    }
    return text.append("}").toString();
  }

  private static String json(ObjectMapper mapper, String text) {
    try {
      return mapper.writeValueAsString(new String(text.getBytes(UTF_8), UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[",
        "[{}",
        "[{}]]",
        "[{}] {}",
        "[{},]",
        "[]",
        "{}",
        "7",
        "null",
        "{\"decisions\":{}}",
        "{\"decisions\":[{}],\"decisions\":[{}]}",
        "{\"decisions\":[{}],\"more\":1}",
        "{\"decisions\":[{}]",
        "[{\"a\":NaN}]",
        "[\"\u0001\"]",
        "\u0000[{}]"
      })
  void whatIsNoBatchIsRefusedAsAWhole(String body) {
    assertEquals(400, refused(body).status());
  }

  @Test
  void aBatchIsBounded() {
    assertEquals(100, texts("[" + String.join(",", Collections.nCopies(100, "{}")) + "]").size());
    assertEquals(
        400, refused("[" + String.join(",", Collections.nCopies(101, "{}")) + "]").status());
    assertEquals(413, refused(" ".repeat(9_000_000) + "[{}]").status());
    assertEquals(400, refused("[".repeat(100_000)).status());
  }

  @Test
  void otherEncodingsAreNoJson() {
    assertThrows(ProblemException.class, () -> BatchBody.requests("[{}]".getBytes(UTF_16)));
    assertArrayEquals("{}".getBytes(UTF_8), BatchBody.requests("[{}]".getBytes(UTF_8)).get(0));
  }

  private static List<String> texts(String body) {
    return BatchBody.requests(body.getBytes(UTF_8)).stream()
        .map(bytes -> new String(bytes, UTF_8))
        .toList();
  }

  private static Problem refused(String body) {
    return assertThrows(ProblemException.class, () -> texts(body)).problem();
  }
}
