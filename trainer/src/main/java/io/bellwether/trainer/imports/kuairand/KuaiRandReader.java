package io.bellwether.trainer.imports.kuairand;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Signal;
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
import io.bellwether.trainer.imports.table.ItemFile;
import io.bellwether.trainer.imports.table.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of some logs as decisions of one video each. Features and signals of the surface are the
 * dataset's columns of the same names, of the log, of the users' or of the videos' file; besides,
 * {@code hour} is the hour of {@code hourmin}, and {@code watch_seconds} is {@code play_time_ms} in
 * seconds. Users and videos that a decision needs are held in memory. Confined to one thread.
 */
final class KuaiRandReader implements LogReader {

  private static final String LIST_SEPARATOR = ",";
  private static final String WATCH_SECONDS = "watch_seconds";
  private static final String HOUR = "hour";

  /** KuaiRand-27K has 32 million videos, which would not fit. */
  private static final int MAX_VIDEOS = 1_000_000;

  private static final List<String> REQUIRED =
      List.of("user_id", "video_id", "hourmin", "time_ms", "is_rand", "tab");

  private final List<Path> logs;
  private final Iterator<Path> left;
  private final Surface surface;
  private final Map<String, ObjectNode> users;
  private final Map<String, Candidate> videos;
  private final SampledCandidates pool;
  private @Nullable CsvRows rows;
  private int opened;

  private KuaiRandReader(
      List<Path> logs,
      Surface surface,
      Map<String, ObjectNode> users,
      Map<String, Candidate> videos,
      SampledCandidates pool) {
    this.logs = logs;
    this.left = logs.iterator();
    this.surface = surface;
    this.users = users;
    this.videos = videos;
    this.pool = pool;
  }

  static KuaiRandReader open(KuaiRandFiles files, List<Path> logs, int candidates, Surface surface)
      throws IOException {
    Set<String> atRandom = new LinkedHashSet<>();
    Set<String> shown = new LinkedHashSet<>();
    for (Path file : files.random()) {
      collect(file, atRandom, true);
    }
    for (Path file : logs) {
      collect(file, shown, false);
    }
    // Without a random log nobody says what could have been shown but was not.
    Set<String> inPool = atRandom.isEmpty() ? shown : atRandom;
    Map<String, Candidate> videos = new HashMap<>();
    if (files.videos().isPresent()) {
      Path file = files.videos().get();
      ItemFile.read(
              file,
              "video_id",
              sources(file, surface.item()),
              id -> inPool.contains(id) || shown.contains(id))
          .all()
          .forEach(video -> videos.put(video.itemId(), video));
    }
    inPool.forEach(id -> videos.putIfAbsent(id, unknown(id)));
    shown.forEach(id -> videos.putIfAbsent(id, unknown(id)));
    List<Candidate> pool = new ArrayList<>();
    for (String id : inPool) {
      Candidate video = videos.get(id);
      if (video != null) {
        pool.add(video);
      }
    }
    return new KuaiRandReader(
        logs, surface, users(files, surface), videos, new SampledCandidates(pool, candidates));
  }

  private static Candidate unknown(String id) {
    return new Candidate(id, JsonNodeFactory.instance.objectNode());
  }

  /** Adds the videos of a log. What cannot be read is told when the log is read. */
  private static void collect(Path file, Set<String> ids, boolean onlyAtRandom) throws IOException {
    try (CsvRows rows = CsvRows.open(file, ',')) {
      requireColumns(rows);
      for (Rows.Row row = rows.next(); row != null; row = rows.next()) {
        String id = row.values().path("video_id").asText("");
        if (!id.isEmpty() && (!onlyAtRandom || row.values().path("is_rand").asText().equals("1"))) {
          ids.add(id);
          if (ids.size() > MAX_VIDEOS) {
            throw new ImportRefused(
                file
                    + " shows more than "
                    + MAX_VIDEOS
                    + " videos; take KuaiRand-Pure or KuaiRand-1K, or the random log alone");
          }
        }
      }
    }
  }

  private static void requireColumns(CsvRows rows) {
    List<String> columns = rows.columns().orElseThrow();
    for (String column : REQUIRED) {
      if (!columns.contains(column)) {
        throw new ImportRefused(
            "%s has no column %s; it has %s"
                .formatted(rows.file(), column, String.join(", ", columns)));
      }
    }
  }

