package io.bellwether.trainer.data;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.trainer.network.Column;
import io.bellwether.trainer.network.NetworkSchema;
import java.util.List;

/**
 * A surface's layout in the words of networks and of policies. Signals stand in the order of {@link
 * SignalOrder} in both.
 */
public final class SurfaceSchema {

  private SurfaceSchema() {}

  /** What networks of this surface take in and predict. */
  public static NetworkSchema network(Surface surface) {
    FeatureLayout layout = FeatureLayout.of(surface);
    return new NetworkSchema(
        columns(layout.context()),
        columns(layout.history()),
        layout.historyLength(),
        columns(layout.item()),
        SignalOrder.of(surface));
  }

  /** What policy graphs of this surface take and give. */
  public static FeatureSchema policy(Surface surface) {
    FeatureLayout layout = FeatureLayout.of(surface);
    return new FeatureSchema(
        layout.digest(),
        layout.contextWidth(),
        layout.historyLength(),
        layout.historyWidth(),
        layout.itemWidth(),
        SignalOrder.of(surface));
  }

  private static List<Column> columns(List<io.bellwether.ingestion.feature.Column> columns) {
    return columns.stream().map(SurfaceSchema::column).toList();
  }

  private static Column column(io.bellwether.ingestion.feature.Column column) {
    return switch (column.kind()) {
      case NUMBER -> new Column.Number(column.name());
      case FLAG -> new Column.Flag(column.name());
      case CATEGORY -> new Column.Category(column.name(), column.cardinality());
    };
  }
}
