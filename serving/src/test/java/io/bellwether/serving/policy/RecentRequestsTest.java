package io.bellwether.serving.policy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.serving.Fixtures;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RecentRequestsTest {

  private final Surfaces surfaces = Fixtures.surfaces();
  private final DeclaredSurface feed = surfaces.require("feed");
  private final FeatureLayout layout = feed.layout();
  private final AtomicLong nanos = new AtomicLong();
  private final RecentRequests recent = new RecentRequests(surfaces, nanos::get);

  @Test
  void whatIsKeptIsCopiedAndHasTheWidthsOfTheSurface() {
    float[] context = filled(layout.contextWidth() + 3, 1);
    float[] history = filled(layout.historyLength() * layout.historyWidth() + 3, 2);
    float[] items = filled(2 * layout.itemWidth() + 3, 3);
    recent.offer(feed, context, history, 2, rows(items));
    Arrays.fill(context, 9);
    RecentRequests.Encoded kept = recent.of(feed).get(0);
    assertArrayEquals(filled(layout.contextWidth(), 1), kept.context());
    assertEquals(layout.historyLength() * layout.historyWidth(), kept.history().length);
    assertArrayEquals(filled(2 * layout.itemWidth(), 3), kept.items());
  }

  @Test
  void theRingFillsAtOnceAndThenTakesOneRequestInAWhile() {
    for (int i = 0; i < RecentRequests.KEPT; i++) {
      offer(i);
    }
    assertEquals(RecentRequests.KEPT, recent.of(feed).size());
    offer(1000);
    assertTrue(!contexts().contains(1000f));
    nanos.addAndGet(Duration.ofMillis(RecentRequests.MILLIS_BETWEEN).toNanos());
    offer(1001);
    offer(1002);
    assertEquals(RecentRequests.KEPT, recent.of(feed).size());
    assertTrue(contexts().contains(1001f));
    assertTrue(!contexts().contains(1002f));
    assertTrue(!contexts().contains(0f));
  }

  @Test
  void aRequestWithoutCandidatesIsOfNoUseAndAHugeOneIsCut() {
    recent.offer(feed, context(0), history(), 0, rows(new float[0]));
    assertEquals(List.of(), recent.of(feed));
    int rows = RecentRequests.MAX_ITEM_FLOATS / layout.itemWidth() + 5;
    recent.offer(feed, context(0), history(), rows, rows(new float[rows * layout.itemWidth()]));
    int kept = recent.of(feed).get(0).items().length;
    assertTrue(kept <= RecentRequests.MAX_ITEM_FLOATS && kept % layout.itemWidth() == 0);
  }

  private void offer(int number) {
    recent.offer(feed, context(number), history(), 1, rows(new float[layout.itemWidth()]));
  }

  private RecentRequests.Rows rows(float[] items) {
    int width = layout.itemWidth();
    return (candidate, target, offset) ->
        System.arraycopy(items, candidate * width, target, offset, width);
  }

  private float[] context(float first) {
    return filled(layout.contextWidth(), first);
  }

  private float[] history() {
    return new float[layout.historyLength() * layout.historyWidth()];
  }

  private Set<Float> contexts() {
    return recent.of(feed).stream()
        .map(request -> request.context()[0])
        .collect(Collectors.toSet());
  }

  private static float[] filled(int length, float value) {
    float[] numbers = new float[length];
    Arrays.fill(numbers, value);
    return numbers;
  }
}
