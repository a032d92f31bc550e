package io.bellwether.serving.ofrep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.Fixtures;
import io.bellwether.serving.problem.FlagFailure;
import io.bellwether.serving.problem.FlagFailure.ErrorCode;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.surface.DeclaredSurface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluationContextTest {

  private static final DeclaredSurface FEED = DeclaredSurface.of(Fixtures.feed());

  @Test
  void whatTheSurfaceDeclaresIsKeptAndTheRestIsNot() {
    EvaluationContext context =
        read(
            "{'context':{'targetingKey':'ü','app':{'version':[1,{'a':2}]},'hour':7,"
                + "'seen':'2026-11-30T04:00:00Z','country':'fi','taste':null},'extension':1}");
    assertEquals("ü", context.targetingKey());
    assertEquals("{\"country\":\"fi\",\"hour\":7}", context.attributes(FEED).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'context':null}",
        "{'context':{}}",
        "{'context':{'targetingKey':null}}",
        "{'context':{'targetingKey':''}}",
        "{'context':{'targetingKey':' '}}"
      })
  void aClientMayNameNobody(String body) {
    assertNull(read(body).targetingKey());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'context':                              | PARSE_ERROR
          ``                                       | PARSE_ERROR
          []                                       | PARSE_ERROR
          {'context':{'hour':NaN}}                 | PARSE_ERROR
          {'context':{'a':1,'a':2}}                | PARSE_ERROR
          {'context':'u'}                          | INVALID_CONTEXT
          {'context':{'targetingKey':7}}           | INVALID_CONTEXT
          {'context':{'targetingKey':'\\ud800'}}   | INVALID_CONTEXT
          {'context':{'hour':'seven'}}             | INVALID_CONTEXT
          {'context':{'hour':24}}                  | INVALID_CONTEXT
          {'context':{'taste':[1,2,3]}}            | INVALID_CONTEXT
          """)
  void whatIsWrongIsSaidInTheProtocolsWords(String body, ErrorCode code) {
    ProblemException refusal =
        assertThrows(ProblemException.class, () -> read(body).attributes(FEED));
    assertEquals(400, refusal.problem().status());
    assertEquals(code, FlagFailure.ofFlag("k", refusal.problem()).errorCode());
    if (code == ErrorCode.INVALID_CONTEXT) {
      assertTrue(refusal.problem().detail().startsWith("#/context"), refusal.problem().detail());
    }
  }

  @Test
  void aSubjectsIdIsAsLongAsElsewhere() {
    assertEquals("a".repeat(256), read(of("a".repeat(256))).targetingKey());
    assertThrows(ProblemException.class, () -> read(of("a".repeat(257))));
  }

  private static String of(String subject) {
    return "{'context':{'targetingKey':'" + subject + "'}}";
  }

  private static EvaluationContext read(String body) {
    return EvaluationContext.read(body.replace('\'', '"').getBytes(UTF_8));
  }
}