  /** The surface's features that a file has. */
  private static List<ItemFile.Source> sources(Path file, List<Feature> features)
      throws IOException {
    try (CsvRows rows = CsvRows.open(file, ',')) {
      List<String> columns = rows.columns().orElseThrow();
      return features.stream()
          .filter(feature -> columns.contains(feature.name()))
          .map(feature -> new ItemFile.Source(feature, feature.name(), LIST_SEPARATOR))
          .toList();
    }
  }

  private static Map<String, ObjectNode> users(KuaiRandFiles files, Surface surface)
      throws IOException {
    Map<String, ObjectNode> users = new HashMap<>();
    if (files.users().isPresent()) {
      Path file = files.users().get();
      List<ItemFile.Source> sources = sources(file, surface.context());
      if (!sources.isEmpty()) {
        ItemFile.read(file, "user_id", sources, id -> true)
            .all()
            .forEach(user -> users.put(user.itemId(), user.features()));
      }
    }
    return users;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    while (true) {
      if (rows == null) {
        if (!left.hasNext()) {
          return null;
        }
        rows = CsvRows.open(left.next(), ',');
        opened++;
      }
      Rows.Row row = rows.next();
      if (row != null) {
        return entry(row, new Origin(rows.file(), row.line()));
      }
      rows.close();
      rows = null;
    }
  }

  private Entry entry(Rows.Row row, Origin origin) {
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
    String user = required(row, "user_id").asText();
    String video = required(row, "video_id").asText();
    long micros = Math.round(FeatureValues.number("time_ms", required(row, "time_ms")) * 1000);
    boolean atRandom = FeatureValues.flag("is_rand", required(row, "is_rand"));
    String id = name(origin) + "-" + origin.line();
    Candidate shown = videos.getOrDefault(video, unknown(video));
    SampledCandidates.Sample sample = pool.around(shown, id);
    double share = 1.0 / sample.candidates().size();
    double[] chances = new double[sample.candidates().size()];
    java.util.Arrays.fill(chances, share);
    return new LoggedDecision(
        id,
        user,
        micros,
        context(row, user),
        sample.candidates(),
        List.of(
            atRandom
                ? new Slot(sample.chosen(), share, chances)
                : new Slot(sample.chosen(), Double.NaN, null)),
        1,
        true,
        atRandom ? Propensities.EXACT : Propensities.NONE,
        OptionalInt.empty(),
        atRandom ? "kuairand-random" : "kuairand-standard",
        reactions(row, micros),
        origin);
  }

  private static String name(Origin origin) {
    String name = origin.file().substring(origin.file().lastIndexOf('/') + 1);
    return name.substring(0, name.indexOf(".csv"));
  }

  private ObjectNode context(ObjectNode row, String user) throws UnreadableLine {
    ObjectNode context = JsonNodeFactory.instance.objectNode();
    ObjectNode known = users.get(user);
    if (known != null) {
      context.setAll(known);
    }
    for (Feature feature : surface.context()) {
      JsonNode value = row.get(feature.name());
      if (feature.name().equals(HOUR)) {
        double hourAndMinute = FeatureValues.number("hourmin", required(row, "hourmin"));
        value = JsonNodeFactory.instance.numberNode((int) hourAndMinute / 100);
      }
      if (value != null) {
        context.set(
            feature.name(), FeatureValues.of(feature, feature.name(), value, LIST_SEPARATOR));
      }
    }
    return context;
  }

  private List<Reaction> reactions(ObjectNode row, long micros) throws UnreadableLine {
    List<Reaction> reactions = new ArrayList<>();
    for (Signal signal : surface.signals()) {
      boolean watched = signal.name().equals(WATCH_SECONDS);
      String column = watched ? "play_time_ms" : signal.name();
      JsonNode value = row.get(column);
      if (value == null) {
        continue;
      }
      double number = FeatureValues.number(column, value);
      // A flag that is 0 was not observed; a number that is 0 was.
      if (signal.type() != Signal.Type.FLAG || number != 0) {
        reactions.add(new Reaction(signal.name(), 0, watched ? number / 1000 : number, micros));
      }
    }
    return reactions;
  }

  private static JsonNode required(ObjectNode row, String column) throws UnreadableLine {
    JsonNode value = row.get(column);
    if (value == null) {
      throw new UnreadableLine("has no " + column);
    }
    return value;
  }

  @Override
  public double progress() {
    return rows == null
        ? (double) opened / logs.size()
        : (opened - 1 + rows.progress()) / logs.size();
  }

  @Override
  public void close() throws IOException {
    if (rows != null) {
      rows.close();
    }
  }
}
