package io.bellwether.ingestion.archive;

import io.bellwether.ingestion.event.Transition;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.parquet.avro.AvroParquetReader;
import org.apache.parquet.avro.AvroReadSupport;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.io.LocalInputFile;

/** How the files of an archive are read, whichever version of the schema they were written with. */
final class Parquet {

  private static final String READ_SCHEMA = "parquet.avro.read.schema";

  private Parquet() {}

  /** All of every row. */
  static ParquetReader<Transition> transitions(Path file) throws IOException {
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.set(READ_SCHEMA, Transition.getClassSchema().toString());
    return AvroParquetReader.<Transition>builder(new LocalInputFile(file), configuration)
        .withDataModel(SpecificData.getForClass(Transition.class))
        .build();
  }

  /** Which decision a row is of, and how new it is. */
  interface Keys {
    void accept(String decisionId, Copy copy);
  }

  /** Reads the keys of all rows. */
  static void forEachKey(Path file, Keys keys) throws IOException {
    Schema decision =
        SchemaBuilder.record("Decision")
            .fields()
            .requiredString("decisionId")
            .requiredLong("decidedAtMicros")
            .endRecord();
    Schema schema =
        SchemaBuilder.record("Transition")
            .fields()
            .name("decision")
            .type(decision)
            .noDefault()
            .requiredInt("revision")
            .requiredLong("joinedAtMicros")
            .endRecord();
    try (ParquetReader<GenericRecord> rows = columns(file, schema)) {
      for (GenericRecord row = rows.read(); row != null; row = rows.read()) {
        GenericRecord of = (GenericRecord) row.get("decision");
        keys.accept(
            of.get("decisionId").toString(),
            new Copy(
                (int) row.get("revision"),
                (long) row.get("joinedAtMicros"),
                (long) of.get("decidedAtMicros")));
      }
    }
  }

  /** Reads the subjects and times of all rows; whoever reads closes it. */
  static ParquetReader<GenericRecord> subjects(Path file) throws IOException {
    Schema decision =
        SchemaBuilder.record("Decision")
            .fields()
            .requiredString("subjectId")
            .requiredLong("decidedAtMicros")
            .endRecord();
    return columns(
        file,
        SchemaBuilder.record("Transition")
            .fields()
            .name("decision")
            .type(decision)
            .noDefault()
            .endRecord());
  }

  /** The subject of a row of {@link #subjects}. */
  static String subject(GenericRecord row) {
    return ((GenericRecord) row.get("decision")).get("subjectId").toString();
  }

  /** The time of the decision of a row of {@link #subjects}. */
  static long decidedAtMicros(GenericRecord row) {
    return (long) ((GenericRecord) row.get("decision")).get("decidedAtMicros");
  }

  private static ParquetReader<GenericRecord> columns(Path file, Schema schema) throws IOException {
    ParquetConfiguration configuration = new PlainParquetConfiguration();
    configuration.set(AvroReadSupport.AVRO_REQUESTED_PROJECTION, schema.toString());
    configuration.set(READ_SCHEMA, schema.toString());
    return AvroParquetReader.<GenericRecord>builder(new LocalInputFile(file), configuration)
        .build();
  }
}
