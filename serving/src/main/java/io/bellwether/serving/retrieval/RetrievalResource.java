package io.bellwether.serving.retrieval;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.item.Catalogue;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/surfaces/{surface}/retrieval}: who proposes candidates, and how well. */
@Path("/v1/surfaces/{surface}/retrieval")
@Produces(MediaType.APPLICATION_JSON)
public final class RetrievalResource {

  private final Surfaces surfaces;
  private final Catalogue catalogue;
  private final Retrieval retrieval;
  private final Popularity popularity;
  private final PopularityFeed popularityFeed;
  private final NearestIndexes indexes;

  RetrievalResource(
      Surfaces surfaces,
      Catalogue catalogue,
      Retrieval retrieval,
      Popularity popularity,
      PopularityFeed popularityFeed,
      NearestIndexes indexes) {
    this.surfaces = surfaces;
    this.catalogue = catalogue;
    this.retrieval = retrieval;
    this.popularity = popularity;
    this.popularityFeed = popularityFeed;
    this.indexes = indexes;
  }

  /**
   * One surface's retrieval on this replica.
   *
   * @param items registered
   * @param fresh of them, 2000 at most
   * @param indexes one per version that has towers
   * @param indexing what is being built; absent while nothing is
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record View(
      String surface,
      int candidates,
      int items,
      int fresh,
      Popular popularity,
      List<Index> indexes,
      @Nullable String indexing) {}

  /**
   * What is popular.
   *
   * @param ranked items that have a positive sum
   * @param state what the feed of outcomes is doing
   */
  public record Popular(String signal, Duration halfLife, int ranked, String state) {}

  /**
   * One version's index of nearest neighbours.
   *
   * @param items that it knows
   * @param bytes of edges and vectors
   * @param recall absent until it is measured
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Index(
      String version,
      int items,
      Instant builtAt,
      double buildSeconds,
      long bytes,
      @Nullable Recall recall) {

    static Index of(NearestItems index) {
      NearestItems.Recall recall = index.recall();
      return new Index(
          index.version(),
          index.table().size(),
          index.builtAt(),
          index.buildSeconds(),
          index.bytes(),
          recall == null ? null : Recall.of(recall));
    }
  }

  /**
   * How much of what an exact search finds is found.
   *
   * @param share of the {@code k} exactly nearest items that the index finds, mean over the queries
   * @param queriesOf {@code REQUESTS}, or {@code ITEMS} that stood for them
   */
  public record Recall(double share, int k, int queries, String queriesOf) {

    static Recall of(NearestItems.Recall recall) {
      return new Recall(
          recall.share(), recall.k(), recall.queries(), recall.ofRequests() ? "REQUESTS" : "ITEMS");
    }
  }

  @GET
  public View get(@PathParam("surface") String name) {
    DeclaredSurface surface = surfaces.require(name);
    Surface.Retrieval declared = surface.surface().retrieval();
    String state = indexes.state(surface);
    return new View(
        surface.name(),
        declared.candidates(),
        catalogue.items(surface).size(),
        retrieval.freshItems(surface),
        new Popular(
            declared.popularSignal(),
            declared.halfLife(),
            popularity.ranked(surface).size(),
            popularityFeed.state()),
        indexes.built(surface).stream().map(Index::of).toList(),
        state.isEmpty() ? null : state);
  }
}
