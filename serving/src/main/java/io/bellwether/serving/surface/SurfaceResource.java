package io.bellwether.serving.surface;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bellwether.ingestion.surface.Constraint;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/surfaces[/{surface}]}: what was declared. */
@Path("/v1/surfaces")
@Produces(MediaType.APPLICATION_JSON)
public final class SurfaceResource {

  private final Surfaces surfaces;

  SurfaceResource(Surfaces surfaces) {
    this.surfaces = surfaces;
  }

  /** All of a list's elements on one page. */
  public record Page(List<View> items) {}

  /** A surface as clients see it: the fields of its file, and the digest of its feature layout. */
  public record View(
      String surface,
      String digest,
      String featureDigest,
      int slateSize,
      int maxCandidates,
      List<FeatureView> context,
      Surface.History history,
      List<FeatureView> item,
      List<SignalView> signals,
      Surface.Objective objective,
      List<String> constraints,
      Surface.Exploration exploration,
      Duration deadline) {

    static View of(DeclaredSurface declared) {
      Surface surface = declared.surface();
      return new View(
          surface.name(),
          surface.digest(),
          declared.layout().digest(),
          surface.slateSize(),
          surface.maxCandidates(),
          surface.context().stream().map(FeatureView::of).toList(),
          surface.history(),
          surface.item().stream().map(FeatureView::of).toList(),
          surface.signals().stream().map(SignalView::of).toList(),
          surface.objective(),
          surface.constraints().stream().map(Constraint::words).toList(),
          surface.exploration(),
          surface.deadline());
    }
  }

  /** A feature; what does not apply to its type is left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FeatureView(
      String name,
      String type,
      @Nullable Double min,
      @Nullable Double max,
      @Nullable List<String> values,
      @Nullable Integer size) {

    static FeatureView of(Feature feature) {
      String type = feature.getClass().getSimpleName().toLowerCase(Locale.ROOT);
      if (feature instanceof Feature.Number number) {
        return new FeatureView(
            number.name(), type, finite(number.min()), finite(number.max()), null, null);
      }
      if (feature instanceof Feature.Category category) {
        return new FeatureView(category.name(), type, null, null, listed(category.values()), null);
      }
      if (feature instanceof Feature.Categories many) {
        return new FeatureView(many.name(), type, null, null, listed(many.values()), many.max());
      }
      if (feature instanceof Feature.Vector vector) {
        return new FeatureView(vector.name(), type, null, null, null, vector.size());
      }
      return new FeatureView(feature.name(), type, null, null, null, null);
    }

    private static @Nullable List<String> listed(List<String> values) {
      return values.isEmpty() ? null : values;
    }
  }

  /** A signal; a bound that is not declared is left out. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SignalView(
      String name,
      String type,
      @Nullable Double min,
      @Nullable Double max,
      Duration window,
      String aggregate) {

    static SignalView of(Signal signal) {
      return new SignalView(
          signal.name(),
          signal.type().name(),
          finite(signal.min()),
          finite(signal.max()),
          signal.window(),
          signal.aggregate().name());
    }
  }

  private static @Nullable Double finite(double bound) {
    return Double.isInfinite(bound) ? null : bound;
  }

  @GET
  public Page list() {
    return new Page(surfaces.all().stream().map(View::of).toList());
  }

  @GET
  @Path("{surface}")
  public View get(@PathParam("surface") String surface) {
    return View.of(surfaces.require(surface));
  }
}
