package io.bellwether.trainer.lineage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.bellwether.policy.object.Depot;
import io.bellwether.policy.object.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which versions the experiments of a store pinned their variants to, from the moves in {@code
 * experiments/NAME}, of which serving is the owner. Thread-safe.
 */
final class PinnedVersions {

  private static final String FOLDER = "experiments";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Depot depot;

  PinnedVersions(Depot depot) {
    this.depot = depot;
  }

  /**
   * A variant of an experiment in one of its phases.
   *
   * @param status where the experiment stands now
   * @param from when the phase began
   */
  record Pinned(String experiment, String variant, String version, String status, String from) {}

  List<String> experiments() {
    return depot.folders(FOLDER);
  }

  /** Of all experiments. */
  List<Pinned> all() {
    return experiments().stream().flatMap(name -> of(name).stream()).toList();
  }

  /** Of one experiment; empty where there is none of this name or nothing is pinned. */
  List<Pinned> of(String experiment) {
    Journal journal = new Journal(depot, FOLDER + "/" + experiment);
    long last = journal.last();
    if (last == 0) {
      return List.of();
    }
    JsonNode state;
    try {
      state = JSON.readTree(journal.read(last)).path("after");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read move %d of %s".formatted(last, experiment), e);
    }
    List<Pinned> pinned = new ArrayList<>();
    for (JsonNode phase : state.path("phases")) {
      phase
          .path("versions")
          .properties()
          .forEach(
              each ->
                  pinned.add(
                      new Pinned(
                          experiment,
                          each.getKey(),
                          each.getValue().asText(),
                          state.path("status").asText(),
                          phase.path("startedAt").asText())));
    }
    return List.copyOf(pinned);
  }
}
