package io.bellwether.policy.scoring;

import static io.bellwether.policy.scoring.PolicyGraphs.SCHEMA;
import static io.bellwether.policy.scoring.PolicyGraphs.WITHOUT_HISTORY;
import static io.bellwether.policy.scoring.PolicyGraphs.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.bellwether.policy.schema.FeatureSchema;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScorerTest {

  @ParameterizedTest
  @CsvSource({"1,1", "1,2", "1,1000", "2,7", "7,20", "32,1", "32,500"})
  void raggedBatchesAgreeWithPlainJava(int requests, int mostCandidates) {
    for (FeatureSchema schema : List.of(SCHEMA, WITHOUT_HISTORY)) {
      PolicyGraphs.Weights weights = PolicyGraphs.weights(schema, 3);
      ScoringBatch batch = new ScoringBatch(schema);
      for (int r = 0; r < requests; r++) {
        batch.add(context(schema, r), history(schema, r), items(schema, r, mostCandidates));
      }
      try (Scorer scorer = Scorer.open(PolicyGraphs.graph(schema, 3), schema)) {
        ScoredBatch scored = scorer.score(batch);
        assertEquals(requests, scored.requests());
        for (int r = 0; r < requests; r++) {
          float[] items = items(schema, r, mostCandidates);
          assertEquals(items.length / schema.itemWidth(), scored.to(r) - scored.from(r));
          for (int i = scored.from(r); i < scored.to(r); i++) {
            int start = (i - scored.from(r)) * schema.itemWidth();
            double[] expected =
                weights.forward(
                    context(schema, r),
                    history(schema, r),
                    Arrays.copyOfRange(items, start, start + schema.itemWidth()));
            assertEquals(expected[0], scored.logits()[i], 1e-5);
            for (int s = 0; s < schema.signals().size(); s++) {
              assertEquals(expected[1 + s], scored.value(i, s), 1e-5);
            }
          }
        }
      }
    }
  }

  @Test
  void aBatchCanBeUsedAgain() {
    ScoringBatch batch = new ScoringBatch(SCHEMA);
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA)) {
      batch.add(context(SCHEMA, 0), history(SCHEMA, 0), items(SCHEMA, 0, 300));
      scorer.score(batch);
      batch.clear();
      batch.add(context(SCHEMA, 1), history(SCHEMA, 1), items(SCHEMA, 1, 20));
      ScoringBatch fresh = new ScoringBatch(SCHEMA);
      fresh.add(context(SCHEMA, 1), history(SCHEMA, 1), items(SCHEMA, 1, 20));
      assertArrayEquals(scorer.score(fresh).logits(), scorer.score(batch).logits());
    }
  }

  @Test
  void aRequestWithoutCandidatesHasNoRows() {
    ScoringBatch batch = new ScoringBatch(SCHEMA);
    batch.beginRequest(context(SCHEMA, 0), history(SCHEMA, 0));
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA)) {
      assertEquals(0, scorer.score(batch).logits().length);
      batch.add(context(SCHEMA, 1), history(SCHEMA, 1), items(SCHEMA, 1, 5));
      ScoredBatch scored = scorer.score(batch);
      assertEquals(scored.from(0), scored.to(0));
      assertTrue(scored.to(1) > scored.from(1));
    }
  }

  @Test
  void aRefusedRequestLeavesTheBatchAsItWas() {
    ScoringBatch batch = new ScoringBatch(SCHEMA);
    batch.add(context(SCHEMA, 0), history(SCHEMA, 0), items(SCHEMA, 0, 5));
    int candidates = batch.candidates();
    refused(() -> batch.add(new float[4], history(SCHEMA, 0), new float[6]), "context holds 4");
    refused(() -> batch.add(new float[5], new float[1], new float[6]), "history holds 1");
    refused(() -> batch.add(new float[5], history(SCHEMA, 0), new float[7]), "items hold 7");
    assertEquals(1, batch.requests());
    assertEquals(candidates, batch.candidates());
  }

  @Test
  void aBatchOfAnotherSchemaIsRefused() {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA)) {
      refused(() -> scorer.score(new ScoringBatch(WITHOUT_HISTORY)), "beef");
    }
  }

  @Test
  void metadataOfTheExporterIsReadable() {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA)) {
      assertEquals("f00d", scorer.metadata().get("bellwether.feature_schema_sha256"));
    }
  }

  @Test
  void warmUpAcceptsAGraphThatWorksAtEverySize() {
    try (Scorer scorer = Scorer.open(PolicyGraphs.graph(SCHEMA, 3), SCHEMA)) {
      scorer.warmUp();
    }
  }

  @Test
  void warmUpRefusesAGraphWhoseRowsDependOnTheBatch() {
    ModelProto.Builder model = model();
    model
        .getGraphBuilder()
        .removeNode(nodeNamed(model, "logits"))
        .addNode(PolicyGraphs.node("Shape", List.of("request"), "length"))
        .addNode(
            PolicyGraphs.node("Cast", List.of("length"), "size").toBuilder()
                .addAttribute(
                    AttributeProto.newBuilder()
                        .setName("to")
                        .setType(AttributeProto.AttributeType.INT)
                        .setI(TensorProto.DataType.FLOAT.getNumber())))
        .addNode(PolicyGraphs.node("Add", List.of("bare", "size"), "logits"));
    try (Scorer scorer = Scorer.open(model.build().toByteArray(), SCHEMA)) {
      ScoringException e = assertThrows(ScoringException.class, scorer::warmUp);
      assertTrue(e.toString().contains("a single row gives"), e.getMessage());
    }
  }

  @Test
  void warmUpRefusesNumbersThatAreNotFinite() {
    ModelProto.Builder model = model();
    model
        .getGraphBuilder()
        .removeNode(nodeNamed(model, "logits"))
        .addNode(PolicyGraphs.node("Log", List.of("bare"), "logits"));
    try (Scorer scorer = Scorer.open(model.build().toByteArray(), SCHEMA)) {
      assertThrows(ScoringException.class, scorer::warmUp);
    }
  }

  @Test
  void aFrozenAxisIsRefused() {
    mismatch(
        model -> replaceInput(model, PolicyGraphs.value("items", TensorProto.DataType.FLOAT, 1, 6)),
        "input items: expected float [any, 6], found float [1, 6]");
  }

  @Test
  void aMisnamedInputIsRefused() {
    mismatch(
        model -> {
          int index = indexOfInput(model, "items");
          model.getGraphBuilder().getInputBuilder(index).setName("items1");
          int node = nodeNamed(model, "fromItems");
          model.getGraphBuilder().getNodeBuilder(node).setInput(0, "items1");
        },
        "input items: expected float [any, 6], found none among [context, history, items1,"
            + " request]",
        "input items1: expected none, found float [any, 6]");
  }

  @Test
  void anInputOfDoublesIsRefused() {
    mismatch(
        model -> {
          replaceInput(
              model, PolicyGraphs.value("items", TensorProto.DataType.DOUBLE, "candidates", 6));
          int node = nodeNamed(model, "fromItems");
          model.getGraphBuilder().getNodeBuilder(node).setInput(0, "narrowed");
          model
              .getGraphBuilder()
              .addNode(
                  0,
                  PolicyGraphs.node("Cast", List.of("items"), "narrowed").toBuilder()
                      .addAttribute(
                          AttributeProto.newBuilder()
                              .setName("to")
                              .setType(AttributeProto.AttributeType.INT)
                              .setI(TensorProto.DataType.FLOAT.getNumber())));
        },
        "input items: expected float [any, 6], found double [any, 6]");
  }

  @Test
  void anOutputThatIsMissingOrTooWideIsRefused() {
    FeatureSchema three = new FeatureSchema("f00d", 5, 3, 4, 6, List.of("a", "b", "c"));
    GraphMismatchException wide =
        assertThrows(
            GraphMismatchException.class, () -> Scorer.open(PolicyGraphs.graph(SCHEMA, 3), three));
    assertTrue(
        wide.toString().contains("output values: expected float [any, 3], found float [any, 2]"),
        wide.getMessage());
    FeatureSchema none = new FeatureSchema("f00d", 5, 3, 4, 6, List.of());
    GraphMismatchException missing =
        assertThrows(
            GraphMismatchException.class, () -> Scorer.open(PolicyGraphs.graph(none, 3), SCHEMA));
    assertTrue(missing.toString().contains("output values: expected float [any, 2], found none"));
  }

  @Test
  void bytesThatAreNoGraphAreRefused() {
    assertThrows(ScoringException.class, () -> Scorer.open(new byte[] {1, 2, 3}, SCHEMA));
    byte[] whole = PolicyGraphs.graph(SCHEMA, 3);
    byte[] truncated = Arrays.copyOf(whole, whole.length * 4 / 5);
    assertThrows(ScoringException.class, () -> Scorer.open(truncated, SCHEMA));
  }

  private static void mismatch(Consumer<ModelProto.Builder> spoil, String... phrases) {
    ModelProto.Builder model = model();
    spoil.accept(model);
    GraphMismatchException e =
        assertThrows(
            GraphMismatchException.class, () -> Scorer.open(model.build().toByteArray(), SCHEMA));
    for (String phrase : phrases) {
      assertTrue(e.toString().contains(phrase), e.getMessage());
    }
  }

  private static ModelProto.Builder model() {
    return PolicyGraphs.model(SCHEMA, PolicyGraphs.weights(SCHEMA, 3));
  }

  private static void replaceInput(ModelProto.Builder model, ValueInfoProto input) {
    model.getGraphBuilder().setInput(indexOfInput(model, input.getName()), input);
  }

  private static int indexOfInput(ModelProto.Builder model, String name) {
    for (int i = 0; i < model.getGraph().getInputCount(); i++) {
      if (model.getGraph().getInput(i).getName().equals(name)) {
        return i;
      }
    }
    throw new AssertionError("no input " + name);
  }

  private static int nodeNamed(ModelProto.Builder model, String name) {
    for (int i = 0; i < model.getGraph().getNodeCount(); i++) {
      if (model.getGraph().getNode(i).getName().equals(name)) {
        return i;
      }
    }
    throw new AssertionError("no node " + name);
  }

  private static void refused(Runnable call, String phrase) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.toString().contains(phrase), e.getMessage());
  }

  static float[] context(FeatureSchema schema, int request) {
    return random(100 + request, 1, schema.contextWidth());
  }

  static float[] history(FeatureSchema schema, int request) {
    return random(100 + request, 2, schema.historySize());
  }

  /** Between 1 and {@code most} candidates, {@code most} for the first request. */
  static float[] items(FeatureSchema schema, int request, int most) {
    int candidates = most - request * 3 % most;
    return random(100 + request, 3, candidates * schema.itemWidth());
  }
}
