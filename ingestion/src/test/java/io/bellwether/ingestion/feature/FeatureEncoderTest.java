package io.bellwether.ingestion.feature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.bellwether.ingestion.surface.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.FloatRange;
import org.junit.jupiter.api.Test;

class FeatureEncoderTest {

  private static final FeatureEncoder ENCODER =
      new FeatureEncoder(
          List.of(
              new Feature.Number("hour", 0, 23),
              new Feature.Flag("member"),
              new Feature.Category("country", List.of("de", "fr"), 1024),
              new Feature.Category("city", List.of(), 64),
              new Feature.Categories("interests", List.of("a", "b", "c"), 1024, 3),
              new Feature.Vector("taste", 2)));

  private final ObjectMapper json = new ObjectMapper();

  @Test
  void everyKindOfFeatureHasItsColumns() throws Exception {
    float[] row =
        encoded(
            """
            {"hour": 7, "member": true, "country": "fr", "interests": ["c", "a"], "taste": [0.5, -1]}
            """);

    assertArrayEquals(new float[] {7, 1, 1, 2, 0, 1, 3, 0, 0.5f, -1}, row);
  }

  @Test
  void whatIsMissingOrNullIsZeroAndMarkedSo() throws Exception {
    float[] nothing = new float[ENCODER.width()];

    assertArrayEquals(nothing, encoded("{}"));
    assertArrayEquals(nothing, encoded("{\"hour\": null, \"taste\": null}"));
    List<Violation> violations = new ArrayList<>();
    ENCODER.encode(MissingNode.getInstance(), "#/context", new float[11], 1, violations);
    assertEquals(List.of(), violations);
  }

  @Test
  void anUnlistedValueOfAListedCategoryIsUnknown() throws Exception {
    assertEquals(0, encoded("{\"country\": \"xx\"}")[3]);
  }

  @Test
  void anUnlistedCategoryIsHashedTheSameWayEverywhere() throws Exception {
    float zurich = encoded("{\"city\": \"Zürich\"}")[4];

    assertTrue(zurich >= 1 && zurich <= 64);
    assertEquals(zurich, encoded("{\"city\": \"Zürich\"}")[4]);
    assertNotEquals(zurich, encoded("{\"city\": \"Genève\"}")[4]);
  }

  @Test
  void negativeZeroIsZero() throws Exception {
    assertEquals(
        Float.floatToRawIntBits(0f), Float.floatToRawIntBits(encoded("{\"hour\": -0.0}")[0]));
  }

  @Property
  void whatIsReadWithoutATreeIsTheSame(@ForAll("objects") String text) throws Exception {
    float[] expected = new float[ENCODER.width() + 2];
    List<Violation> violations = new ArrayList<>();
    ENCODER.encode(json.readTree(text), "#", expected, 1, violations);
    float[] row = new float[ENCODER.width() + 2];
    try (JsonParser parser = json.createParser("[" + text + ",7]")) {
      parser.nextToken();
      parser.nextToken();
      assertEquals(violations.isEmpty(), ENCODER.encode(parser, row, 1));
      assertEquals(JsonToken.END_OBJECT, parser.currentToken());
      assertEquals(7, parser.nextIntValue(0));
    }
    if (violations.isEmpty()) {
      assertArrayEquals(expected, row);
    }
  }

  @Provide
  Arbitrary<String> objects() {
    List<String> values =
        List.of(
            "null",
            "true",
            "7",
            "-0.0",
            "23.5",
            "1e999",
            "123456789012345678901",
            "\"de\"",
            "\"Zürich\"",
            "[]",
            "[\"b\",\"a\"]",
            "[\"a\",\"b\",\"c\",\"a\"]",
            "[0.25,1]",
            "[1,2,3]",
            "[1,null]",
            "[1e39,2]",
            "[[1],{\"a\":2}]",
            "{\"a\":[1]}");
    Arbitrary<String> names =
        Arbitraries.of("hour", "member", "country", "city", "interests", "taste", "mood");
    return Arbitraries.maps(names, Arbitraries.of(values))
        .ofMaxSize(4)
        .map(
            fields ->
                fields.entrySet().stream()
                    .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                    .collect(Collectors.joining(",", "{", "}")));
  }

  @Test
  void aFieldThatComesTwiceIsNotReadWithoutATree() throws Exception {
    try (JsonParser parser = json.createParser("{\"hour\":1,\"hour\":1}")) {
      parser.nextToken();
      assertFalse(ENCODER.encode(parser, new float[ENCODER.width()], 0));
    }
  }

  @Test
  void eachMistakeIsNamedWhereItStands() throws Exception {
    List<Violation> violations =
        violations(
            """
            {"hour": 24, "member": 1, "country": 5, "taste": [1], "interests": ["a","b","c","a"],
             "colour": "red"}
            """);

    assertEquals(
        List.of(
            "value-out-of-range #/context/hour is 24, must be a number from 0.0 to 23.0",
            "invalid-request #/context/member is 1, must be true or false",
            "invalid-request #/context/country is 5, must be a text",
            "invalid-request #/context/taste is an array of 1, must be an array of 2 numbers",
            "invalid-request #/context/interests is an array of 4, must be an array of at most 3"
                + " texts",
            "unknown-field #/context/colour is not declared; the surface declares hour, member,"
                + " country, city, interests, taste"),
        violations.stream().map(v -> v.code() + " " + v.pointer() + " " + v.detail()).toList());
  }

  @Test
  void whatDoesNotFitAFloatIsRefused() throws Exception {
    assertEquals(1, violations("{\"taste\": [1e39, 0]}").size());
    JsonNode nan =
        JsonNodeFactory.instance.objectNode().set("hour", DoubleNode.valueOf(Double.NaN));
    List<Violation> violations = new ArrayList<>();
    ENCODER.encode(nan, "#/context", new float[ENCODER.width()], 0, violations);
    assertEquals("value-out-of-range", violations.get(0).code());
  }

  @Property
  void theOrderOfFieldsAndOfCategoriesDoesNotMatter(
      @ForAll @FloatRange(min = 0, max = 23) float hour) throws Exception {
    assertArrayEquals(
        encoded("{\"hour\": %s, \"interests\": [\"b\", \"a\"], \"member\": false}".formatted(hour)),
        encoded(
            "{\"member\": false, \"interests\": [\"a\", \"b\"], \"hour\": %s}".formatted(hour)));
  }

  private float[] encoded(String features) throws Exception {
    float[] row = new float[ENCODER.width()];
    List<Violation> violations = new ArrayList<>();
    ENCODER.encode(json.readTree(features), "#/context", row, 0, violations);
    assertEquals(List.of(), violations);
    return row;
  }

  private List<Violation> violations(String features) throws Exception {
    List<Violation> violations = new ArrayList<>();
    ENCODER.encode(json.readTree(features), "#/context", new float[ENCODER.width()], 0, violations);
    return violations;
  }
}
