package io.bellwether.trainer.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the trials of a search have in common, fixed when it begins: only with equal plans can they
 * be ranked together.
 *
 * @param split training sees what was decided before, judging what was decided from then on
 * @param asOf what was joined later is not looked at, so that a search that goes on has the same
 *     data
 */
record SearchPlan(
    String surfaceDigest,
    List<String> algorithms,
    long seed,
    double judgedShare,
    long modelSteps,
    String codeVersion,
    Instant split,
    Instant asOf) {

  private static final ObjectMapper JSON = new ObjectMapper();

  SearchPlan {
    algorithms = List.copyOf(algorithms);
  }

  static SearchPlan of(SearchRequest request, String codeVersion, TimeSplit times) {
    return new SearchPlan(
        request.surface().digest(),
        request.algorithms(),
        request.seed(),
        request.judgedShare(),
        request.modelSteps(),
        codeVersion,
        times.at(),
        times.asOf());
  }

  /** Why a request cannot go on with this plan; empty where it can. */
  Optional<String> differs(SearchRequest request, String code) {
    if (!surfaceDigest.equals(request.surface().digest())) {
      return Optional.of("the surface has changed since");
    }
    if (!codeVersion.equals(code)) {
      return Optional.of("it was begun by version %s of the code".formatted(codeVersion));
    }
    if (!algorithms.equals(request.algorithms())) {
      return Optional.of("it draws from " + String.join(", ", algorithms));
    }
    if (seed != request.seed()
        || judgedShare != request.judgedShare()
        || modelSteps != request.modelSteps()) {
      return Optional.of(
          "it has seed %d, a judged share of %s and %d model steps"
              .formatted(seed, judgedShare, modelSteps));
    }
    return Optional.empty();
  }

  ObjectNode toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("surfaceDigest", surfaceDigest);
    algorithms.forEach(json.putArray("algorithms")::add);
    json.put("seed", seed).put("judgedShare", judgedShare).put("modelSteps", modelSteps);
    json.put("codeVersion", codeVersion).put("split", split.toString());
    json.put("asOf", asOf.toString());
    return json;
  }

  static SearchPlan fromJson(JsonNode json) {
    List<String> algorithms = new ArrayList<>();
    json.path("algorithms").forEach(word -> algorithms.add(word.asText()));
    return new SearchPlan(
        json.path("surfaceDigest").asText(),
        algorithms,
        json.path("seed").asLong(),
        json.path("judgedShare").asDouble(),
        json.path("modelSteps").asLong(),
        json.path("codeVersion").asText(),
        Instant.parse(json.path("split").asText()),
        Instant.parse(json.path("asOf").asText()));
  }
}
