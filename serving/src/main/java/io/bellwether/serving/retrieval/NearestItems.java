package io.bellwether.serving.retrieval;

import io.bellwether.policy.scoring.RetrievalTowers;
import io.bellwether.serving.item.ItemTable;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the items of one table that one version's towers hold nearest to a request. Thread-safe.
 * Owns the towers: whoever searches holds it, and it closes after its last use. Items that were
 * registered after its table are not found; those that changed are found where they were.
 */
final class NearestItems {

  /** Few enough to be looked at one by one, which takes as long as a search and misses none. */
  private static final int ONE_BY_ONE = 3000;

  /** Rows in view for each row that is wanted. */
  private static final double WIDTH = 2;

  private final String version;
  private final ItemTable table;
  private final RetrievalTowers towers;
  private final Embeddings embeddings;
  private final NeighbourGraph graph;
  private final Instant builtAt;
  private final double buildSeconds;
  private volatile @Nullable Recall recall;

  /** Holders, of which the owner is the first. */
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * How much of what an exact search finds is found.
   *
   * @param share of the nearest {@code k}, mean over the queries
   * @param queries how many were tried
   * @param ofRequests whether they are recent requests'; otherwise items stand for them
   */
  record Recall(double share, int k, int queries, boolean ofRequests) {}

  private NearestItems(
      String version,
      ItemTable table,
      RetrievalTowers towers,
      Embeddings embeddings,
      NeighbourGraph graph,
      Instant builtAt,
      double buildSeconds) {
    this.version = version;
    this.table = table;
    this.towers = towers;
    this.embeddings = embeddings;
    this.graph = graph;
    this.builtAt = builtAt;
    this.buildSeconds = buildSeconds;
  }

  /**
   * Builds on the calling thread; none where it is asked to stop. From then on it owns the towers;
   * before that the caller does.
   */
  static @Nullable NearestItems of(
      String version, ItemTable table, RetrievalTowers towers, Instant now, Embeddings.Stop stop) {
    long from = System.nanoTime();
    Embeddings embeddings = Embeddings.of(towers, table, stop);
    if (embeddings == null) {
      return null;
    }
    NeighbourGraph graph = NeighbourGraph.of(embeddings, stop);
    return graph == null
        ? null
        : new NearestItems(
            version, table, towers, embeddings, graph, now, (System.nanoTime() - from) / 1e9);
  }

  /** Holds it open; false where it is closed already. */
  boolean hold() {
    return holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) > 0;
  }

  /** Lets go. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      towers.close();
    }
  }

  String version() {
    return version;
  }

  ItemTable table() {
    return table;
  }

  Instant builtAt() {
    return builtAt;
  }

  double buildSeconds() {
    return buildSeconds;
  }

  /** Bytes of edges and vectors. */
  long bytes() {
    return graph.bytes() + (long) embeddings.size() * embeddings.width() * Float.BYTES;
  }

  /** As it was measured last; null before that. */
  @Nullable Recall recall() {
    return recall;
  }

  /**
   * Picks the nearest matches, nearest first, until there are {@code until}.
   *
   * @param spare matches that may turn out to be barred
   */
  void pick(float[] context, float[] history, Matches matches, int until, int spare, Picks picks) {
    float[] query = embeddings.query(towers.query(context, history));
    int count = until + spare;
    if (matches.count() <= Math.max(ONE_BY_ONE, count)) {
      pickOneByOne(query, matches, until, picks);
      return;
    }
    ItemTable now = matches.table();
    int[] rows =
        graph.nearest(
            query,
            count,
            (int) (WIDTH * count),
            row -> {
              int known = rowIn(now, row);
              return known >= 0 && matches.has(known);
            });
    for (int i = 0; i < rows.length && picks.size() < until; i++) {
      picks.add(rowIn(now, rows[i]));
    }
  }

  private void pickOneByOne(float[] query, Matches matches, int until, Picks picks) {
    Best best = new Best(matches.count());
    for (int number = 0; number < matches.count(); number++) {
      int row = matches.row(number);
      int known = matches.table().sameRow(row, table) ? row : table.row(matches.table().id(row));
      if (known >= 0) {
        best.offer(row, embeddings.product(query, known));
      }
    }
    for (int row : best.rows()) {
      if (picks.size() == until) {
        return;
      }
      picks.add(row);
    }
  }

  /** The row that an item of this table has in another one; -1 where it is gone. */
  private int rowIn(ItemTable other, int row) {
    return table.sameRow(row, other) ? row : other.row(table.id(row));
  }

  /** Measures recall, by the queries of requests or, where there are none, as if items asked. */
  void measure(List<RecentQueries.Asked> requests, int k) {
    int count = Math.min(k, embeddings.size());
    int queries =
        requests.isEmpty() ? Math.min(RecentQueries.KEPT, embeddings.size()) : requests.size();
    if (count == 0) {
      return;
    }
    double found = 0;
    for (int i = 0; i < queries; i++) {
      float[] query =
          requests.isEmpty()
              ? embeddings.vector((int) ((long) i * embeddings.size() / queries))
              : embeddings.query(
                  towers.query(requests.get(i).context(), requests.get(i).history()));
      found += share(query, count);
    }
    recall = new Recall(found / queries, count, queries, !requests.isEmpty());
  }

  private double share(float[] query, int count) {
    Best best = new Best(count);
    for (int row = 0; row < embeddings.size(); row++) {
      best.offer(row, embeddings.product(query, row));
    }
    float least = best.least();
    int found = 0;
    for (int row : graph.nearest(query, count, (int) (WIDTH * count), row -> true)) {
      // An item tied with the last of the best is as good.
      found += embeddings.product(query, row) >= least ? 1 : 0;
    }
    return (double) found / count;
  }
}
