package io.bellwether.serving.noop;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.ServingConfig;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.stream.IntStream;

/**
 * {@code POST /v1/noop}: reads any JSON and answers with as much as a decision has, on the event
 * loop, and keeps nothing. What a request costs that asks for nothing.
 */
@Path("/v1/noop")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public final class NoopResource {

  /** The slate of a decision of the benchmark. */
  private static final int POSITIONS = 6;

  private final boolean on;

  NoopResource(ServingConfig config) {
    on = config.noop();
  }

  /** In place of a position. */
  public record Place(int position, String candidateId, double propensity, float score) {}

  /**
   * In place of a decision's answer.
   *
   * @param fields of the body, or elements
   */
  public record Nothing(
      String decisionId, String surface, String status, List<Place> slate, int fields) {}

  @POST
  public Nothing answer(JsonNode body) {
    if (!on) {
      throw ProblemException.of(Slug.NOT_FOUND, "There is nothing here (bellwether.noop is off).");
    }
    return new Nothing(
        "01938d2c-93f1-7d2a-8d0c-6a1f5b1a0000",
        "none",
        "OK",
        IntStream.range(0, POSITIONS)
            .mapToObj(
                i -> new Place(i, "item-" + i, 1.0 / (POSITIONS - i + Math.PI), 0.1234567f * i))
            .toList(),
        body.size());
  }
}
