package io.bellwether.serving.policy;

import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.schema.FeatureSchema;
import io.bellwether.policy.scoring.DecisionDifference;
import io.bellwether.policy.scoring.Device;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.Placement;
import io.bellwether.policy.scoring.Scorer;
import io.bellwether.policy.scoring.ScoringException;
import io.bellwether.policy.signature.TrustedKeys;
import io.bellwether.policy.version.PolicyManifest;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.serving.surface.DeclaredSurface;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * From a version's id to a scorer that may serve: who vouches for it, whether it fits its surface,
 * in which form and on which device it runs, and whether it keeps time on requests that came
 * lately. Whatever fails refuses the version and leaves nothing open. Thread-safe.
 */
@Singleton
final class VersionOpener {

  private final PolicyStore store;
  private final SignatureCheck signatures;
  private final GraphDevice device;
  private final RecentRequests recent;
  private final WarmUp warmUp;

  /**
   * A version that may serve.
   *
   * @param scorer the caller's to close
   * @param exploration of its manifest, absent where the surface's own holds
   */
  record Opened(Scorer scorer, @Nullable Exploration exploration, Facts facts) {}

  /**
   * What is known of an open version.
   *
   * @param vouchedBy in words
   * @param form {@code full}, {@code int8} or {@code pruned}
   * @param formNote why it is not the form that the surface asks for; empty where it is
   * @param device that was asked for
   * @param placement where its nodes ran
   * @param deviceNote why it does not run where it should; empty where it does
   * @param tried how it did on recent requests
   */
  record Facts(
      String vouchedBy,
      String form,
      String formNote,
      Device device,
      Placement placement,
      String deviceNote,
      WarmUp.Tried tried) {

    /** Whether it runs elsewhere than it was asked to: what nobody may overlook. */
    boolean strayed() {
      return !deviceNote.isEmpty();
    }
  }

  /** A form of a version's graph. */
  @SuppressWarnings("ArrayRecordComponent") // carried, not compared
  private record Form(String name, byte[] graph, String note) {}

  /** A graph that is open, and where. */
  private record OnDevice(Scorer scorer, Placement placement, String note) {}

  @Inject
  VersionOpener(
      PolicyStore store, SignatureCheck signatures, GraphDevice device, RecentRequests recent) {
    this(store, signatures, device, recent, new WarmUp(clock(device.wanted())));
  }

  VersionOpener(
      PolicyStore store,
      SignatureCheck signatures,
      GraphDevice device,
      RecentRequests recent,
      WarmUp warmUp) {
    this.store = store;
    this.signatures = signatures;
    this.device = device;
    this.recent = recent;
    this.warmUp = warmUp;
  }

  /**
   * Opens a version for a surface.
   *
   * @throws RuntimeException where it must not serve, with the reason
   */
  Opened open(DeclaredSurface surface, VersionId id) {
    String vouchedBy = signatures.require(store, id);
    PolicyManifest manifest = store.manifest(id);
    checkFits(surface, manifest);
    List<RecentRequests.Encoded> requests = recent.of(surface);
    Form form = form(surface, id, manifest, requests);
    OnDevice opened = open(form.graph(), manifest.features());
    try {
      WarmUp.Tried tried =
          warmUp.run(opened.scorer(), requests, surface.surface().maxCandidates(), limit(surface));
      return new Opened(
          opened.scorer(),
          manifest.exploration(),
          new Facts(
              vouchedBy,
              form.name(),
              form.note(),
              device.wanted(),
              opened.placement(),
              opened.note(),
              tried));
    } catch (RuntimeException e) {
      opened.scorer().close();
      throw e;
    }
  }

  /** The keys that are trusted now; the same object as before where nothing has changed. */
  TrustedKeys keys() {
    return signatures.keys();
  }

  /**
   * Asks again who vouches for a version that is open.
   *
   * @throws UntrustedVersionException where it would not be opened any more
   */
  void vouch(VersionId id) {
    String unused = signatures.require(store, id);
  }

