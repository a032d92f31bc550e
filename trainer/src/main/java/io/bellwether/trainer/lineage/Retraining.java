package io.bellwether.trainer.lineage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.archive.TransitionArchive;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.surface.InvalidSurfaceException;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.ingestion.surface.SurfaceReader;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.Training;
import io.bellwether.trainer.job.TrainingFailed;
import io.bellwether.trainer.job.TrainingMethod;
import io.bellwether.trainer.job.TrainingRequest;
import io.bellwether.trainer.recipe.CodeDigest;
import io.bellwether.trainer.recipe.Recipe;
import io.bellwether.trainer.recipe.SurfaceText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Trains a version again from what its record says, and compares what comes out byte for byte. The
 * new version goes to a store of its own and nobody serves it. Confined to one thread.
 *
 * <p>Read are the very files that the run read, where they are there and have their bytes. Where
 * some are gone, as after compaction, all of the archive is read as of the last row that the run
 * knew, and the digest over the rows tells whether that is the same data.
 */
public final class Retraining {

  private final PolicyStore store;
  private final Clock clock;
  private final String codeVersion;
  private final Choices choices;
  private final Consumer<String> progress;

  /**
   * What the caller chooses.
   *
   * @param folder of the new run, which keeps what came out
   * @param archive in place of the recorded one; absent: that one
   * @param surfaces folders in which the surface file may be, where the version does not have it
   * @param anyCode whether to go on where other code runs
   * @param parallelism readers that feed the learner
   */
  public record Choices(
      Path folder, @Nullable Path archive, List<Path> surfaces, boolean anyCode, int parallelism) {
    public Choices {
      surfaces = List.copyOf(surfaces);
    }
  }

  /**
   * @param store that has the version
   * @param codeVersion of the trainer that runs
   * @param progress takes a line now and then
   */
  public Retraining(
      PolicyStore store,
      Clock clock,
      String codeVersion,
      Choices choices,
      Consumer<String> progress) {
    this.store = store;
    this.clock = clock;
    this.codeVersion = codeVersion;
    this.choices = choices;
    this.progress = progress;
  }

  /**
   * Trains the version again.
   *
   * @throws IOException where the archive, the run's folder or the cluster fails
   */
  public Reproduction of(VersionId version) throws IOException {
    PolicyManifest manifest = store.manifest(version);
    if (manifest.data().rows() == 0) {
      return impossible(
          version + " was trained on nothing: " + manifest.data().source(),
          "Reproduce a version that was trained here.");
    }
    Optional<Recipe> recipe = Recipe.of(store, version);
    if (recipe.isEmpty()) {
      return impossible(
          "%s keeps no %s that this release reads: it was trained elsewhere, or by another one"
              .formatted(version, Recipe.FILE),
          "Train it again with today's release; what that publishes can be reproduced.");
    }
    Optional<String> other = otherCode(manifest, recipe.get());
    if (other.isPresent() && !choices.anyCode()) {
      return impossible(
          other.get(), "Run the release that trained it, or see what comes out with --any-code.");
    }
    Optional<byte[]> declaration = declaration(version, manifest, recipe.get());
    if (declaration.isEmpty()) {
      return impossible(
          "the file of surface %s with SHA-256 %s is gone"
              .formatted(manifest.name(), manifest.surfaceDigest()),
          "Name a folder that has it with --surfaces.");
    }
    return onData(version, manifest, recipe.get(), surface(declaration.get()));
  }

  private Reproduction onData(
      VersionId version, PolicyManifest manifest, Recipe recipe, Surface surface)
      throws IOException {
    Path root = archive(recipe);
    if (root == null) {
      return impossible(
          version + " was trained from " + manifest.data().source(),
          "Name an archive that has these transitions with --log.");
    }
    if (!Files.isDirectory(root)) {
      return impossible(
          "the data is gone: there is no folder " + root,
          "Name another copy of the archive with --log.");
    }
    KeptData kept = KeptData.of(recipe, root);
    if (!kept.altered().isEmpty()) {
      return new Reproduction.Different(
          kept.altered().stream().map(KeptData.Altered::difference).toList());
    }
    if (!kept.whole() && new TransitionArchive(root).files(surface.name()).isEmpty()) {
      return impossible(
          "the data is gone: %s has no transition of surface %s".formatted(root, surface.name()),
          "Name another copy of the archive with --log.");
    }
    progress.accept("Reading " + kept.words(recipe));
    return again(manifest, recipe, surface, kept, version);
  }

  private Reproduction again(
      PolicyManifest manifest, Recipe recipe, Surface surface, KeptData kept, VersionId version)
      throws IOException {
    PolicyStore scratch = new PolicyStore(choices.folder().resolve("store"), clock);
    TrainingRequest request =
        TrainingRequest.of(
                surface,
                kept.source(surface.name()),
                TrainingMethod.of(manifest.algorithm()),
                choices.folder())
            .withSeed(manifest.seed())
            .withEpochs(recipe.epochs())
            .withBatchSize(recipe.batchSize())
            .withHistoryForm(recipe.historyForm())
            .withLearners(recipe.shared() ? 1 : 0)
            .withHeldOutShare(recipe.heldOutShare())
            .withAsOf(kept.asOf(recipe))
            .withDecidedBefore(recipe.decidedBefore())
            .withParallelism(choices.parallelism());
    VersionId again;
    try {
      again = new Training(scratch, clock, codeVersion, this::follow).run(request).id();
    } catch (TrainingFailed e) {
      if (!kept.whole() && e.kind() == TrainingFailed.Kind.INVALID_DATA) {
        return gone(kept, recipe, String.valueOf(e.getMessage()));
      }
      return new Reproduction.Different(
          List.of(
              new Reproduction.Difference(
                  "the run", "trained to its end", String.valueOf(e.getMessage()))));
    }
    return compared(manifest, recipe, kept, version, scratch, again);
  }

