package io.bellwether.trainer.lineage;

import io.bellwether.policy.object.Depot;
import io.bellwether.policy.version.Alias;
import io.bellwether.policy.version.AliasMove;
import io.bellwether.policy.version.Evidence;
import io.bellwether.policy.version.GateVerdict;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.recipe.ReadFile;
import io.bellwether.trainer.recipe.Recipe;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Follows the record of a store both ways: from a version to what it came from and to what came of
 * it, and from data or an experiment to the versions. Thread-safe.
 */
public final class Lineage {

  private static final int FEWEST_DIGITS = 8;

  private final PolicyStore store;
  private final PinnedVersions pinned;

  /**
   * @param depot the store's, which has the experiments
   */
  public Lineage(PolicyStore store, Depot depot) {
    this.store = store;
    this.pinned = new PinnedVersions(depot);
  }

  /**
   * A version's lineage.
   *
   * @param trace of the archive in which to look for decisions; empty: nowhere
   */
  public VersionLineage of(VersionId id, Optional<ArchiveTrace> trace) {
    PolicyVersion version = store.version(id);
    PolicyManifest manifest = store.manifest(id);
    Optional<Recipe> recipe = Recipe.of(store, id);
    List<PolicyVersion> all = store.versions(version.name());
    return new VersionLineage(
        id.value(),
        version.name(),
        version.sequence(),
        store.state(id).name().toLowerCase(Locale.ROOT),
        manifest.createdAt().toString(),
        manifest.createdBy(),
        data(manifest, recipe, trace),
        new VersionLineage.Declared(
            manifest.surfaceDigest(),
            manifest.features().digest(),
            manifest.hasFile(Recipe.SURFACE)),
        new VersionLineage.Code(
            manifest.codeVersion(),
            recipe.map(Recipe::codeSha256).filter(sha -> !sha.isEmpty()).orElse(null)),
        settings(manifest, recipe),
        ancestors(manifest),
        ids(all.stream().filter(each -> id.equals(store.manifest(each.id()).parent())).toList()),
        sameData(id, manifest, all),
        store.evidence(id).stream().map(Lineage::found).toList(),
        releases(version),
        pinned.all().stream()
            .filter(each -> each.version().equals(id.value()))
            .map(
                each ->
                    new VersionLineage.Tried(
                        each.experiment(), each.variant(), each.status(), each.from()))
            .toList(),
        trace.map(looked -> made(id, looked)).orElse(null),
        trace.map(looked -> taught(id, all, looked)).orElse(null));
  }

  /**
   * A use of data by a version.
   *
   * @param what the rows as a whole, or a file
   * @param sha256 of it
   */
  public record Use(String version, String policy, String what, String sha256) {}

  /**
   * The versions that were trained on some data.
   *
   * @param word a SHA-256 of rows or of an archive's file, or its first eight digits or more; a
   *     file's path or the end of one; or a day, such as {@code 2026-11-30}
   */
  public List<Use> trainedOn(String word) {
    List<Use> uses = new ArrayList<>();
    for (String name : store.names()) {
      for (PolicyVersion version : store.versions(name)) {
        uses(version, word, uses);
      }
    }
    return List.copyOf(uses);
  }

  /** A version that an experiment showed, and how often an archive says so. */
  public record Shown(String variant, String version, String status, String from, long decisions) {}

  /** The versions of an experiment by variant; empty where the store has none of this name. */
  public List<Shown> experiment(String name, List<ArchiveTrace> traces) {
    return pinned.of(name).stream()
        .map(
            each ->
                new Shown(
                    each.variant(),
                    each.version(),
                    each.status(),
                    each.from(),
                    traces.stream()
                        .map(trace -> trace.versions().get(each.version()))
                        .filter(made -> made != null)
                        .mapToLong(
                            made -> made.variants().getOrDefault(name + "/" + each.variant(), 0L))
                        .sum()))
        .toList();
  }

  /** The names of all experiments. */
  public List<String> experiments() {
    return pinned.experiments();
  }

  private void uses(PolicyVersion version, String word, List<Use> uses) {
    PolicyManifest manifest = store.manifest(version.id());
    if (manifest.data().rows() == 0) {
      return;
    }
    String id = version.id().value();
    String digest = manifest.data().digest();
    Optional<LocalDate> day = day(word);
    List<ReadFile> files = Recipe.of(store, version.id()).map(Recipe::files).orElse(List.of());
    boolean rows = word.length() >= FEWEST_DIGITS && digest.startsWith(word);
    if (rows || (day.isPresent() && files.isEmpty() && covers(manifest, day.get()))) {
      uses.add(new Use(id, version.name(), "all rows", digest));
    }
    for (ReadFile file : files) {
      if (matches(file, word, day)) {
        uses.add(new Use(id, version.name(), file.path(), file.sha256()));
      }
    }
  }

