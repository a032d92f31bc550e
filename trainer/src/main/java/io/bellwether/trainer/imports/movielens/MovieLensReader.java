package io.bellwether.trainer.imports.movielens;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.LogReader;
import io.bellwether.trainer.imports.LoggedDecision;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Origin;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import io.bellwether.trainer.imports.SampledCandidates;
import io.bellwether.trainer.imports.UnreadableLine;
import io.bellwether.trainer.imports.table.CsvRows;
import io.bellwether.trainer.imports.table.FeatureValues;
import io.bellwether.trainer.imports.table.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ratings as decisions. An item has {@code genres}, {@code year} and {@code title}, a context
 * has {@code hour} (UTC), and the signals are {@code rating}, and {@code liked} for 4 stars and
 * more: of each what the surface declares. All films are held in memory. Confined to one thread.
 */
final class MovieLensReader implements LogReader {

  private static final Pattern YEAR = Pattern.compile("\\((\\d{4})\\)\\s*$");
  private static final String NO_GENRES = "(no genres listed)";
  private static final double LIKED = 4;
  private static final double MOST_STARS = 5;
  private static final long MAX_SECONDS = 1L << 40;

  private final Rows ratings;
  private final Surface surface;
  private final Map<String, Candidate> movies;
  private final SampledCandidates pool;

  private MovieLensReader(
      Rows ratings, Surface surface, Map<String, Candidate> movies, SampledCandidates pool) {
    this.ratings = ratings;
    this.surface = surface;
    this.movies = movies;
    this.pool = pool;
  }

  static MovieLensReader open(Path ratings, Path movies, int candidates, Surface surface)
      throws IOException {
    List<Candidate> films = movies(movies, surface);
    Map<String, Candidate> byId = new HashMap<>();
    films.forEach(film -> byId.put(film.itemId(), film));
    CsvRows rows = CsvRows.open(ratings, ',');
    try {
      requireColumns(rows, List.of("userId", "movieId", "rating", "timestamp"));
      return new MovieLensReader(rows, surface, byId, new SampledCandidates(films, candidates));
    } catch (RuntimeException e) {
      rows.close();
      throw e;
    }
  }

  private static void requireColumns(Rows rows, List<String> required) {
    List<String> columns = rows.columns().orElseThrow();
    for (String column : required) {
      if (!columns.contains(column)) {
        throw new ImportRefused(
            "%s has no column %s; it has %s"
                .formatted(rows.file(), column, String.join(", ", columns)));
      }
    }
  }

  private static List<Candidate> movies(Path file, Surface surface) throws IOException {
    List<String> declared = surface.item().stream().map(Feature::name).toList();
    Map<String, Candidate> films = new java.util.LinkedHashMap<>();
    try (CsvRows rows = CsvRows.open(file, ',')) {
      requireColumns(rows, List.of("movieId", "title", "genres"));
      for (Rows.Row row = rows.next(); row != null; row = rows.next()) {
        String id = row.values().path("movieId").asText("");
        String problem =
            row.problem() != null ? row.problem() : id.isEmpty() ? "has no movieId" : null;
        if (problem != null) {
          throw new ImportRefused(file + " line " + row.line() + ": " + problem);
        }
        ObjectNode features = features(row.values());
        features.retain(declared);
        if (films.put(id, new Candidate(id, features)) != null) {
          throw new ImportRefused(file + " line " + row.line() + ": has movie '" + id + "' again");
        }
      }
    }
    if (films.isEmpty()) {
      throw new ImportRefused(file + " has no movie");
    }
    return List.copyOf(films.values());
  }

  private static ObjectNode features(ObjectNode row) {
    ObjectNode features = JsonNodeFactory.instance.objectNode();
    String title = row.path("title").asText("");
    if (!title.isEmpty()) {
      features.put("title", title);
    }
    Matcher year = YEAR.matcher(title);
    if (year.find()) {
      features.put("year", Integer.parseInt(year.group(1)));
    }
    String genres = row.path("genres").asText("");
    if (!genres.isEmpty() && !genres.equals(NO_GENRES)) {
      ArrayNode array = features.putArray("genres");
      for (String genre : genres.split("\\|", -1)) {
        array.add(genre);
      }
    }
    return features;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    Rows.Row row = ratings.next();
    if (row == null) {
      return null;
    }
    Origin origin = new Origin(ratings.file(), row.line());
    if (row.problem() != null) {
      return new Rejected(origin, row.problem(), row.text());
    }
    try {
      return new Read(decision(row.values(), origin));
    } catch (UnreadableLine e) {
      return new Rejected(origin, String.valueOf(e.getMessage()), row.text());
    }
  }

  private LoggedDecision decision(ObjectNode row, Origin origin) throws UnreadableLine {
    String movie = required(row, "movieId").asText();
    Candidate shown = movies.get(movie);
    if (shown == null) {
      throw new UnreadableLine("movieId is '" + movie + "', which is not in movies.csv");
    }
    double rating = FeatureValues.number("rating", required(row, "rating"));
    if (rating < 0 || rating > MOST_STARS) {
      throw new UnreadableLine("rating is " + rating + ", must be from 0 to 5");
    }
    double seconds = FeatureValues.number("timestamp", required(row, "timestamp"));
    if (Math.abs(seconds) > MAX_SECONDS) {
      throw new UnreadableLine("timestamp is " + seconds + ", must be in seconds");
    }
    long micros = Math.round(seconds * 1e6);
    String id = "rating-" + origin.line();
    SampledCandidates.Sample sample = pool.around(shown, id);
    return new LoggedDecision(
        id,
        required(row, "userId").asText(),
        micros,
        context(micros),
        sample.candidates(),
        List.of(new Slot(sample.chosen(), Double.NaN, null)),
        1,
        true,
        Propensities.NONE,
        OptionalInt.empty(),
        "movielens",
        reactions(rating, micros),
        origin);
  }

  private ObjectNode context(long micros) {
    ObjectNode context = JsonNodeFactory.instance.objectNode();
    if (surface.context().stream().anyMatch(feature -> feature.name().equals("hour"))) {
      Instant time = Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L));
      context.put("hour", time.atOffset(ZoneOffset.UTC).getHour());
    }
    return context;
  }

  private List<Reaction> reactions(double rating, long micros) {
    List<Reaction> reactions = new ArrayList<>();
    if (surface.signal("rating").isPresent()) {
      reactions.add(new Reaction("rating", 0, rating, micros));
    }
    if (surface.signal("liked").isPresent() && rating >= LIKED) {
      reactions.add(new Reaction("liked", 0, 1, micros));
    }
    return reactions;
  }

  private static JsonNode required(ObjectNode row, String column) throws UnreadableLine {
    JsonNode value = row.get(column);
    if (value == null) {
      throw new UnreadableLine("has no " + column);
    }
    return Objects.requireNonNull(value);
  }

  @Override
  public double progress() {
    return ratings.progress();
  }

  @Override
  public void close() throws IOException {
    ratings.close();
  }
}
