package io.bellwether.serving.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.serving.problem.FlagFailure.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlagFailureTest {

  @ParameterizedTest
  @CsvSource({
    "INVALID_REQUEST, 400, PARSE_ERROR",
    "TARGETING_KEY_MISSING, 400, TARGETING_KEY_MISSING",
    "INVALID_CONTEXT, 400, INVALID_CONTEXT",
    "UNAUTHENTICATED, 401, GENERAL",
    "NOT_FOUND, 404, FLAG_NOT_FOUND",
    "METHOD_NOT_ALLOWED, 405, GENERAL",
    "PAYLOAD_TOO_LARGE, 413, PARSE_ERROR",
    "UNSUPPORTED_MEDIA_TYPE, 415, PARSE_ERROR",
    "RATE_LIMITED, 429, GENERAL",
    "INTERNAL, 500, GENERAL",
    "UNAVAILABLE, 500, GENERAL",
  })
  void everyProblemHasAStatusAndACodeOfTheProtocol(Slug slug, int status, ErrorCode code) {
    Problem problem = Problem.of(slug, "why");
    FlagFailure failure = FlagFailure.of("/ofrep/v1/evaluate/flags/cta", problem);
    assertEquals(new FlagFailure("cta", code, "why"), failure);
    assertEquals(status, FlagFailure.status(problem));
  }

  @ParameterizedTest
  @CsvSource({
    "/ofrep/v1/evaluate/flags/checkout-cta, checkout-cta",
    "/ofrep/v1/evaluate/flags/checkout%2Dcta, checkout-cta",
    "/ofrep/v1/evaluate/flags/a%2Fb+c, a/b+c",
    "/ofrep/v1/evaluate/flags/100%, 100%",
    "/ofrep/v1/evaluate/flags, ''",
    "/ofrep/v2, ''",
  })
  void theKeyIsTheOneInThePath(String path, String key) {
    assertEquals(key, FlagFailure.of(path, Problem.of(Slug.INTERNAL, "why")).key());
  }

  @Test
  void onlyPathsOfTheProtocolAreAnsweredInItsWords() {
    assertTrue(FlagFailure.speaks("/ofrep/v1/evaluate/flags"));
    assertFalse(FlagFailure.speaks("/v1/outcomes"));
  }
}
