package io.bellwether.loadtest.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.people.Signal;
import java.time.Instant;

/**
 * One reaction as the product reports it. Its id is the decision's and the signal's name, so it
 * never changes.
 */
record Outcome(String decisionId, String itemId, Signal signal, double value, Instant occurredAt) {

  String id() {
    return decisionId + "-" + signal.wireName();
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("outcomeId", id());
    json.put("decisionId", decisionId);
    json.put("itemId", itemId);
    json.put("signal", signal.wireName());
    if (signal.isFlag()) {
      json.put("value", (int) value);
    } else {
      json.put("value", value);
    }
    json.put("occurredAt", occurredAt.toString());
    return json;
  }
}
