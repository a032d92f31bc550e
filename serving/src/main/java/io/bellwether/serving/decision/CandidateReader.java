package io.bellwether.serving.decision;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.serving.item.ItemTable;
import io.bellwether.serving.problem.Slug;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.retrieval.ItemFilter;
import io.bellwether.serving.scoring.CandidateRows;
import io.bellwether.serving.surface.DeclaredSurface;
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
  private final RawItems raw = new RawItems();

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
      DecisionBody body,
      JsonFields request,
      DeclaredSurface surface,
      ItemTable registered,
      Set<String> excluded) {
    Reading reading = new Reading(body.bytes(), request, surface, registered, excluded);
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

    private final byte[] body;
    private final JsonFields request;
    private final DeclaredSurface surface;
    private final ItemTable registered;
    private final Set<String> excluded;
    private final int max;
    private final int width;

    private final String[] ids = new String[listed.size()];
    private int count;

    /** Of each candidate so far; {@link #NOT_REGISTERED} where it brought its features. */
    private int[] rows = new int[listed.size()];

    /** Of the candidates so far, once one of them brought its features. */
    private float @Nullable [] own;

    private @Nullable ItemFilter wanted;
    private boolean rawBegun;
    private @Nullable Map<String, Integer> unregisteredBefore;

    Reading(
        byte[] body,
        JsonFields request,
        DeclaredSurface surface,
        ItemTable registered,
        Set<String> excluded) {
      this.body = body;
      this.request = request;
      this.surface = surface;
      this.registered = registered;
      this.excluded = excluded;
      max = Math.min(Limits.STANDARD.candidates(), surface.surface().maxCandidates());
      width = surface.layout().itemWidth();
    }

    Candidates candidates() {
      if (wanted == null && count == 0 && request.violations().isEmpty()) {
        request.refuse("excludedCandidateIds", "leaves no candidate");
      }
      return new Candidates(
          wanted,
          List.of(ids.length == count ? ids : Arrays.copyOf(ids, count)),
          own == null
              ? CandidateRows.registered(
                  registered, width, rows.length == count ? rows : Arrays.copyOf(rows, count))
              : CandidateRows.of(
                  own.length == count * width ? own : Arrays.copyOf(own, count * width),
                  width,
                  count),
          rawBegun ? raw.end() : null);
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
        if (listed.isEncoded(i)) {
          takeEncoded(i);
        } else {
          takeListed(i);
        }
      }
    }

    private void takeListed(int place) {
      int row = listed.isId(place) && width > 0 ? row(place) : NOT_REGISTERED;
      int earlier = row == NOT_REGISTERED ? -1 : registeredBefore.put(row, place);
      if (row == NOT_REGISTERED || earlier >= 0) {
        readOther(place, earlier);
      } else {
        take(registered.id(row), row);
      }
    }

    /** An element whose features were encoded when it was parsed. */
    private void takeEncoded(int place) {
      String id = listed.id(place);
      int before = before(id, row(place), place);
      if (before >= 0) {
        refuseTwice(
            JsonFields.of(
                listed.tree(place), request.pointer("candidates/" + place), request.violations()),
            before);
      }
      System.arraycopy(listed.rows(), place * width, own(), count * width, width);
      if (take(id, NOT_REGISTERED)) {
        beginRaw();
        raw.add(body, listed.featuresFrom(place), listed.featuresTo(place));
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
        refuseTwice(candidate, before);
      }
      if (candidate.has("features") || width == 0) {
        takeOwn(candidate, id);
      } else if (row == NOT_REGISTERED) {
        refuseUnknown(candidate, id);
      } else {
        take(id, row);
      }
    }

    private void refuseTwice(JsonFields candidate, int before) {
      candidate.refuse("id", "is the id of candidate " + before + " as well");
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
      JsonNode features = candidate.get("features");
      surface
          .item()
          .encode(
              features,
              candidate.pointer("features"),
              own(),
              count * width,
              candidate.violations());
      if (take(id, NOT_REGISTERED)) {
        beginRaw();
        if (candidate.has("features")) {
          byte[] json = JsonBody.write(features).getBytes(UTF_8);
          raw.add(json, 0, json.length);
        } else {
          raw.addNull();
        }
      }
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

    /**
     * Takes a candidate, unless it is excluded; its features are in {@link #own} or in a row.
     *
     * @return whether it was taken
     */
    private boolean take(String id, int row) {
      if (!excluded.isEmpty() && excluded.contains(id)) {
        return false;
      }
      if (row != NOT_REGISTERED && own != null) {
        registered.copy(row, own, count * width);
      }
      if (row != NOT_REGISTERED && rawBegun) {
        raw.addNull();
      }
      rows[count] = row;
      ids[count++] = id;
      return true;
    }

    /** Before what was sent with the candidate that was taken last. */
    private void beginRaw() {
      if (!rawBegun) {
        raw.begin(count - 1);
        rawBegun = true;
      }
    }

    /** Room for the features of all candidates, of which those so far are there. */
    private float[] own() {
      if (own == null) {
        own = new float[listed.size() * width];
        for (int i = 0; i < count; i++) {
          registered.copy(rows[i], own, i * width);
        }
      }
      return own;
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

    private boolean tooMany(int size) {
      if (size <= max) {
        return false;
      }
      request
          .violations()
          .add(
              new Violation(
                  Slug.TOO_MANY_CANDIDATES.text(),
                  request.pointer("candidates"),
                  "has %d candidates, '%s' takes at most %d".formatted(size, surface.name(), max)));
      return true;
    }
  }
}
