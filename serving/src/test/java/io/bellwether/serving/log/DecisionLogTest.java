package io.bellwether.serving.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.EventCodec;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.serving.scoring.CandidateRows;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DecisionLogTest {

  private final DecisionLog log = DecisionLogFixture.alone();

  @Property(tries = 50)
  void itemsThatAreWrittenAsTheyStandGiveTheSameBytes(
      @ForAll float[] context, @ForAll @IntRange(max = 6000) int candidates) throws Exception {
    float[] items = new float[candidates * 3];
    for (int i = 0; i < items.length; i++) {
      items[i] = i * 0.5f;
    }
    CandidateRows rows = CandidateRows.of(items, 3, candidates);
    Decision decision = decision(context);
    byte[] bytes = log.encode(decision, rows.bytes(), rows::writeTo);

    Decision whole = decision(context);
    whole.setItems(Floats.toBytes(items, items.length));
    assertArrayEquals(EventCodec.of(Decision.class).encode(whole), bytes);
    assertEquals(whole, decision);
    assertEquals(whole, log.decode(bytes));
    assertArrayEquals(items, Floats.of(decision.getItems()));
  }

  private static Decision decision(float[] context) {
    Decision decision = new Decision();
    decision.setDecisionId("d");
    decision.setSurface("feed");
    decision.setSubjectId("u");
    decision.setSurfaceDigest("s");
    decision.setFeatureDigest("f");
    decision.setContext(Floats.toBytes(context, context.length));
    decision.setHistory(ByteBuffer.allocate(0));
    decision.setRawContext("{}");
    decision.setCandidateIds(List.of("a", "b"));
    decision.setLogits(ByteBuffer.allocate(8));
    decision.setSlate(List.of());
    decision.setPolicyName("p");
    decision.setPolicyVersion("v");
    decision.setMode("ONLINE");
    decision.setPropensityKind("EXACT");
    decision.setActivation("ACTIVE");
    return decision;
  }
}
