package io.bellwether.trainer.job;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.export.LinearRanking;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The product's own ranking, as its surface declares it, published as a policy version: with it the
 * loop starts. It predicts no values and was trained on nothing.
 */
public final class Baseline {

  /** The word for it in manifests. */
  public static final String ALGORITHM = "declared-ranking";

  private final Clock clock;
  private final String codeVersion;

  /**
   * @param clock dates the version
   * @param codeVersion of the trainer, for the manifest
   */
  public Baseline(Clock clock, String codeVersion) {
    this.clock = clock;
    this.codeVersion = codeVersion;
  }

  /**
   * Publishes a surface's ranking.
   *
   * @throws IllegalArgumentException when the surface declares none
   */
  public PolicyVersion publish(Surface surface, PolicyStore store) {
    Surface.Ranking ranking =
        surface
            .ranking()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the surface " + surface.name() + " declares no ranking"));
    TreeMap<String, String> metadata = new TreeMap<>();
    metadata.put("bellwether.surface", surface.name());
    metadata.put("bellwether.feature_schema_sha256", SurfaceSchema.policy(surface).digest());
    metadata.put("bellwether.algorithm", ALGORITHM);
    byte[] graph = linear(surface, ranking).export(SurfaceSchema.network(surface), metadata);
    Instant now = clock.instant();
    PolicyManifest manifest =
        new PolicyManifest(
            surface.name(),
            PolicyManifest.ONNX,
            "surface",
            now,
            surface.digest(),
            SurfaceSchema.policy(surface),
            ALGORITHM,
            0,
            new TrainingData("none: declared by the surface", now, now, 0, ""),
            codeVersion,
            null,
            null,
            Map.of(),
            List.of());
    return store.publish(manifest, Map.of(PolicyManifest.GRAPH, graph));
  }

  private static LinearRanking linear(Surface surface, Surface.Ranking ranking) {
    FeatureLayout layout = FeatureLayout.of(surface);
    List<String> context = layout.context().stream().map(column -> column.name()).toList();
    List<String> item = layout.item().stream().map(column -> column.name()).toList();
    float[] itemWeights = new float[item.size()];
    List<LinearRanking.Product> products = new ArrayList<>();
    for (Surface.Ranking.Term term : ranking.terms()) {
      if (term instanceof Surface.Ranking.Term.ItemNumber number) {
        itemWeights[column(item, number.feature())] += (float) number.weight();
      } else if (term instanceof Surface.Ranking.Term.DotProduct product) {
        products.add(
            new LinearRanking.Product(
                (float) product.weight(),
                column(context, product.contextVector() + ":0"),
                column(item, product.itemVector() + ":0"),
                vectorSize(context, product.contextVector())));
      }
    }
    return new LinearRanking(itemWeights, products, ranking.temperature());
  }

  private static int column(List<String> columns, String name) {
    int at = columns.indexOf(name);
    if (at < 0) {
      throw new IllegalArgumentException("no column " + name + " among " + columns);
    }
    return at;
  }

  private static int vectorSize(List<String> columns, String vector) {
    int size = 0;
    while (columns.contains(vector + ":" + size)) {
      size++;
    }
    return size;
  }
}