  /**
   * On the processor a graph runs on its caller's thread, whose own time counts: a version is not
   * slow because others use the machine. A GPU takes no time of a thread.
   */
  private static LongSupplier clock(Device device) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return device == Device.CPU && threads.isCurrentThreadCpuTimeSupported()
        ? threads::getCurrentThreadCpuTime
        : System::nanoTime;
  }

  private static Duration limit(DeclaredSurface surface) {
    double nanos = surface.surface().deadline().toNanos() * WarmUp.SHARE_OF_DEADLINE;
    return Duration.ofNanos((long) nanos);
  }

  private static void checkFits(DeclaredSurface surface, PolicyManifest manifest) {
    if (!manifest.name().equals(surface.name())) {
      throw new VersionRefusedException(
          "it is a version of %s, not of %s".formatted(manifest.name(), surface.name()));
    }
    FeatureLayout layout = surface.layout();
    FeatureSchema features = manifest.features();
    boolean fits =
        layout.digest().equals(features.digest())
            && layout.contextWidth() == features.contextWidth()
            && layout.historyLength() == features.historyLength()
            && layout.historyWidth() == features.historyWidth()
            && layout.itemWidth() == features.itemWidth();
    if (!fits) {
      throw new VersionRefusedException(
          "it was trained for the feature layout %s, the surface declares %s"
              .formatted(features.digest(), layout.digest()));
    }
  }

  /**
   * The form that the surface asks for, if training has measured that it decides alike, and if it
   * does so on the requests that came lately; else the full one.
   */
  private Form form(
      DeclaredSurface surface,
      VersionId id,
      PolicyManifest manifest,
      List<RecentRequests.Encoded> requests) {
    byte[] full = store.file(id, PolicyManifest.GRAPH);
    Surface.GraphChoice choice = surface.surface().graph();
    if (choice.form() == Surface.GraphChoice.Form.FULL) {
      return new Form("full", full, "");
    }
    String name = choice.form().name().toLowerCase(Locale.ROOT);
    String file =
        switch (choice.form()) {
          case FULL -> PolicyManifest.GRAPH;
          case INT8 -> PolicyManifest.INT8_GRAPH;
          case PRUNED -> PolicyManifest.PRUNED_GRAPH;
        };
    if (!manifest.hasFile(file)) {
      return new Form("full", full, "it has no %s form".formatted(name));
    }
    OptionalDouble changed = metric(manifest.metrics(), name + ".changedSlates");
    OptionalDouble difference = metric(manifest.metrics(), name + ".propensityDifference");
    if (changed.isEmpty() || difference.isEmpty()) {
      return new Form(
          "full", full, "how differently its %s form decides was not measured".formatted(name));
    }
    if (changed.getAsDouble() > choice.changedSlates()
        || difference.getAsDouble() > choice.propensityDifference()) {
      return new Form("full", full, words(name, "in training", changed.getAsDouble(), difference));
    }
    byte[] smaller = store.file(id, file);
    if (!requests.isEmpty()) {
      DecisionDifference.Measured live = compare(surface, manifest, full, smaller, requests);
      if (!live.within(choice.changedSlates(), choice.propensityDifference())) {
        return new Form(
            "full",
            full,
            words(
                name,
                "on the latest requests",
                live.changedSlates(),
                OptionalDouble.of(live.propensityDifference())));
      }
    }
    return new Form(name, smaller, "");
  }

  private static String words(
      String form, String where, double changed, OptionalDouble difference) {
    return "its %s form decides too differently %s: %.4f of slates, chances by %.4f"
        .formatted(form, where, changed, difference.orElseThrow());
  }

  private static OptionalDouble metric(Map<String, Double> metrics, String name) {
    Double value = metrics.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static DecisionDifference.Measured compare(
      DeclaredSurface surface,
      PolicyManifest manifest,
      byte[] full,
      byte[] smaller,
      List<RecentRequests.Encoded> requests) {
    Exploration exploration =
        manifest.exploration() == null ? Versions.declared(surface) : manifest.exploration();
    try (Scorer reference = Scorer.open(full, manifest.features());
        Scorer other = Scorer.open(smaller, manifest.features())) {
      DecisionDifference difference =
          new DecisionDifference(reference, other, exploration, surface.surface().slateSize());
      requests.forEach(each -> difference.add(each.context(), each.history(), each.items()));
      return difference.measured();
    }
  }

  /** On the wanted device, or on the processor where that fails, which is then told. */
  private OnDevice open(byte[] graph, FeatureSchema features) {
    if (device.wanted() == Device.CPU) {
      return onDevice(graph, features, Device.CPU, "");
    }
    try {
      return onDevice(graph, features, device.wanted(), "");
    } catch (ScoringException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return onDevice(
          graph, features, Device.CPU, "it cannot run on " + device.wanted() + ": " + cause);
    }
  }

  private static OnDevice onDevice(
      byte[] graph, FeatureSchema features, Device device, String note) {
    Placement placement = Placement.measure(graph, features, device);
    String strayed =
        placement.strayedFrom(device) ? "asked for " + device + ", ran on " + placement : note;
    return new OnDevice(Scorer.open(graph, features, device), placement, strayed);
  }
}
