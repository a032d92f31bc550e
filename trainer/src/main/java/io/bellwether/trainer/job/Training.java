package io.bellwether.trainer.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.SessionCluster;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.trainer.data.ArchiveSource;
import io.bellwether.trainer.data.DataSummary;
import io.bellwether.trainer.data.Reread;
import io.bellwether.trainer.data.Subjects;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.recipe.Recipe;
import io.bellwether.trainer.recipe.SurfaceText;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * From logged transitions to a published policy version: runs the {@link TrainingJob} where Flink's
 * environment points to (in this process, unless a cluster runs the program), follows its progress,
 * and publishes what it leaves. Thread-safe for runs in different folders.
 */
public final class Training {

  private final PolicyStore store;
  private final Clock clock;
  private final String codeVersion;
  private final Consumer<String> progress;
  private final Optional<SessionCluster> cluster;

  /**
   * Where Flink's environment points to: in this process, unless a cluster runs the program.
   *
   * @param store that the version is published in
   * @param clock dates the version
   * @param codeVersion of the trainer, for the manifest
   * @param progress takes a line now and then
   */
  public Training(PolicyStore store, Clock clock, String codeVersion, Consumer<String> progress) {
    this(store, clock, codeVersion, progress, Optional.empty());
  }

  private Training(
      PolicyStore store,
      Clock clock,
      String codeVersion,
      Consumer<String> progress,
      Optional<SessionCluster> cluster) {
    this.store = store;
    this.clock = clock;
    this.codeVersion = codeVersion;
    this.progress = progress;
    this.cluster = cluster;
  }

  /** The same on this cluster, which must reach the archive and the run's folder where we do. */
  public Training on(SessionCluster other) {
    return new Training(store, clock, codeVersion, progress, Optional.of(other));
  }

  /**
   * Trains and publishes.
   *
   * @throws TrainingFailed when the data cannot be used or training came to nothing; nothing is
   *     published then
   * @throws IOException when the source, the run's folder or the cluster fails
   */
  public PolicyVersion run(TrainingRequest asked) throws IOException {
    TrainingRequest request = fixed(asked);
    Recipe recipe =
        Recipe.of(
            request.epochs(),
            request.batchSize(),
            request.historyForm(),
            request.learners() > 0,
            request.heldOutShare(),
            request.asOf(),
            request.decidedBefore(),
            request.source());
    RunFolder folder = new RunFolder(request.folder());
    folder.prepare();
    folder.write(RunProgress.start());
    try (ProgressFollower follower = new ProgressFollower(folder, progress)) {
      execute(request);
      follower.catchUp();
    }
    LearnerOutcome outcome = folder.outcome();
    if (outcome instanceof LearnerOutcome.Refused refused) {
      throw new TrainingFailed(refused.kind(), refused.reason());
    }
    return publish(request, recipe, (LearnerOutcome.Trained) outcome);
  }

  /** What is recorded as read is what is read, whatever the archive gets meanwhile. */
  private static TrainingRequest fixed(TrainingRequest request) throws IOException {
    return request.source() instanceof ArchiveSource archive
        ? request.withSource(archive.listed())
        : request;
  }

  private void execute(TrainingRequest request) throws IOException {
    TrainingJob job =
        new TrainingJob(
            request.source().forFlink(),
            request
                .method()
                .encoder(request.surface(), subjects(request))
                .before(request.decidedBefore())
                .reading(Reread.of(request.surface(), request.source(), request.asOf())),
            LearnerTask.of(request, metadata(request)),
            request.parallelism());
    try (StreamExecutionEnvironment environment = environment()) {
      environment.setParallelism(request.parallelism());
      job.addTo(environment);
      environment.execute("train " + request.surface().name());
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("the training job of " + request.surface().name() + " failed", e);
    }
  }

  private StreamExecutionEnvironment environment() {
    Configuration configuration = TrainingJob.configuration();
    if (cluster.isEmpty()) {
      return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    }
    TrainingJob.surviveLosses(configuration);
    return cluster.get().environment(configuration);
  }

  private static Subjects subjects(TrainingRequest request) {
    return request.heldOutShare() == 0 ? Subjects.all() : Subjects.training(request.heldOutShare());
  }

  /** Nothing that differs from run to run: equal data and seeds shall give equal bytes. */
  private static SortedMap<String, String> metadata(TrainingRequest request) {
    SortedMap<String, String> metadata = new TreeMap<>();
    metadata.put("bellwether.surface", request.surface().name());
    metadata.put(
        "bellwether.feature_schema_sha256", SurfaceSchema.policy(request.surface()).digest());
    metadata.put("bellwether.algorithm", request.method().text());
    return metadata;
  }

  private PolicyVersion publish(
      TrainingRequest request, Recipe recipe, LearnerOutcome.Trained trained) throws IOException {
    Map<String, Double> metrics = new TreeMap<>(trained.metrics());
    metrics.put(Subjects.HELD_OUT_SHARE, request.heldOutShare());
    DataSummary data = trained.data();
    PolicyManifest manifest =
        new PolicyManifest(
            request.surface().name(),
            PolicyManifest.ONNX,
            "trainer",
            clock.instant(),
            request.surface().digest(),
            SurfaceSchema.policy(request.surface()),
            request.method().text(),
            request.seed(),
            new TrainingData(
                request.source().words(), data.from(), data.to(), data.decisions(), data.digest()),
            codeVersion,
            request.parent(),
            null,
            metrics,
            List.of());
    Map<String, byte[]> files = new TreeMap<>(trained.files());
    files.put(Recipe.FILE, recipe.toBytes());
    declaration(request).ifPresent(yaml -> files.put(Recipe.SURFACE, yaml));
    PolicyVersion version = store.publish(manifest, files);
    progress.accept(
        "published %s: %s on %d decisions of %d transitions read"
            .formatted(version.id(), request.method().text(), data.decisions(), data.read()));
    data.findings()
        .forEach((finding, count) -> progress.accept("  " + count + " " + finding.words()));
    return version;
  }

  /** The surface's file, from the request or from the archive, which keeps those of its rows. */
  private static Optional<byte[]> declaration(TrainingRequest request) throws IOException {
    String digest = request.surface().digest();
    byte[] given = request.declaration().getBytes(UTF_8);
    if (SurfaceText.digest(given).equals(digest)) {
      return Optional.of(given);
    }
    return request.source() instanceof ArchiveSource archive
        ? SurfaceText.find(archive.root().resolve("declarations"), digest)
        : Optional.empty();
  }
}
