package io.bellwether.trainer.lineage;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.policy.scoring.DecisionSeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroReadSupport;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;

/**
 * Which versions made the decisions of an archive, file by file. Only the columns that say so are
 * read. Immutable.
 *
 * @param root of the archive
 * @param surface that was looked at
 * @param files rows by version, by path inside the archive; a decision that was restated counts in
 *     each file that has it
 * @param versions each decision once
 */
public record ArchiveTrace(
    Path root,
    String surface,
    SortedMap<String, SortedMap<String, Long>> files,
    SortedMap<String, Made> versions) {

  private static final Schema ASSIGNMENT =
      SchemaBuilder.record("Assignment")
          .namespace("io.bellwether.ingestion.event")
          .fields()
          .requiredString("experiment")
          .requiredString("variant")
          .endRecord();
  private static final Schema COLUMNS =
      SchemaBuilder.record("Transition")
          .namespace("io.bellwether.ingestion.event")
          .fields()
          .name("decision")
          .type(
              SchemaBuilder.record("Decision")
                  .namespace("io.bellwether.ingestion.event")
                  .fields()
                  .requiredString("decisionId")
                  .requiredString("subjectId")
                  .requiredLong("decidedAtMicros")
                  .requiredString("policyVersion")
                  .name("assignment")
                  .type(SchemaBuilder.unionOf().nullType().and().type(ASSIGNMENT).endUnion())
                  .withDefault(null)
                  .endRecord())
          .noDefault()
          .endRecord();

  public ArchiveTrace {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
  }

  /**
   * What one version made.
   *
   * @param from time of its first decision
   * @param to time of its last
   * @param variants decisions by {@code experiment/variant}; those outside of experiments are not
   *     among them
   */
  public record Made(long decisions, Instant from, Instant to, SortedMap<String, Long> variants) {
    public Made {
      variants = Collections.unmodifiableSortedMap(new TreeMap<>(variants));
    }
  }

  /**
   * Reads all files of a surface; memory is eight bytes a decision.
   *
   * @throws IOException where a file cannot be read
   */
  public static ArchiveTrace of(Path root, String surface) throws IOException {
    ErasedSubjects erased = ErasedSubjects.in(root);
    SortedMap<String, SortedMap<String, Long>> files = new TreeMap<>();
    SortedMap<String, Tally> tallies = new TreeMap<>();
    List<Path> all;
    try {
      all = new TransitionArchive(root).files(surface);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path file : all) {
      SortedMap<String, Long> versions = new TreeMap<>();
      try (ParquetReader<GenericRecord> rows = rows(file)) {
        for (GenericRecord row = rows.read(); row != null; row = rows.read()) {
          GenericRecord decision = (GenericRecord) row.get("decision");
          long at = (Long) decision.get("decidedAtMicros");
          if (!erased.covers(decision.get("subjectId").toString(), at)) {
            String version = decision.get("policyVersion").toString();
            versions.merge(version, 1L, Long::sum);
            tallies.computeIfAbsent(version, id -> new Tally()).add(decision, at);
          }
        }
      }
      files.put(root.relativize(file).toString().replace('\\', '/'), versions);
    }
    SortedMap<String, Made> made = new TreeMap<>();
    tallies.forEach((version, tally) -> made.put(version, tally.made()));
    return new ArchiveTrace(root, surface, files, made);
  }

  private static ParquetReader<GenericRecord> rows(Path file) throws IOException {
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.set(AvroReadSupport.AVRO_REQUESTED_PROJECTION, COLUMNS.toString());
    configuration.set("parquet.avro.read.schema", COLUMNS.toString());
    return AvroParquetReader.<GenericRecord>builder(new LocalInputFile(file), configuration)
        .withDataModel(GenericData.get())
        .build();
  }

  /** The rows of these files by the version that made them; files that are not there add none. */
  SortedMap<String, Long> madeBy(List<String> paths) {
    SortedMap<String, Long> rows = new TreeMap<>();
    for (String path : paths) {
      SortedMap<String, Long> file = files.get(path);
      if (file != null) {
        file.forEach((version, count) -> rows.merge(version, count, Long::sum));
      }
    }
    return rows;
  }

  /** Confined to one thread. */
  private static final class Tally {
    private long[] ids = new long[64];
    private int count;
    private long from = Long.MAX_VALUE;
    private long to = Long.MIN_VALUE;
    private final TreeMap<String, Tally> variants = new TreeMap<>();

    void add(GenericRecord decision, long at) {
      long id = DecisionSeed.seedOf(decision.get("decisionId").toString());
      add(id, at);
      @Nullable Object assignment = decision.get("assignment");
      if (assignment instanceof GenericRecord assigned) {
        variants
            .computeIfAbsent(
                assigned.get("experiment") + "/" + assigned.get("variant"), name -> new Tally())
            .add(id, at);
      }
    }

    private void add(long id, long at) {
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, 2 * count);
      }
      ids[count++] = id;
      from = Math.min(from, at);
      to = Math.max(to, at);
    }

    private long distinct() {
      Arrays.sort(ids, 0, count);
      long distinct = 0;
      for (int i = 0; i < count; i++) {
        distinct += i == 0 || ids[i] != ids[i - 1] ? 1 : 0;
      }
      return distinct;
    }

    Made made() {
      SortedMap<String, Long> shown = new TreeMap<>();
      variants.forEach((name, tally) -> shown.put(name, tally.distinct()));
      return new Made(distinct(), time(from), time(to), shown);
    }

    private static Instant time(long micros) {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
  }
}
