package io.bellwether.trainer.lineage;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a version came from, and what came of it. Its components are what scripts read as JSON:
 * times are ISO 8601, UTC, and what is not known is absent. Immutable.
 *
 * @param version its id
 * @param policy its name, equal to its surface's
 * @param sequence among the policy's versions
 * @param state where it stands
 * @param ancestors parent first
 * @param children versions that name it as their parent
 * @param sameData other versions that were trained on just these rows
 * @param evidence what was found out about it
 * @param releases moves of aliases to it
 * @param experiments variants that were pinned to it
 * @param made decisions that it made; absent where no archive was looked at
 * @param taught versions that were trained on files that hold its decisions, with those rows;
 *     absent likewise
 */
public record VersionLineage(
    String version,
    String policy,
    long sequence,
    String state,
    String createdAt,
    String createdBy,
    Data data,
    Declared surface,
    Code code,
    Settings settings,
    List<String> ancestors,
    List<String> children,
    List<String> sameData,
    List<Found> evidence,
    List<Released> releases,
    List<Tried> experiments,
    @Nullable Decisions made,
    @Nullable SortedMap<String, Long> taught) {

  /**
   * @param rows decisions
   * @param sha256 over the rows in their order
   * @param files that were read; empty where that was not recorded
   * @param madeBy rows of these files that are still there, by the version that made them; absent
   *     where no archive was looked at
   */
  public record Data(
      String source,
      String from,
      String to,
      long rows,
      String sha256,
      List<DataFile> files,
      @Nullable SortedMap<String, Long> madeBy) {}

  public record DataFile(String path, String sha256, long bytes, long rows) {}

  /**
   * @param kept whether the version has the file itself
   */
  public record Declared(String sha256, String featuresSha256, boolean kept) {}

  /**
   * @param sha256 over the classes that trained; absent where that was not recorded
   */
  public record Code(String version, @Nullable String sha256) {}

  /** What the run was told; absent what was not recorded. */
  public record Settings(
      String algorithm,
      long seed,
      @Nullable Double epochs,
      @Nullable Integer batchSize,
      @Nullable Double heldOutShare,
      @Nullable String asOf) {}

  public record Found(
      long sequence, String kind, @Nullable String verdict, String sha256, String who, String at) {}

  public record Released(String alias, String at, String who, String why, boolean rollback) {}

  public record Tried(String experiment, String variant, String status, String from) {}

  /**
   * @param variants by {@code experiment/variant}
   */
  public record Decisions(
      String archive,
      long decisions,
      @Nullable String from,
      @Nullable String to,
      SortedMap<String, Long> variants) {}
}
