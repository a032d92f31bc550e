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
import io.bellwether.serving.retrieval.ItemFilter;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the candidates of requests: inline with features, by the id of a registered item, or, where
 * a request names none, which registered items retrieval is to look among. Excluded ones are
 * checked like the others and then left out. What it needs meanwhile is used again for every
 * request; confined to one thread.
 */
final class CandidateReader {

  private static final Set<String> FIELDS = Set.of("id", "features");
  private static final int NOT_REGISTERED = -1;

  private final ListedCandidates listed = new ListedCandidates();
  private final FirstPlaces registeredBefore = new FirstPlaces();

  /** The candidates that are left; see {@link DecisionRequest}. */
  record Candidates(
      @Nullable ItemFilter wanted,
      List<String> ids,
      CandidateRows rows,
      @Nullable String rawItems) {}

  /** For {@link DecisionBody#parse}, whose candidates are to be read next. */
  ListedCandidates memory() {
    return listed;
  }

  /** Reads the candidates of the body that was parsed last, noting what is wrong in the request. */
  Candidates read(
      JsonFields request, DeclaredSurface surface, ItemTable registered, Set<String> excluded) {
    Reading reading = new Reading(request, surface, registered, excluded);
    if (listed.present()) {
      if (request.has("filter")) {
        request.refuse("filter", "is for requests without candidates; leave one of both out");
      }
      reading.readListed();
    } else if (request.has("candidates")) {
      refuseOther(request, JsonFields.found(request.get("candidates")));
    } else {
      reading.wantRegistered();
    }
    return reading.candidates();
  }

  private static void refuseOther(JsonFields request, String found) {
    request.refuse(
        "candidates",
        "is "
            + found
            + ", must be an array of at least one candidate; leave it out to decide among all"
            + " registered items");
  }

  /** The candidates of one request, as they gather. */
  private final class Reading {

    private final JsonFields request;
    private final DeclaredSurface surface;
    private final ItemTable registered;
    private final Set<String> excluded;
    private final int max;
    private final int width;

    private final List<String> ids = new ArrayList<>(Math.max(1, listed.size()));

    /** Of each candidate so far; {@link #NOT_REGISTERED} where it brought its features. */
    private int[] rows = new int[listed.size()];

    /** Of the candidates so far, once one of them brought its features. */
    private float @Nullable [] own;

    private @Nullable ItemFilter wanted;
    private @Nullable ArrayNode raw;
    private @Nullable Map<String, Integer> unregisteredBefore;

    Reading(
        JsonFields request, DeclaredSurface surface, ItemTable registered, Set<String> excluded) {
      this.request = request;
      this.surface = surface;
      this.registered = registered;
      this.excluded = excluded;
      max = Math.min(Limits.STANDARD.candidates(), surface.surface().maxCandidates());
      width = surface.layout().itemWidth();
    }

    Candidates candidates() {
      if (wanted == null && ids.isEmpty() && request.violations().isEmpty()) {
        request.refuse("excludedCandidateIds", "leaves no candidate");
      }
      int count = ids.size();
      return new Candidates(
          wanted,
          ids,
          own == null
              ? CandidateRows.registered(
                  registered, width, rows.length == count ? rows : Arrays.copyOf(rows, count))
              : CandidateRows.of(Arrays.copyOf(own, count * width), width, count),
          raw == null ? null : JsonBody.write(raw));
    }

    void readListed() {
      int size = listed.size();
      if (size == 0) {
        refuseOther(request, "an array of 0");
        return;
      }
      if (tooMany(size)) {
        return;
      }
      registeredBefore.clear(size);
      for (int i = 0; i < size; i++) {
        int row = listed.isId(i) && width > 0 ? row(i) : NOT_REGISTERED;
        int earlier = row == NOT_REGISTERED ? -1 : registeredBefore.put(row, i);
        if (row == NOT_REGISTERED || earlier >= 0) {
          readOther(i, earlier);
        } else {
          take(registered.id(row), row, null);
        }
      }
    }

