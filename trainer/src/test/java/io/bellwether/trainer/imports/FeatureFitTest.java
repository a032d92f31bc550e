package io.bellwether.trainer.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.Feature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureFitTest {

  private static final FeatureFit FIT =
      new FeatureFit(
          List.of(
              new Feature.Number("n", -1e9, 1e9),
              new Feature.Flag("f"),
              new Feature.Category("c", List.of(), 8),
              new Feature.Categories("cs", List.of(), 8, 2),
              new Feature.Vector("v", 2),
              new Feature.Category("item", List.of(), 8)));

  private final List<String> leftOut = new ArrayList<>();

  @Test
  void whatFitsIsNotCopied() throws IOException {
    ObjectNode raw = json("{'n':1.5,'f':true,'c':'x','cs':['a','b'],'v':[1,2],'item':'i'}");
    assertSame(raw, FIT.fit(raw, leftOut::add));
    assertSame(raw, FIT.fit(new LoggedDecision.Candidate("id", raw), leftOut::add));
    assertEquals(List.of(), leftOut);
  }

  @Test
  void valuesTakeTheDeclaredKindWhereTheySayTheSame() throws IOException {
    assertFits("{'n':'2.5'}", "{'n':2.5}");
    assertFits("{'n':true}", "{'n':1.0}");
    assertFits("{'f':1.0}", "{'f':true}");
    assertFits("{'f':'FALSE'}", "{'f':false}");
    assertFits("{'c':3.0}", "{'c':'3'}");
    assertFits("{'c':1e3}", "{'c':'1000'}");
    assertFits("{'c':['x']}", "{'c':'x'}");
    assertFits("{'c':true}", "{'c':'true'}");
    assertFits("{'cs':'x'}", "{'cs':['x']}");
    assertFits("{'cs':[1,'x']}", "{'cs':['1','x']}");
    assertEquals(List.of(), leftOut);
  }

  @Test
  void whatDoesNotFitIsKeptForTheEncoderToRefuse() throws IOException {
    for (String wrong :
        List.of(
            "{'n':'two'}",
            "{'n':'23f'}",
            "{'n':'NaN'}",
            "{'n':'1,5'}",
            "{'f':2}",
            "{'f':'yes'}",
            "{'c':['x','y']}",
            "{'v':[1]}")) {
      assertFits(wrong, wrong);
    }
  }

  @Test
  void whatIsNotDeclaredIsLeftOutAndNamed() throws IOException {
    ObjectNode raw = json("{'x':1,'n':2,'cs':['a','b','c']}");
    assertEquals(json("{'n':2,'cs':['a','b']}"), FIT.fit(raw, leftOut::add));
    assertEquals(List.of("x", "cs"), leftOut);
    assertEquals(3, raw.size());
  }

  @Test
  void anItemsIdIsAFeatureWhereOneIsDeclared() throws IOException {
    ObjectNode raw = json("{'n':2}");
    assertEquals(
        json("{'n':2,'item':'tea'}"),
        FIT.fit(new LoggedDecision.Candidate("tea", raw), leftOut::add));
    assertEquals(1, raw.size());
  }

  private void assertFits(String raw, String fitting) throws IOException {
    assertEquals(json(fitting), FIT.fit(json(raw), leftOut::add));
  }

  private static ObjectNode json(String text) throws IOException {
    return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
