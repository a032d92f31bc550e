package io.bellwether.serving.decision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the candidates of one request: inline with features, by the id of a registered item, or,
 * where the request names none, all registered items. Excluded ones are checked like the others and
 * then left out. Confined to one thread and one request.
 */
final class CandidateReader {

  private static final Set<String> FIELDS = Set.of("id", "features");

  private final DeclaredSurface surface;
  private final ItemTable registered;
  private final Set<String> excluded;
  private final int max;
  private final int width;

  private final List<String> ids = new ArrayList<>();
  private float[] items = new float[0];
  private final ArrayNode raw = JsonNodeFactory.instance.arrayNode();
  private boolean anyInline;

  /** The candidates that are left; see {@link DecisionRequest}. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Candidates(List<String> ids, float[] items, @Nullable String rawItems) {}

  CandidateReader(DeclaredSurface surface, ItemTable registered, Set<String> excluded) {
    this.surface = surface;
    this.registered = registered;
    this.excluded = excluded;
    max = Math.min(Limits.STANDARD.candidates(), surface.surface().maxCandidates());
    width = surface.layout().itemWidth();
  }

  /** Reads them, noting what is wrong in the request's violations. */
  Candidates read(JsonFields request) {
    if (request.has("candidates")) {
      readListed(request);
    } else {
      takeRegistered(request);
    }
    if (ids.isEmpty() && request.violations().isEmpty()) {
      request.refuse("excludedCandidateIds", "leaves no candidate");
    }
    return new Candidates(
        ids,
        items.length == ids.size() * width ? items : Arrays.copyOf(items, ids.size() * width),
        anyInline ? JsonBody.write(raw) : null);
  }

  private void readListed(JsonFields request) {
    JsonNode list = request.get("candidates");
    if (!list.isArray() || list.isEmpty()) {
      request.refuse(
          "candidates",
          "is "
              + JsonFields.found(list)
              + ", must be an array of at least one candidate; leave it out to decide among all"
              + " registered items");
      return;
    }
    if (tooMany(request, list.size())) {
      return;
    }
    items = new float[list.size() * width];
    Map<String, Integer> first = new HashMap<>(list.size() * 2);
    for (int i = 0; i < list.size(); i++) {
      JsonFields candidate =
          JsonFields.of(list.get(i), request.pointer("candidates/" + i), request.violations())
              .only(FIELDS);
      String id = candidate.requiredForeignId("id");
      Integer earlier = first.putIfAbsent(id, i);
      if (earlier != null && !id.isEmpty()) {
        candidate.refuse("id", "is the id of candidate " + earlier + " as well");
      }
      readOne(candidate, id);
    }
  }

  private void readOne(JsonFields candidate, String id) {
    int at = ids.size() * width;
    JsonNode features = candidate.get("features");
    boolean inline = candidate.has("features") || width == 0;
    if (inline) {
      surface
          .item()
          .encode(features, candidate.pointer("features"), items, at, candidate.violations());
    } else {
      copyRegistered(candidate, id, at);
    }
    if (excluded.contains(id)) {
      return;
    }
    ids.add(id);
    anyInline |= inline;
    raw.add(candidate.has("features") ? features : null);
  }

  private void copyRegistered(JsonFields candidate, String id, int at) {
    int row = registered.row(id);
    if (row >= 0) {
      registered.copy(row, items, at);
    } else if (!id.isEmpty()) {
      candidate.refuse(
          "id",
          "'"
              + id
              + "' is no registered item of '"
              + surface.name()
              + "'; register it or send its features");
    }
  }

  private void takeRegistered(JsonFields request) {
    if (registered.size() == 0) {
      request.refuse(
          "candidates",
          "is missing, and '" + surface.name() + "' has no registered items to decide among");
      return;
    }
    if (tooMany(request, registered.size())) {
      return;
    }
    items = new float[registered.size() * width];
    for (int row = 0; row < registered.size(); row++) {
      if (!excluded.contains(registered.id(row))) {
        registered.copy(row, items, ids.size() * width);
        ids.add(registered.id(row));
      }
    }
  }

  private boolean tooMany(JsonFields request, int count) {
    if (count <= max) {
      return false;
    }
    request
        .violations()
        .add(
            new Violation(
                Slug.TOO_MANY_CANDIDATES.text(),
                request.pointer("candidates"),
                "has %d candidates, '%s' takes at most %d".formatted(count, surface.name(), max)));
    return true;
  }
}