    private int row(int element) {
      return registered.row(listed.text(), listed.from(element), listed.length(element));
    }

    /** An element that is not just the id of a registered item, or comes for the second time. */
    private void readOther(int place, int earlier) {
      JsonFields candidate =
          JsonFields.of(
                  listed.tree(place), request.pointer("candidates/" + place), request.violations())
              .only(FIELDS);
      String id = candidate.requiredForeignId("id");
      int row = id.isEmpty() ? NOT_REGISTERED : registered.row(id);
      int before = earlier >= 0 || id.isEmpty() ? earlier : before(id, row, place);
      if (before >= 0) {
        candidate.refuse("id", "is the id of candidate " + before + " as well");
      }
      if (candidate.has("features") || width == 0) {
        takeOwn(candidate, id);
      } else if (row == NOT_REGISTERED) {
        refuseUnknown(candidate, id);
      } else {
        take(id, row, null);
      }
    }

    /** The earlier place of an id; -1 where it is new. */
    private int before(String id, int row, int place) {
      if (row != NOT_REGISTERED) {
        return registeredBefore.put(row, place);
      }
      if (unregisteredBefore == null) {
        unregisteredBefore = new HashMap<>();
      }
      Integer earlier = unregisteredBefore.putIfAbsent(id, place);
      return earlier == null ? -1 : earlier;
    }

    private void takeOwn(JsonFields candidate, String id) {
      if (own == null) {
        own = copied(listed.size());
      }
      JsonNode features = candidate.get("features");
      surface
          .item()
          .encode(
              features,
              candidate.pointer("features"),
              own,
              ids.size() * width,
              candidate.violations());
      take(id, NOT_REGISTERED, candidate.has("features") ? features : null);
    }

    private void refuseUnknown(JsonFields candidate, String id) {
      if (!id.isEmpty()) {
        candidate.refuse(
            "id",
            "'"
                + id
                + "' is no registered item of '"
                + surface.name()
                + "'; register it or send its features");
      }
    }

    /** Takes a candidate, unless it is excluded; its features are in {@link #own} or in a row. */
    private void take(String id, int row, @Nullable JsonNode features) {
      if (excluded.contains(id)) {
        return;
      }
      if (row != NOT_REGISTERED && own != null) {
        registered.copy(row, own, ids.size() * width);
      }
      if (row == NOT_REGISTERED && raw == null) {
        raw = nulls(ids.size());
      }
      if (raw != null) {
        raw.add(features);
      }
      rows[ids.size()] = row;
      ids.add(id);
    }

    private static ArrayNode nulls(int count) {
      ArrayNode nulls = JsonNodeFactory.instance.arrayNode();
      for (int i = 0; i < count; i++) {
        nulls.addNull();
      }
      return nulls;
    }

    /** The features of the registered items so far, with room for all that may follow. */
    private float[] copied(int room) {
      float[] copied = new float[room * width];
      for (int i = 0; i < ids.size(); i++) {
        registered.copy(rows[i], copied, i * width);
      }
      return copied;
    }

    /** Leaves the choice to retrieval. */
    void wantRegistered() {
      if (registered.size() == 0) {
        request.refuse(
            "candidates",
            "is missing, and '" + surface.name() + "' has no registered items to decide among");
        return;
      }
      ItemFilter filter = ItemFilter.read(surface, request);
      wanted = excluded.isEmpty() ? filter : filter.without(excluded);
    }

    private boolean tooMany(int count) {
      if (count <= max) {
        return false;
      }
      request
          .violations()
          .add(
              new Violation(
                  Slug.TOO_MANY_CANDIDATES.text(),
                  request.pointer("candidates"),
                  "has %d candidates, '%s' takes at most %d"
                      .formatted(count, surface.name(), max)));
      return true;
    }
  }
}
