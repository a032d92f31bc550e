package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.experiment.By;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Move;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.surface.Surfaces;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/experiments:stop-all}: the big red button of a surface. */
@Path("/v1/experiments:stop-all")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
public final class StopAllResource {

  private final Experiments experiments;
  private final Surfaces surfaces;
  private final ExperimentJson json;

  StopAllResource(Experiments experiments, Surfaces surfaces, ExperimentJson json) {
    this.experiments = experiments;
    this.surfaces = surfaces;
    this.json = json;
  }

  /** Where those that ran stand now. */
  public record Stopped(List<JsonNode> items) {
    public Stopped {
      items = List.copyOf(items);
    }
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public CompletionStage<Stopped> stopAll(
      @HeaderParam("Bellwether-Actor") @Nullable String actor, byte[] body) {
    JsonFields fields = MoveBody.fields(body, "surface");
    String surface = fields.requiredText("surface");
    String reason = MoveBody.requiredReason(fields);
    fields.check();
    return experiments
        .stopAll(surfaces.require(surface).name(), By.of(MoveBody.who(actor), reason))
        .thenApply(moves -> new Stopped(moves.stream().map(Move::after).map(json::state).toList()));
  }
}
