package io.bellwether.trainer.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class FiniteJsonTest {

  @Test
  void whatIsNoNumberBecomesNullWithAReason() throws Exception {
    ObjectNode tree = new ObjectMapper().createObjectNode();
    tree.put("value", Double.NaN).put("fine", 1.5);
    tree.putArray("list").addObject().put("se", Double.POSITIVE_INFINITY);
    tree.putArray("sizes").add(1.0).add(Double.NEGATIVE_INFINITY);
    FiniteJson.of(tree);
    assertTrue(tree.get("value").isNull());
    assertEquals("NOT_FINITE", tree.get("reason").textValue());
    assertEquals(1.5, tree.get("fine").doubleValue());
    assertTrue(tree.at("/list/0/se").isNull());
    assertEquals("NOT_FINITE", tree.at("/list/0/seReason").textValue());
    assertTrue(tree.at("/sizes/1").isNull());
  }
}
