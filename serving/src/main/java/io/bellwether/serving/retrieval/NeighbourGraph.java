package io.bellwether.serving.retrieval;

import io.github.jbellis.jvector.graph.GraphIndexBuilder;
import io.github.jbellis.jvector.graph.GraphSearcher;
import io.github.jbellis.jvector.graph.OnHeapGraphIndex;
import io.github.jbellis.jvector.graph.SearchResult;
import io.github.jbellis.jvector.graph.similarity.BuildScoreProvider;
import io.github.jbellis.jvector.graph.similarity.ScoreFunction;
import io.github.jbellis.jvector.graph.similarity.SearchScoreProvider;
import io.github.jbellis.jvector.util.Bits;
import io.github.jbellis.jvector.vector.VectorizationProvider;
import io.github.jbellis.jvector.vector.types.VectorFloat;
import io.github.jbellis.jvector.vector.types.VectorTypeSupport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * An index of neighbours over {@link Embeddings}: a graph of at most {@value #DEGREE} edges a row,
 * whose search goes from neighbour to nearer neighbour. Built by one thread; thread-safe once it is
 * built. Holds the edges alone, some 350 bytes a row; the vectors stay where they are.
 */
final class NeighbourGraph {

  /**
   * Edges of a row, rows that are looked at to choose them, and how much longer a way round may be
   * than the edge that it makes needless. Chosen with a million vectors: see docs/decisions.
   */
  private static final int DEGREE = 32;

  private static final int BUILD_WIDTH = 100;
  private static final float OVERFLOW = 1.2f;
  private static final float ALPHA = 1.2f;

  private static final int ROWS_BETWEEN_LOOKS = 1024;

  private static final VectorTypeSupport VECTORS =
      VectorizationProvider.getInstance().getVectorTypeSupport();

  private final Embeddings embeddings;
  private final OnHeapGraphIndex graph;

  private NeighbourGraph(Embeddings embeddings, OnHeapGraphIndex graph) {
    this.embeddings = embeddings;
    this.graph = graph;
  }

  /** Builds an index on the calling thread; none where it is asked to stop. */
  static @Nullable NeighbourGraph of(Embeddings embeddings, Embeddings.Stop stop) {
    ForkJoinPool pool = new ForkJoinPool(1);
    try (GraphIndexBuilder builder =
        new GraphIndexBuilder(
            new Scores(embeddings),
            embeddings.width(),
            DEGREE,
            BUILD_WIDTH,
            OVERFLOW,
            ALPHA,
            pool,
            pool)) {
      for (int row = 0; row < embeddings.size(); row++) {
        if (row % ROWS_BETWEEN_LOOKS == 0 && stop.wanted()) {
          return null;
        }
        builder.addGraphNode(row, VECTORS.createFloatVector(embeddings.vector(row)));
      }
      builder.cleanup();
      return new NeighbourGraph(embeddings, builder.getGraph());
    } catch (IOException e) {
      throw new UncheckedIOException("closing the builder of an index in memory", e);
    } finally {
      pool.shutdown();
    }
  }

  /**
   * About the nearest rows, nearest first.
   *
   * @param query as long as the embeddings
   * @param count how many
   * @param width rows that are kept in view, at least {@code count}: more of them miss fewer
   * @param accepted which rows may be found
   */
  int[] nearest(float[] query, int count, int width, Bits accepted) {
    ScoreFunction.ExactScoreFunction score = row -> similarity(embeddings.product(query, row));
    try (GraphSearcher searcher = new GraphSearcher(graph)) {
      SearchResult found =
          searcher.search(
              new SearchScoreProvider(score), count, Math.max(count, width), 0f, 0f, accepted);
      SearchResult.NodeScore[] nodes = found.getNodes();
      int[] rows = new int[Math.min(count, nodes.length)];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = nodes[i].node;
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException("closing a search in memory", e);
    }
  }

  /** Bytes of the edges, as the library estimates them. */
  long bytes() {
    return graph.ramBytesUsed();
  }

  /** As the library wants it: from 0 to 1. */
  private static float similarity(float product) {
    return (1 + product) / 2;
  }

  /** Scores of rows with rows, straight from the flat array. */
  private record Scores(Embeddings embeddings) implements BuildScoreProvider {

    @Override
    public boolean isExact() {
      return true;
    }

    @Override
    public VectorFloat<?> approximateCentroid() {
      float[] sum = new float[embeddings.width()];
      for (int row = 0; row < embeddings.size(); row++) {
        float[] vector = embeddings.vector(row);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += vector[i] / embeddings.size();
        }
      }
      return VECTORS.createFloatVector(sum);
    }

    @Override
    public SearchScoreProvider searchProviderFor(VectorFloat<?> vector) {
      float[] values = new float[vector.length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = vector.get(i);
      }
      return provider(row -> similarity(embeddings.product(values, row)));
    }

    @Override
    public SearchScoreProvider searchProviderFor(int row) {
      return provider(other -> similarity(embeddings.product(row, other)));
    }

    @Override
    public SearchScoreProvider diversityProviderFor(int row) {
      return searchProviderFor(row);
    }

    private static SearchScoreProvider provider(ScoreFunction.ExactScoreFunction score) {
      return new SearchScoreProvider(score);
    }
  }
}
