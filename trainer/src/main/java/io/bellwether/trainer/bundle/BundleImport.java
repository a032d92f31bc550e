package io.bellwether.trainer.bundle;

import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.GraphMismatchException;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.policy.signature.Envelope;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.PolicyFile;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.PolicyVersion;
import io.bellwether.policy.version.TrainingData;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.SurfaceSchema;
import io.bellwether.trainer.recipe.Recipe;
import io.bellwether.trainer.recipe.SurfaceText;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes versions into a store: a {@link Bundle} under the id that it had, or a plain ONNX graph as
 * a new version. Either is checked as a whole before anything is stored; a verdict is not taken
 * over, since it was found on another log. Thread-safe.
 */
public final class BundleImport {

  /** The word for a graph of unknown origin in manifests. */
  public static final String ALGORITHM = "imported";

  private final PolicyStore store;
  private final Clock clock;
  private final String who;

  /**
   * @param store that takes the version in
   * @param clock dates versions that are made of plain graphs
   * @param who imports
   */
  public BundleImport(PolicyStore store, Clock clock, String who) {
    this.store = store;
    this.clock = clock;
    this.who = who;
  }

  /** Whether this is a bundle, and not an MLflow model of somebody else. */
  public static boolean isWhole(Bundle bundle) {
    return bundle.find(Bundle.MANIFEST).isPresent();
  }

  /**
   * Takes a bundle in, with its signatures and its Reward Report as evidence.
   *
   * @throws BundleRefused where a file is missing, too much, or not the one that the manifest names
   */
  public PolicyVersion bundle(Bundle bundle) {
    byte[] written =
        bundle
            .find(Bundle.MANIFEST)
            .orElseThrow(() -> new BundleRefused("there is no " + Bundle.MANIFEST));
    PolicyManifest manifest = manifest(written);
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (PolicyFile file : manifest.files()) {
      byte[] bytes =
          bundle
              .find(file.path())
              .orElseThrow(() -> new BundleRefused("there is no " + file.path()));
      String digest = SurfaceText.digest(bytes);
      if (bytes.length != file.size() || !digest.equals(file.sha256())) {
        throw new BundleRefused(
            "%s has SHA-256 %s and %d bytes, the manifest says %s and %d"
                .formatted(file.path(), digest, bytes.length, file.sha256(), file.size()));
      }
      files.put(file.path(), bytes);
    }
    checkAttestations(bundle);
    PolicyVersion version = published(manifest, files);
    attach(version.id(), bundle);
    return version;
  }

  /**
   * Makes a version of a plain graph.
   *
   * @param graph with the inputs and outputs that the surface's features ask for
   * @param declaration the surface's file; empty where it is not at hand
   * @param origin where the graph came from, in words
   * @throws BundleRefused where it does not fit the surface, or does not run
   */
  public PolicyVersion graph(
      byte[] graph, Surface surface, Optional<byte[]> declaration, String origin) {
    Instant now = clock.instant();
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put(PolicyManifest.GRAPH, graph);
    declaration.ifPresent(yaml -> files.put(Recipe.SURFACE, yaml));
    return published(
        new PolicyManifest(
            surface.name(),
            PolicyManifest.ONNX,
            who,
            now,
            surface.digest(),
            SurfaceSchema.policy(surface),
            ALGORITHM,
            0,
            new TrainingData("unknown: imported from " + origin, now, now, 0, ""),
            "unknown",
            null,
            null,
            Map.of(),
            List.of()),
        files);
  }

  private PolicyVersion published(PolicyManifest manifest, Map<String, byte[]> files) {
    try {
      return store.publish(manifest, files);
    } catch (GraphMismatchException | ScoringException | IllegalArgumentException e) {
      throw new BundleRefused(
          "the graph does not fit surface %s: %s".formatted(manifest.name(), e.getMessage()), e);
    }
  }

  private static PolicyManifest manifest(byte[] written) {
    PolicyManifest manifest;
    try {
      manifest = PolicyManifest.fromBytes(written);
    } catch (UncheckedIOException | IllegalArgumentException | NullPointerException e) {
      throw new BundleRefused(Bundle.MANIFEST + " is no manifest: " + e.getMessage(), e);
    }
    if (!Arrays.equals(manifest.canonicalBytes(), written)) {
      throw new BundleRefused(
          Bundle.MANIFEST
              + " was altered, or written by a later release: its version would get another id");
    }
    return manifest;
  }

  private static void checkAttestations(Bundle bundle) {
    for (String name : bundle.names()) {
      if (name.startsWith(Bundle.ATTESTATIONS)) {
        try {
          Envelope.fromBytes(bundle.find(name).orElseThrow());
        } catch (IllegalArgumentException e) {
          throw new BundleRefused(name + " is no signature: " + e.getMessage(), e);
        }
      }
    }
  }

  private void attach(VersionId version, Bundle bundle) {
    for (String name : bundle.names()) {
      byte[] content = bundle.find(name).orElseThrow();
      if (name.startsWith(Bundle.ATTESTATIONS)) {
        attach(version, EvidenceKind.SIGNATURE, content);
      } else if (name.equals(Bundle.REWARD_REPORT)) {
        attach(version, EvidenceKind.REWARD_REPORT, content);
      }
    }
  }

  /** Nothing where just that is attached already. */
  private void attach(VersionId version, EvidenceKind kind, byte[] content) {
    boolean there =
        store.evidence(version).stream()
            .filter(each -> each.kind() == kind)
            .anyMatch(each -> each.content().sha256().equals(SurfaceText.digest(content)));
    if (!there) {
      store.attach(version, kind, content, who);
    }
  }
}