  /** Nobody shall take what is only compared for a new version. */
  private void follow(String line) {
    if (!line.startsWith("published ")) {
      progress.accept(line);
    }
  }

  private Reproduction compared(
      PolicyManifest manifest,
      Recipe recipe,
      KeptData kept,
      VersionId version,
      PolicyStore scratch,
      VersionId again) {
    PolicyManifest found = scratch.manifest(again);
    List<Reproduction.Difference> differences = new ArrayList<>();
    if (!found.data().digest().equals(manifest.data().digest())) {
      if (!kept.whole() || forgets(kept)) {
        return gone(
            kept,
            recipe,
            "%d decisions of the %d that it was trained on can be read, or others than these"
                .formatted(found.data().rows(), manifest.data().rows()));
      }
      differences.add(
          new Reproduction.Difference(
              "training rows",
              "sha256 %s, %d decisions".formatted(manifest.data().digest(), manifest.data().rows()),
              "sha256 %s, %d decisions".formatted(found.data().digest(), found.data().rows())));
    }
    List<String> files = new ArrayList<>();
    for (String path : paths(manifest, found)) {
      byte[] was = manifest.hasFile(path) ? store.file(version, path) : null;
      byte[] is = found.hasFile(path) ? scratch.file(again, path) : null;
      FileDifference.between(path, was, is)
          .ifPresentOrElse(differences::add, () -> files.add(path));
    }
    metrics(manifest.metrics(), found.metrics(), differences);
    if (!differences.isEmpty()) {
      if (!recipe.platform().equals(Recipe.platformHere())) {
        differences.add(
            new Reproduction.Difference(
                "the machine", recipe.platform().toString(), Recipe.platformHere().toString()));
      }
      return new Reproduction.Different(differences);
    }
    return new Reproduction.Equal(
        files, found.data().rows(), found.data().digest(), kept.words(recipe));
  }

  /** All but the record of the run, which names where and by what it ran. */
  private static SortedSet<String> paths(PolicyManifest one, PolicyManifest other) {
    SortedSet<String> paths = new TreeSet<>();
    one.files().stream().map(PolicyFile::path).forEach(paths::add);
    other.files().stream().map(PolicyFile::path).forEach(paths::add);
    paths.remove(Recipe.FILE);
    paths.remove(Recipe.SURFACE);
    return paths;
  }

  private static void metrics(
      Map<String, Double> was, Map<String, Double> is, List<Reproduction.Difference> differences) {
    SortedSet<String> names = new TreeSet<>(was.keySet());
    names.addAll(is.keySet());
    for (String name : names) {
      Double recorded = was.get(name);
      Double found = is.get(name);
      if (recorded == null || !recorded.equals(found)) {
        differences.add(
            new Reproduction.Difference(
                "metric " + name,
                recorded == null ? "absent" : recorded.toString(),
                found == null ? "absent" : found.toString()));
      }
    }
  }

  private static Reproduction gone(KeptData kept, Recipe recipe, String what) {
    return impossible(
        "the data is gone: %s (read was %s)".formatted(what, kept.words(recipe)),
        "Name another copy of the archive with --log. Retention and erasure take data away for"
            + " good.");
  }

  private static boolean forgets(KeptData kept) {
    return !ErasedSubjects.in(kept.root()).isEmpty();
  }

  private @Nullable Path archive(Recipe recipe) {
    if (choices.archive() != null) {
      return choices.archive();
    }
    return recipe.archive().isEmpty() ? null : Path.of(recipe.archive());
  }

  private Optional<String> otherCode(PolicyManifest manifest, Recipe recipe) {
    if (!manifest.codeVersion().equals(codeVersion)) {
      return Optional.of(
          "it was trained by version %s of the code, and %s runs"
              .formatted(manifest.codeVersion(), codeVersion));
    }
    String running = CodeDigest.current();
    return recipe.codeSha256().equals(running)
        ? Optional.empty()
        : Optional.of(
            "it was trained by code with SHA-256 %s, and %s runs"
                .formatted(recipe.codeSha256(), running));
  }

  private Optional<byte[]> declaration(VersionId version, PolicyManifest manifest, Recipe recipe)
      throws IOException {
    String digest = manifest.surfaceDigest();
    if (manifest.hasFile(Recipe.SURFACE)) {
      return Optional.of(store.file(version, Recipe.SURFACE))
          .filter(yaml -> SurfaceText.digest(yaml).equals(digest));
    }
    List<Path> folders = new ArrayList<>(choices.surfaces());
    Path root = archive(recipe);
    if (root != null) {
      folders.add(root.resolve("declarations"));
    }
    for (Path folder : folders) {
      Optional<byte[]> found = SurfaceText.find(folder, digest);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Surface surface(byte[] yaml) throws IOException {
    try {
      return new SurfaceReader().parse(Recipe.SURFACE, yaml);
    } catch (InvalidSurfaceException e) {
      throw new IOException(
          "the surface's file is not read any more: " + new String(yaml, UTF_8).lines().findFirst(),
          e);
    }
  }

  private static Reproduction impossible(String reason, String next) {
    return new Reproduction.Impossible(reason, next);
  }
}
