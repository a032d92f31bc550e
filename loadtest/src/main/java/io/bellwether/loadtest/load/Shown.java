package io.bellwether.loadtest.load;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The part of a decision's answer that the product uses: the video for its only position, and who
 * chose it.
 *
 * @param policyVersion empty when no policy did
 */
record Shown(String itemId, String policyVersion, boolean degraded) {

  static Shown of(String decisionId, Answer answer) throws UndeliveredException {
    JsonNode body = answer.body();
    JsonNode itemId = body.at("/slate/0/candidateId");
    if (!itemId.isTextual()) {
      throw new UndeliveredException(
          "The answer to decision " + decisionId + " shows nothing: " + body);
    }
    return new Shown(
        itemId.asText(),
        body.at("/policy/version").asText(""),
        body.path("status").asText().equals("DEGRADED"));
  }
}
