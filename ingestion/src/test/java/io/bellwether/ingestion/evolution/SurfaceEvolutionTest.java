package io.bellwether.ingestion.evolution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.ingestion.TestEvents;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SurfaceEvolutionTest {

  private static final String BEFORE =
      """
      surface: shop
      slate: {size: 2}
      context:
        - {name: age, type: number}
        - {name: city, type: category, values: [bern, rome]}
        - {name: device, type: category, buckets: 8}
      history: {last: 2, signals: [click]}
      item:
        - {name: price, type: number}
        - {name: topic, type: category, values: [news, sport]}
        - {name: brand, type: category, buckets: 8}
      signals:
        - {name: click, type: flag, window: 1h}
        - {name: paid, type: number, window: 1d}
      objective: {maximize: click}
      """;

  private static final String AFTER =
      """
      surface: shop
      slate: {size: 2}
      context:
        - {name: city, type: category, values: [oslo, rome, bern]}
        - {name: member, type: flag}
        - {name: device, type: category, buckets: 16}
      history: {last: 3, signals: [paid, click]}
      item:
        - {name: topic, type: category, values: [sport, news]}
        - {name: price, type: number}
        - {name: brand, type: category, buckets: 16}
      signals:
        - {name: click, type: flag, window: 2h}
        - {name: paid, type: number, window: 1d, aggregate: max}
        - {name: like, type: flag, window: 1d}
      objective: {maximize: like}
      """;

  private static final String CONTEXT = "{\"age\": 41, \"city\": \"rome\", \"device\": \"phone\"}";
  private static final String ITEMS =
      """
      [{"price": 3, "topic": "news", "brand": "a"}, {"price": 4, "topic": "sport", "brand": "b"}]\
      """;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void compatibleChangesAreListedWithWhatTheyMean() throws Exception {
    List<SurfaceChange> changes = SurfaceChange.between(surface(BEFORE), surface(AFTER));

    assertTrue(SurfaceChange.areCompatible(changes));
    assertEquals(
        List.of(
            "context.age",
            "context.city",
            "context.member",
            "context.device",
            "history.last",
            "history.signals",
            "item.topic",
            "item.brand",
            "item",
            "signals.click",
            "signals.paid",
            "signals.like",
            "objective"),
        changes.stream().map(SurfaceChange::field).toList());
    assertTrue(changes.get(0).words().startsWith("context.age: is dropped"));
    assertEquals(List.of(), SurfaceChange.between(surface(AFTER), surface(AFTER)));
  }

  @Test
  void retypingIsRefusedWithTheReason() throws Exception {
    for (String[] change :
        new String[][] {
          {"{name: age, type: number}", "{name: age, type: category}", "context.age"},
          {"{name: age, type: number}", "{name: age, type: flag}", "context.age"},
          {
            "{name: brand, type: category, buckets: 8}",
            "{name: brand, type: categories, buckets: 8}",
            "item.brand"
          },
          {"{name: paid, type: number, ", "{name: paid, type: flag, ", "signals.paid"},
          {"surface: shop", "surface: shop2", "surface"}
        }) {
      Surface after = surface(BEFORE.replace(change[0], change[1]));

      List<SurfaceChange> changes = SurfaceChange.between(surface(BEFORE), after);

      assertEquals(1, changes.size(), change[1]);
      assertFalse(changes.get(0).compatible());
      assertEquals(change[2], changes.get(0).field());
      assertTrue(LayoutTranslation.between(surface(BEFORE), after).isEmpty());
    }
  }

  @Test
  void translatedRowsAreWhatTheLaterLayoutWouldHaveEncoded() throws Exception {
    Surface before = surface(BEFORE);
    Surface after = surface(AFTER);
    Decision decision = decision(before, ITEMS);

    assertTrue(translation(before, after).translate(decision));

    assertEquals(FeatureLayout.of(after).digest(), decision.getFeatureDigest());
    String context = "{\"city\": \"rome\", \"device\": \"phone\"}";
    assertArrayEquals(rows(after.context(), "[" + context + "]"), Floats.of(decision.getContext()));
    assertArrayEquals(rows(after.item(), ITEMS), Floats.of(decision.getItems()));
    // valid, gap; topic sport is 1 now, price and whether it was given, brand unknown; paid, click
    assertArrayEquals(
        new float[] {
          0, 0, 0, 0, 0, 0, 0, 0, //
          0, 0, 0, 0, 0, 0, 0, 0, //
          1, 5, 1, 9, 1, 0, 0, 1
        },
        Floats.of(decision.getHistory()));
  }

  @Test
  void whatWasRegisteredIsRenumberedAsFarAsItsIdTells() throws Exception {
    Surface before = surface(BEFORE);
    Decision decision = decision(before, ITEMS);
    decision.setRawItems(null);

    assertTrue(translation(before, surface(AFTER)).translate(decision));

    assertArrayEquals(new float[] {2, 3, 1, 0, 1, 4, 1, 0}, Floats.of(decision.getItems()));
  }

  @Test
  void renumberedListsStandInTheOrderInWhichTheyWouldHaveBeenEncoded() throws Exception {
    String price = "- {name: price, type: number}";
    String tags = "- {name: tags, type: categories, max: 3, values: ";
    Surface before = surface(BEFORE.replace(price, tags + "[a, b, c, d]}\n  " + price));
    Surface after = surface(BEFORE.replace(price, tags + "[d, c, a]}\n  " + price));
    String items = "[{\"tags\": [\"a\", \"d\"]}, {\"tags\": [\"b\", \"c\", \"d\"]}]";
    Decision decision = decision(before, items);
    float[] old = Floats.of(decision.getItems());
    float[] history = new float[2 * FeatureLayout.of(before).historyWidth()];
    int width = old.length / 2;
    System.arraycopy(old, width, history, history.length - 1 - width, width);
    decision.setHistory(bytes(history));
    decision.setRawItems(null);

    assertTrue(translation(before, after).translate(decision));

    float[] encoded = rows(after.item(), items);
    assertArrayEquals(encoded, Floats.of(decision.getItems()));
    float[] shown = Floats.of(decision.getHistory());
    assertArrayEquals(
        Arrays.copyOfRange(encoded, width, 2 * width),
        Arrays.copyOfRange(shown, shown.length - 1 - width, shown.length - 1));
  }

  @Test
  void anotherSignalLeavesRowsAsTheyAre() throws Exception {
    Surface before = surface(BEFORE);
    Surface after =
        surface(
            BEFORE.replace("objective:", "  - {name: like, type: flag, window: 1d}\nobjective:"));
    Decision decision = decision(before, ITEMS);
    Decision same = decision(before, ITEMS);
    same.setFeatureDigest(FeatureLayout.of(after).digest());

    assertTrue(translation(before, after).translate(decision));
    assertEquals(same, decision);
  }

  @Test
  void rowsOfAnotherLayoutStayAsTheyAre() throws Exception {
    Decision decision = decision(surface(BEFORE), ITEMS);
    decision.setFeatureDigest("other");
    assertFalse(translation(surface(BEFORE), surface(AFTER)).translate(decision));

    Decision torn = decision(surface(BEFORE), ITEMS);
    torn.setContext(ByteBuffer.allocate(4));
    assertFalse(translation(surface(BEFORE), surface(AFTER)).translate(torn));
  }

  private static LayoutTranslation translation(Surface before, Surface after) {
    return LayoutTranslation.between(before, after).orElseThrow();
  }

  private static Decision decision(Surface surface, String items) throws Exception {
    Decision decision = TestEvents.decision("d", "s", 1_000_000);
    decision.setFeatureDigest(FeatureLayout.of(surface).digest());
    decision.setRawContext(CONTEXT);
    decision.setContext(bytes(rows(surface.context(), "[" + CONTEXT + "]")));
    decision.setRawItems(items);
    decision.setItems(bytes(rows(surface.item(), items)));
    decision.setCandidateIds(List.of("a", "b"));
    // One row of padding; then valid, gap, price, given, topic sport, brand, click.
    decision.setHistory(bytes(new float[] {0, 0, 0, 0, 0, 0, 0, 1, 5, 9, 1, 2, 7, 1}));
    return decision;
  }

  private static float[] rows(List<Feature> features, String json) throws Exception {
    FeatureEncoder encoder = new FeatureEncoder(features);
    var rows = MAPPER.readTree(json);
    float[] all = new float[rows.size() * encoder.width()];
    for (int i = 0; i < rows.size(); i++) {
      List<Violation> violations = new ArrayList<>();
      encoder.encode(rows.get(i), "", all, i * encoder.width(), violations);
      assertEquals(List.of(), violations);
    }
    return all;
  }

  private static ByteBuffer bytes(float[] values) {
    return Floats.toBytes(values, values.length);
  }

  private static Surface surface(String yaml) throws Exception {
    return new SurfaceReader().parse("shop.yaml", yaml.getBytes(UTF_8));
  }
}
