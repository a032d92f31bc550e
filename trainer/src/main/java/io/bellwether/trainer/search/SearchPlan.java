package io.bellwether.trainer.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.TransitionSource;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the trials of a search have in common, fixed when it begins: only with equal plans can they
 * be ranked together.
 *
 * @param split training sees what was decided before, judging what was decided from then on
 * @param end and before this time. Both bounds are times of decisions, and so leave nothing out for
 *     what came of it
 * @param files of the archive that are read, below its folder; empty for another source
 */
record SearchPlan(
    String surfaceDigest,
    List<String> algorithms,
    long seed,
    double judgedShare,
    long modelSteps,
    String codeVersion,
    Instant split,
    Instant end,
    List<String> files) {

  private static final ObjectMapper JSON = new ObjectMapper();

  SearchPlan {
    algorithms = List.copyOf(algorithms);
    files = List.copyOf(files);
  }

  static SearchPlan of(
      SearchRequest request, String codeVersion, TimeSplit times, TransitionSource pinned) {
    return new SearchPlan(
        request.surface().digest(),
        request.algorithms(),
        request.seed(),
        request.judgedShare(),
        request.modelSteps(),
        codeVersion,
        times.at(),
        times.end(),
        files(pinned));
  }

  private static List<String> files(TransitionSource source) {
    return source instanceof ArchiveSource archive
        ? archive.chosen().stream().map(file -> archive.root().relativize(file).toString()).toList()
        : List.of();
  }

  /** A source as it was when the search began: what an archive got since is left out. */
  TransitionSource pinned(TransitionSource source) {
    return source instanceof ArchiveSource archive && !files.isEmpty()
        ? new ArchiveSource(
            archive.root(), archive.surface(), files.stream().map(archive.root()::resolve).toList())
        : source;
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
    if (pinned(request.source()) instanceof ArchiveSource archive
        && !archive.chosen().stream().allMatch(Files::exists)) {
      return Optional.of("files of the log that it was begun with are gone");
    }
    return Optional.empty();
  }

  ObjectNode toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("surfaceDigest", surfaceDigest);
    algorithms.forEach(json.putArray("algorithms")::add);
    json.put("seed", seed).put("judgedShare", judgedShare).put("modelSteps", modelSteps);
    json.put("codeVersion", codeVersion).put("split", split.toString());
    json.put("end", end.toString());
    files.forEach(json.putArray("files")::add);
    return json;
  }

  static SearchPlan fromJson(JsonNode json) {
    List<String> algorithms = new ArrayList<>();
    json.path("algorithms").forEach(word -> algorithms.add(word.asText()));
    List<String> files = new ArrayList<>();
    json.path("files").forEach(file -> files.add(file.asText()));
    return new SearchPlan(
        json.path("surfaceDigest").asText(),
        algorithms,
        json.path("seed").asLong(),
        json.path("judgedShare").asDouble(),
        json.path("modelSteps").asLong(),
        json.path("codeVersion").asText(),
        Instant.parse(json.path("split").asText()),
        Instant.parse(json.path("end").asText()),
        files);
  }
}
