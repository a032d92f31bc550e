package io.bellwether.serving.rollout;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.serving.experiment.ExperimentState;
import io.bellwether.serving.experiment.Experiments;
import io.bellwether.serving.experiment.Status;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.problem.Slug;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All experiments by name, page by page; a page's token is the name of its last one. */
@Singleton
final class ExperimentPages {

  private static final int DEFAULT_SIZE = 100;
  private static final int MAX_SIZE = 1000;

  private final Experiments experiments;
  private final ExperimentJson json;

  ExperimentPages(Experiments experiments, ExperimentJson json) {
    this.experiments = experiments;
    this.json = json;
  }

  /** A page; without a token it is the last one. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Page(List<JsonNode> items, @Nullable String nextPageToken) {}

  Page page(
      @Nullable String size,
      @Nullable String token,
      @Nullable String surface,
      @Nullable String status) {
    int most = size(size);
    @Nullable Status wanted = status == null ? null : status(status);
    List<ExperimentState> found =
        experiments.all().stream()
            .filter(state -> token == null || state.name().compareTo(token) > 0)
            .filter(state -> surface == null || state.declaration().surface().equals(surface))
            .filter(state -> wanted == null || state.status() == wanted)
            .limit(most + 1L)
            .toList();
    List<ExperimentState> page = found.subList(0, Math.min(most, found.size()));
    return new Page(
        page.stream().map(json::state).toList(),
        found.size() > most ? page.get(most - 1).name() : null);
  }

  private static int size(@Nullable String size) {
    if (size == null) {
      return DEFAULT_SIZE;
    }
    try {
      int number = Integer.parseInt(size);
      if (number >= 1 && number <= MAX_SIZE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Answered like a number out of range.
    }
    throw ProblemException.of(
        Slug.VALUE_OUT_OF_RANGE,
        "pageSize is '%s', must be from 1 to %d".formatted(size, MAX_SIZE));
  }

  private static Status status(String word) {
    for (Status status : Status.values()) {
      if (status.name().equals(word)) {
        return status;
      }
    }
    throw ProblemException.of(
        Slug.INVALID_REQUEST,
        "status is '%s', must be one of %s".formatted(word, Arrays.toString(Status.values())));
  }
}
