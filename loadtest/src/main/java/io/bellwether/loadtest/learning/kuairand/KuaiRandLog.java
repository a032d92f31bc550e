package io.bellwether.loadtest.learning.kuairand;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.ImportRefused;
import io.bellwether.trainer.imports.table.CsvRows;
import io.bellwether.trainer.imports.table.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What KuaiRand's recommender showed, in the order of time: the rows of the standard logs about the
 * videos that were shown most often before the split. Immutable; arrays are shared.
 *
 * <p>Source: Gao, Li, Zhang, Chen, Li, Lei, Jiang and He, "KuaiRand: An Unbiased Sequential
 * Recommendation Dataset with Randomly Exposed Videos", 2022. The choice of the most viewed videos
 * is that of Cai and others, "Two-Stage Constrained Actor-Critic for Short Video Recommendation",
 * 2023.
 *
 * @param rows in the order of time
 * @param videos their ids, the most viewed first
 * @param split number of rows before the split in time
 */
public record KuaiRandLog(List<Row> rows, List<String> videos, int split) {
  /** Watched seconds first, then flags, in the order of rewards. */
  static final List<String> SIGNALS =
      List.of("watch", "click", "like", "follow", "comment", "forward", "hate");

  private static final Pattern NAME = Pattern.compile("log_standard.*\\.csv(\\.gz)?");

  /**
   * One video that was shown to one person.
   *
   * @param video index into the log's videos
   * @param millis since the epoch
   * @param durationSeconds of the video
   * @param rewards in the order of {@link #SIGNALS}
   */
  @SuppressWarnings("ArrayRecordComponent") // shared, not compared
  public record Row(String user, int video, long millis, double durationSeconds, float[] rewards) {}

  public KuaiRandLog {
    rows = List.copyOf(rows);
    videos = List.copyOf(videos);
  }

  /** A row before it is known which videos are kept. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Read(String user, String video, long millis, double duration, float[] rewards) {}

  /**
   * Reads a folder, or its folder {@code data}.
   *
   * @param videos how many videos are kept
   * @param trainShare of all rows, the earliest, that stand before the split
   * @throws ImportRefused where there is no such log, or too little of it
   */
  public static KuaiRandLog read(Path folder, int videos, double trainShare) throws IOException {
    List<Read> all = new ArrayList<>();
    for (Path file : files(folder)) {
      read(file, all);
    }
    all.sort(
        Comparator.comparingLong(Read::millis)
            .thenComparing(Read::user)
            .thenComparing(Read::video));
    int before = (int) (trainShare * all.size());
    Map<String, Integer> kept = mostViewed(all.subList(0, before), videos);
    List<Row> rows = new ArrayList<>();
    int split = 0;
    for (int i = 0; i < all.size(); i++) {
      Read read = all.get(i);
      Integer video = kept.get(read.video);
      if (video != null) {
        rows.add(new Row(read.user, video, read.millis, read.duration, read.rewards));
        split += i < before ? 1 : 0;
      }
    }
    if (split == 0 || split == rows.size() || kept.size() < 2) {
      throw new ImportRefused(
          "%s has %d rows of the %d most viewed videos, %d of them before the split: too few"
              .formatted(folder, rows.size(), kept.size(), split));
    }
    List<String> names =
        kept.entrySet().stream()
            .sorted(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .toList();
    return new KuaiRandLog(rows, names, split);
  }

  private static List<Path> files(Path folder) throws IOException {
    Path data = folder.resolve("data");
    Path here = Files.isDirectory(data) ? data : folder;
    if (!Files.isDirectory(here)) {
      throw new ImportRefused("there is no folder " + folder);
    }
    try (Stream<Path> all = Files.list(here)) {
      List<Path> files =
          all.filter(file -> NAME.matcher(file.getFileName().toString()).matches())
              .sorted()
              .toList();
      if (files.isEmpty()) {
        throw new ImportRefused(here + " holds no log_standard*.csv");
      }
      return files;
    }
  }

  /** Rows that cannot be read are left out, as they are when such a log is imported. */
  private static void read(Path file, List<Read> to) throws IOException {
    try (CsvRows rows = CsvRows.open(file, ',')) {
      for (Rows.Row row = rows.next(); row != null; row = rows.next()) {
        if (row.problem() == null && isWhole(row.values())) {
          to.add(read(row.values()));
        }
      }
    }
  }

  private static boolean isWhole(ObjectNode row) {
    return Stream.of("user_id", "video_id", "time_ms", "play_time_ms", "duration_ms", "is_click")
        .noneMatch(name -> row.path(name).asText("").isEmpty());
  }

  private static Read read(ObjectNode row) {
    return new Read(
        row.path("user_id").asText(),
        row.path("video_id").asText(),
        row.path("time_ms").asLong(),
        row.path("duration_ms").asDouble() / 1_000,
        new float[] {
          (float) (row.path("play_time_ms").asDouble() / 1_000),
          flag(row, "is_click"),
          flag(row, "is_like"),
          flag(row, "is_follow"),
          flag(row, "is_comment"),
          flag(row, "is_forward"),
          flag(row, "is_hate")
        });
  }

  private static float flag(ObjectNode row, String name) {
    return row.path(name).asDouble() > 0 ? 1 : 0;
  }

  private static Map<String, Integer> mostViewed(List<Read> rows, int videos) {
    Map<String, Long> views = new HashMap<>();
    rows.forEach(row -> views.merge(row.video, 1L, Long::sum));
    List<String> order =
        views.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(videos)
            .map(Map.Entry::getKey)
            .toList();
    Map<String, Integer> kept = new HashMap<>();
    order.forEach(id -> kept.put(id, kept.size()));
    return kept;
  }
}
