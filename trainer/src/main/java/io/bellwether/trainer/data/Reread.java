package io.bellwether.trainer.data;

import io.bellwether.ingestion.archive.Declarations;
import io.bellwether.ingestion.attribution.Relabel;
import io.bellwether.ingestion.erasure.ErasedSubjects;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.evolution.LayoutTranslation;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.surface.Surface;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads what was logged under earlier declarations of a surface as the present one has it, as of a
 * time: signals follow from the outcomes by the present windows and rules, and rows of an earlier
 * layout are put into the present one, where the archive keeps the declaration that they were
 * encoded by. What was logged under the present declaration stays to the byte. Immutable and
 * thread-safe; travels to the tasks that read.
 */
public final class Reread implements Serializable {

  private static final long serialVersionUID = 1;

  private final String surface;
  private final String surfaceDigest;
  private final String featureDigest;
  private final Relabel relabel;
  private final @Nullable Instant asOf;
  private final HashMap<String, LayoutTranslation> translations;
  private final @Nullable String archive;
  private transient volatile @Nullable ErasedSubjects erased;

  private Reread(
      Surface surface,
      @Nullable Instant asOf,
      HashMap<String, LayoutTranslation> translations,
      @Nullable Path archive) {
    this.surface = surface.name();
    this.surfaceDigest = surface.digest();
    this.featureDigest = FeatureLayout.of(surface).digest();
    this.asOf = asOf;
    this.relabel = asOf == null ? Relabel.under(surface) : Relabel.under(surface).asOf(asOf);
    this.translations = translations;
    this.archive = archive == null ? null : archive.toString();
  }

  /**
   * How a source is read for a surface.
   *
   * @param asOf as of when; absent for all that is known
   */
  public static Reread of(Surface surface, TransitionSource source, @Nullable Instant asOf)
      throws IOException {
    HashMap<String, LayoutTranslation> translations = new HashMap<>();
    Path archive = source instanceof ArchiveSource files ? files.root() : null;
    if (archive != null) {
      String present = FeatureLayout.of(surface).digest();
      for (Surface earlier : new Declarations(archive).of(surface.name())) {
        String digest = FeatureLayout.of(earlier).digest();
        if (!digest.equals(present)) {
          LayoutTranslation.between(earlier, surface)
              .ifPresent(translation -> translations.put(digest, translation));
        }
      }
    }
    return new Reread(surface, asOf, translations, archive);
  }

  /**
   * A transition as it is to be used: the same object where nothing of it changes, and otherwise
   * another, or the same with its decision changed in place. Empty where it is to be forgotten.
   */
  public Optional<Transition> read(Transition logged) {
    Decision decision = logged.getDecision();
    if (!decision.getSurface().equals(surface)) {
      return Optional.of(logged);
    }
    if (erased().covers(decision.getSubjectId(), decision.getDecidedAtMicros())) {
      return Optional.empty();
    }
    Transition read = logged;
    boolean earlier = !decision.getSurfaceDigest().equals(surfaceDigest);
    if ((earlier || asOf != null) && holdsOutcomes(logged)) {
      read = relabel.relabel(logged);
    }
    if (!decision.getFeatureDigest().equals(featureDigest)) {
      LayoutTranslation translation = translations.get(decision.getFeatureDigest());
      if (translation != null) {
        translation.translate(decision);
      }
    }
    return Optional.of(read);
  }

  /** Whether a transition that was read was known at the time as of which is read. */
  public boolean isKnown(Transition read) {
    return new Selection(Subjects.all(), null, null, asOf).isKnown(read.getJoinedAtMicros());
  }

  private static boolean holdsOutcomes(Transition transition) {
    if (!transition.getOutcomes().isEmpty()) {
      return true;
    }
    for (SignalValue value : transition.getSignals()) {
      if (value.getOutcomes() > 0) {
        return false;
      }
    }
    return Relabel.keepsOutcomes(transition);
  }

  private ErasedSubjects erased() {
    ErasedSubjects known = erased;
    if (known == null) {
      known = archive == null ? new ErasedSubjects() : ErasedSubjects.in(Path.of(archive));
      erased = known;
    }
    return known;
  }

  /** Names what follows from the archive's declarations; empty where there are no earlier ones. */
  String words() {
    return translations.isEmpty()
        ? ""
        : ", translated from layouts " + new TreeSet<>(translations.keySet());
  }
}
