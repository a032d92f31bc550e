package io.bellwether.loadtest.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;

/**
 * Parts of a measurement's JSON: the numbers that are compared between runs stand first, with
 * stable names, then all that they rest on below {@code details}.
 */
public final class Figures {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Figures() {}

  /** A number; null where it is not known. */
  public static void put(ObjectNode node, String name, OptionalDouble number) {
    if (number.isPresent() && Double.isFinite(number.getAsDouble())) {
      node.put(name, number.getAsDouble());
    } else {
      node.putNull(name);
    }
  }

  /** What had to be shown, and after it an empty node for all that the numbers rest on. */
  public static ObjectNode details(ObjectNode json, Measurement result) {
    json.set("requirements", MAPPER.valueToTree(result.requirements()));
    return json.putObject("details");
  }
}
