package io.bellwether.serving.retrieval;

import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.scoring.CounterRandom;
import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.item.CatalogueFixture;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a large catalogue costs: memory of items and index, time to build, time of a proposal with
 * and without filter, and recall against an exact search. Items have 32 floats, in 200 groups, and
 * their ids 36 characters; towers take the floats as they are.
 *
 * <p>Run with the number of items (a million where none is given), a heap of 3 GiB and nothing else
 * on the machine.
 */
public final class RetrievalBenchmark {

  private static final int WIDTH = 32;
  private static final int GROUPS = 200;
  private static final double SPREAD = 0.7;
  private static final int PROPOSALS = 2000;
  private static final int CANDIDATES = 100;
  private static final int RECALL_OF = 100;

  private static final String FILE =
      """
      surface: large
      slate: { size: 6, candidates: { max: 200 } }
      context:
        - { name: wish, type: vector, size: 32 }
      item:
        - { name: place, type: vector, size: 31 }
        - { name: brand, type: category }
      signals:
        - { name: buy, type: flag, window: 1h }
      objective: { maximize: buy }
      retrieval: { embedding: 31 }
      """;

  private final Surfaces surfaces;
  private final DeclaredSurface surface;
  private final Catalogue catalogue;

  private RetrievalBenchmark() throws InvalidSurfaceException {
    surfaces =
        new Surfaces(
            List.of(
                new SurfaceReader().parse("large.yaml", FILE.getBytes(StandardCharsets.UTF_8))));
    surface = surfaces.require("large");
    catalogue = CatalogueFixture.of(surfaces, Map.of());
  }

  public static void main(String[] arguments) throws InvalidSurfaceException {
    int items = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
    new RetrievalBenchmark().run(items);
  }

  private void run(int items) {
    long empty = usedMegabytes();
    long from = System.nanoTime();
    CatalogueFixture.fill(catalogue, items, this::item);
    tell("items %d, read in %.1f s", items, seconds(from));
    long withItems = usedMegabytes();
    tell("memory of items %d MiB", withItems - empty);
    from = System.nanoTime();
    CatalogueFixture.put(catalogue, "large/one-more", "{'features':{'brand':'b1'}}");
    tell("one registration more shown after %.3f ms", 1000 * seconds(from));

    ItemTable table = catalogue.items(surface);
    RetrievalTowers towers = TestTowers.of(surface, 0, WIDTH - 1);
    NearestItems index =
        Objects.requireNonNull(NearestItems.of("v1", table, towers, Instant.EPOCH, () -> false));
    long withIndex = usedMegabytes();
    tell("index built in %.1f s on one thread", index.buildSeconds());
    tell("memory of index %d MiB, both %d MiB", withIndex - withItems, withIndex - empty);

    index.measure(queries(64), RECALL_OF);
    tell("recall@%d against an exact search %s", RECALL_OF, Objects.requireNonNull(index.recall()));
    from = System.nanoTime();
    index.measure(queries(16), RECALL_OF);
    tell("an exact search and a graph search %.2f ms", 1000 * seconds(from) / 16);

    Retrieval retrieval =
        new Retrieval(
            surfaces,
            catalogue,
            new RetrievalFixture.One(index),
            new Popularity(surfaces, Clock.systemUTC()),
            Clock.systemUTC());
    retrieval.refresh();
    propose(retrieval, table, ItemFilter.NONE, "no filter");
    propose(retrieval, table, brands(50), "half of the items");
    propose(retrieval, table, brands(5), "a twentieth of the items");
    ItemFilter new1 = brands(1);
    from = System.nanoTime();
    Matches found = Matches.of(table, new1.conditions(), null);
    tell("a condition over all items %.1f ms, %d match", 1000 * seconds(from), found.count());
    propose(retrieval, table, new1, "a hundredth of the items");
  }

  private static ItemFilter brands(int count) {
    List<String> brands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      brands.add("b" + i);
    }
    return new ItemFilter(List.of(new ItemFilter.Condition.OneOf(1, brands)), Set.of());
  }

  private void propose(Retrieval retrieval, ItemTable table, ItemFilter filter, String what) {
    List<RecentQueries.Asked> queries = queries(PROPOSALS);
    double[] micros = new double[PROPOSALS];
    String source = "";
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < PROPOSALS; i++) {
        RecentQueries.Asked asked = queries.get(i);
        long from = System.nanoTime();
        Proposed proposed =
            retrieval.propose(
                surface, table, filter, asked.context(), asked.history(), "v1", CANDIDATES, i);
        micros[i] = (System.nanoTime() - from) / 1e3;
        source = proposed.source();
      }
    }
    Arrays.sort(micros);
    tell(
        "proposal of %d, %s (%s): p50 %.0f us, p99 %.0f us",
        CANDIDATES, what, source, micros[PROPOSALS / 2], micros[PROPOSALS * 99 / 100]);
  }

  private List<RecentQueries.Asked> queries(int count) {
    List<RecentQueries.Asked> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      float[] context = new float[WIDTH];
      for (int column = 0; column < WIDTH - 1; column++) {
        context[column] = place(1_000_000_000 + i, column);
      }
      queries.add(new RecentQueries.Asked(context, new float[0]));
    }
    return queries;
  }

  /** A record of the topic, as registration writes it. */
  private String item(int item) {
    StringBuilder json = new StringBuilder("{\"features\":{\"place\":[");
    for (int column = 0; column < WIDTH - 1; column++) {
      json.append(column == 0 ? "" : ",").append(place(item, column));
    }
    return json.append("],\"brand\":\"b").append(item % 100).append("\"}}").toString();
  }

  private static float place(int item, int column) {
    int group = (int) (GROUPS * CounterRandom.uniform(1, 1, item, 0, 0));
    return (float)
        (CounterRandom.normal(1, 2, group, column, 0)
            + SPREAD * CounterRandom.normal(1, 3, item, column, 0));
  }

  private static long usedMegabytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }

  private static double seconds(long fromNanos) {
    return (System.nanoTime() - fromNanos) / 1e9;
  }

  private static void tell(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