  private static boolean matches(ReadFile file, String word, Optional<LocalDate> day) {
    if (day.isPresent()) {
      return file.path().contains("/day=" + day.get() + "/");
    }
    String path = word.replace('\\', '/');
    return (word.length() >= FEWEST_DIGITS && file.sha256().startsWith(word))
        || file.path().equals(path)
        || path.endsWith("/" + file.path())
        || file.path().endsWith("/" + path);
  }

  private static Optional<LocalDate> day(String word) {
    try {
      return Optional.of(LocalDate.parse(word));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static boolean covers(PolicyManifest manifest, LocalDate day) {
    Instant start = day.atStartOfDay(ZoneOffset.UTC).toInstant();
    Instant end = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    return manifest.data().from().isBefore(end) && !manifest.data().to().isBefore(start);
  }

  private static VersionLineage.Data data(
      PolicyManifest manifest, Optional<Recipe> recipe, Optional<ArchiveTrace> trace) {
    List<ReadFile> files = recipe.map(Recipe::files).orElse(List.of());
    return new VersionLineage.Data(
        manifest.data().source(),
        manifest.data().from().toString(),
        manifest.data().to().toString(),
        manifest.data().rows(),
        manifest.data().digest(),
        files.stream()
            .map(
                file ->
                    new VersionLineage.DataFile(
                        file.path(), file.sha256(), file.bytes(), file.rows()))
            .toList(),
        trace
            .map(looked -> looked.madeBy(files.stream().map(ReadFile::path).toList()))
            .orElse(null));
  }

  private static VersionLineage.Settings settings(
      PolicyManifest manifest, Optional<Recipe> recipe) {
    return new VersionLineage.Settings(
        manifest.algorithm(),
        manifest.seed(),
        recipe.map(Recipe::epochs).orElse(null),
        recipe.map(Recipe::batchSize).orElse(null),
        recipe.map(Recipe::heldOutShare).orElse(null),
        recipe.map(Recipe::asOf).map(Instant::toString).orElse(null));
  }

  /** Ends at a parent that the store does not have, which an imported version may name. */
  private List<String> ancestors(PolicyManifest manifest) {
    Set<String> known = new LinkedHashSet<>();
    store.names().forEach(name -> known.addAll(ids(store.versions(name))));
    Set<String> ancestors = new LinkedHashSet<>();
    VersionId parent = manifest.parent();
    while (parent != null && ancestors.add(parent.value())) {
      parent = known.contains(parent.value()) ? store.manifest(parent).parent() : null;
    }
    return List.copyOf(ancestors);
  }

  private List<String> sameData(VersionId id, PolicyManifest manifest, List<PolicyVersion> all) {
    return manifest.data().rows() == 0
        ? List.of()
        : ids(
            all.stream()
                .filter(each -> !each.id().equals(id))
                .filter(
                    each ->
                        store.manifest(each.id()).data().digest().equals(manifest.data().digest()))
                .toList());
  }

  private static List<String> ids(List<PolicyVersion> versions) {
    return versions.stream().map(each -> each.id().value()).toList();
  }

  private static VersionLineage.Found found(Evidence evidence) {
    GateVerdict verdict = evidence.verdict();
    return new VersionLineage.Found(
        evidence.sequence(),
        evidence.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        verdict == null ? null : verdict.word(),
        evidence.content().sha256(),
        evidence.who(),
        evidence.at().toString());
  }

  private List<VersionLineage.Released> releases(PolicyVersion version) {
    List<VersionLineage.Released> releases = new ArrayList<>();
    for (Alias alias : Alias.values()) {
      for (AliasMove move : store.history(version.name(), alias)) {
        if (version.id().equals(move.to())) {
          releases.add(
              new VersionLineage.Released(
                  alias.word(), move.at().toString(), move.who(), move.why(), move.rollback()));
        }
      }
    }
    return releases;
  }

  private static VersionLineage.Decisions made(VersionId id, ArchiveTrace trace) {
    ArchiveTrace.Made made = trace.versions().get(id.value());
    return made == null
        ? new VersionLineage.Decisions(trace.root().toString(), 0, null, null, new TreeMap<>())
        : new VersionLineage.Decisions(
            trace.root().toString(),
            made.decisions(),
            made.from().toString(),
            made.to().toString(),
            made.variants());
  }

  private SortedMap<String, Long> taught(
      VersionId id, List<PolicyVersion> all, ArchiveTrace trace) {
    SortedMap<String, Long> taught = new TreeMap<>();
    for (PolicyVersion other : all) {
      List<String> files =
          Recipe.of(store, other.id())
              .filter(recipe -> recipe.archive().equals(trace.root().toString()))
              .map(recipe -> recipe.files().stream().map(ReadFile::path).toList())
              .orElse(List.of());
      long rows = trace.madeBy(files).getOrDefault(id.value(), 0L);
      if (rows > 0) {
        taught.put(other.id().value(), rows);
      }
    }
    return taught;
  }
}
