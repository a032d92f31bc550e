package io.bellwether.serving.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.experiment.Experiments;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** {@code POST /v1/experiments:validate}: what is wrong with a declaration; nothing is created. */
@Path("/v1/experiments:validate")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
public final class ValidationResource {

  private final Experiments experiments;
  private final ExperimentJson json;

  ValidationResource(Experiments experiments, ExperimentJson json) {
    this.experiments = experiments;
    this.json = json;
  }

  /**
   * A declaration in which nothing is wrong.
   *
   * @param declaration with its defaults
   */
  public record Valid(boolean valid, JsonNode declaration) {}

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Valid validate(byte[] body) {
    return new Valid(true, json.declaration(experiments.validate(body)));
  }
}
