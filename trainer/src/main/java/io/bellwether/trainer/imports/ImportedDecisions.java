package io.bellwether.trainer.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.ingestion.attribution.Attributed;
import io.bellwether.ingestion.attribution.Attribution;
import io.bellwether.ingestion.attribution.Observed;
import io.bellwether.ingestion.attribution.RefusedException;
import io.bellwether.ingestion.attribution.Shown;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Observation;
import io.bellwether.ingestion.event.Outcome;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.FeatureEncoder;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.session.DueTime;
import io.bellwether.ingestion.surface.Feature;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.trainer.imports.LoggedDecision.Candidate;
import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import io.bellwether.trainer.imports.LoggedDecision.Reaction;
import io.bellwether.trainer.imports.LoggedDecision.Slot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of somebody else's log as transitions of a surface, checked: each alone, as if it were
 * its own session and nothing had happened before; {@link SubjectLinks} knows better.
 *
 * <p>Features that the surface does not declare are left out of what is encoded, and stay in the
 * raw context. Where the log has no propensity, 1 stands there, and {@code NONE} says so. Confined
 * to one thread.
 */
final class ImportedDecisions {

  private static final String MODE = "IMPORTED";
  private static final Pattern DECISION_ID = Pattern.compile("[A-Za-z0-9._~-]{1,256}");
  private static final int MAX_ID_BYTES = 256;

  /** 1990 and 2100: what lies outside was read in a wrong unit. */
  private static final long EARLIEST_MICROS = 631_152_000_000_000L;

  private static final long LATEST_MICROS = 4_102_444_800_000_000L;

  /** The logarithm of a chance of 0: no such number, but one from which 0 comes out again. */
  private static final float LOG_OF_ZERO = -1000f;

  private static final double SAME_CHANCE = 1e-6;

  /** Where decisions share their items, those of longer lists are not kept as JSON each time. */
  private static final int MAX_RAW_OF_CATALOGUE = 32;

  /** Encoded items that are kept, for logs that share them. */
  private static final int MAX_KEPT_ITEMS = 1 << 20;

  private final String source;
  private final boolean catalogue;
  private final Surface surface;
  private final ReadTally tally;
  private final FeatureLayout layout;
  private final FeatureEncoder contexts;
  private final FeatureEncoder items;
  private final Declared contextNames;
  private final Declared itemNames;
  private final Attribution attribution;
  private final long windowMicros;
  private final DueTime due;
  private final IdentityHashMap<Candidate, float[]> encodedItems = new IdentityHashMap<>();

  ImportedDecisions(ImportSource source, Surface surface, ReadTally tally) {
    this.source = source.name();
    this.catalogue = source.catalogue();
    this.surface = surface;
    this.tally = tally;
    this.layout = FeatureLayout.of(surface);
    this.contexts = new FeatureEncoder(surface.context());
    this.items = new FeatureEncoder(surface.item());
    this.contextNames = new Declared("context", surface.context(), tally);
    this.itemNames = new Declared("item", surface.item(), tally);
    this.attribution = new Attribution(surface);
    this.windowMicros = surface.longestWindow().toNanos() / 1000;
    this.due = DueTime.of(surface);
  }

  /** The features that a surface declares, and those of a log that it does not. */
  private static final class Declared {
    private final String place;
    private final ReadTally tally;
    private final FeatureFit fit;
    private final Set<String> neverSeen = new HashSet<>();
    private final Set<String> unknownHere = new HashSet<>();

    Declared(String place, List<Feature> features, ReadTally tally) {
      this.place = place;
      this.tally = tally;
      this.fit = new FeatureFit(features);
      for (Feature feature : features) {
        if (!tally.seenFeatures.contains(place + "." + feature.name())) {
          neverSeen.add(feature.name());
        }
      }
    }

    /** The features that are declared, as the surface takes them. */
    JsonNode in(Candidate candidate) {
      return seen(fit.fit(candidate, unknownHere::add));
    }

    /** The same of a context. */
    JsonNode in(ObjectNode features) {
      return seen(fit.fit(features, unknownHere::add));
    }

    private ObjectNode seen(ObjectNode features) {
      if (!neverSeen.isEmpty()) {
        for (String name : List.copyOf(neverSeen)) {
          if (features.has(name)) {
            neverSeen.remove(name);
            tally.seenFeatures.add(place + "." + name);
          }
        }
      }
      return features;
    }

    /** Counts what this decision has and the surface does not declare. */
    void countUnknown() {
      if (!unknownHere.isEmpty()) {
        unknownHere.forEach(name -> tally.unknownFeature(place + "." + name));
        unknownHere.clear();
      }
    }
  }

  /**
   * The transition of a decision.
   *
   * @throws UnreadableLine where it cannot be one of this surface
   */
  Transition of(LoggedDecision logged) throws UnreadableLine {
    checkTime(logged);
    checkSlate(logged);
    checkPropensities(logged);
    Decision decision = decision(logged);
    contextNames.countUnknown();
    itemNames.countUnknown();
    List<Observed> observed = observed(logged, Shown.by(decision));
    List<Observation> outcomes = observations(observed);
    Attributed attributed = attribution.conclude(observed, decision.getSlate().size());
    return Transition.newBuilder()
        .setDecision(decision)
        .setSignals(attributed.signals())
        .setOutcomeCount(attributed.outcomeCount())
        .setOutsideWindow(attributed.outsideWindow())
        .setSessionId(decision.getDecisionId())
        .setStep(0)
        .setNextDecisionId(null)
        .setTerminated(false)
        .setTruncated(true)
        .setJoinedAtMicros(due.joinedAtMicros(logged.decidedAtMicros(), outcomes))
        .setOutcomes(outcomes)
        .build();
  }

  private void checkTime(LoggedDecision logged) throws UnreadableLine {
    long micros = logged.decidedAtMicros();
    if (micros < EARLIEST_MICROS || micros > LATEST_MICROS) {
      throw new UnreadableLine(
          "time is "
              + java.time.Instant.EPOCH.plus(micros, java.time.temporal.ChronoUnit.MICROS)
              + ", must be from 1990 to 2100; is it in another unit?");
    }
    if (!(logged.sampleWeight() > 0) || Double.isInfinite(logged.sampleWeight())) {
      throw new UnreadableLine(
          "weight is " + logged.sampleWeight() + ", must be a finite number above 0");
    }
  }

  private void checkSlate(LoggedDecision logged) throws UnreadableLine {
    int candidates = logged.candidates().size();
    if (candidates > surface.maxCandidates()) {
      throw new UnreadableLine(
          "has " + candidates + " candidates, the surface takes " + surface.maxCandidates());
    }
    if (logged.slots().size() > surface.slateSize()) {
      throw new UnreadableLine(
          "shows "
              + logged.slots().size()
              + " items, the surface's slate has "
              + surface.slateSize());
    }
    Set<String> ids = new HashSet<>();
    for (Candidate candidate : logged.candidates()) {
      checkId("item id", candidate.itemId());
      if (!ids.add(candidate.itemId())) {
        throw new UnreadableLine("has candidate '" + candidate.itemId() + "' twice");
      }
    }
    boolean[] shown = new boolean[candidates];
    for (Slot slot : logged.slots()) {
      if (slot.chosen() < 0 || slot.chosen() >= candidates) {
        throw new UnreadableLine(
            "shows candidate %d, must be from 0 to %d".formatted(slot.chosen(), candidates - 1));
      }
      if (shown[slot.chosen()]) {
        throw new UnreadableLine(
            "shows '" + logged.candidates().get(slot.chosen()).itemId() + "' twice");
      }
      shown[slot.chosen()] = true;
    }
  }

  private void checkPropensities(LoggedDecision logged) throws UnreadableLine {
    if (logged.propensities() == Propensities.NONE) {
      return;
    }
    for (Slot slot : logged.slots()) {
      double propensity = slot.propensity();
      if (propensity > 0 && propensity <= 1) {
        continue;
      }
      if (propensity <= 0) {
        tally.propensitiesNotPositive++;
      } else if (propensity > 1) {
        tally.propensitiesAboveOne++;
      }
      String hint =
          propensity < 0
              ? "; looks like a log-probability"
              : propensity > 1 && propensity <= 100 ? "; looks like a percentage" : "";
      throw new UnreadableLine("propensity is " + propensity + ", must be in (0, 1]" + hint);
    }
  }

  private static void checkId(String what, String id) throws UnreadableLine {
    if (id.isBlank()) {
      throw new UnreadableLine(what + " is blank");
    }
    int length = id.length();
    if (length > MAX_ID_BYTES
        || (length * 3 > MAX_ID_BYTES
            && id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES)) {
      throw new UnreadableLine(what + " is longer than " + MAX_ID_BYTES + " bytes");
    }
    for (int i = 0; i < length; i++) {
      if (Character.isISOControl(id.charAt(i))) {
        throw new UnreadableLine(what + " has a control character");
      }
    }
  }

  private Decision decision(LoggedDecision logged) throws UnreadableLine {
    String id = decisionId(logged.decisionId());
    String subject = logged.subjectId() == null ? id : logged.subjectId();
    checkId("subject id", subject);
    float[] encoded = encodedItems(logged);
    List<Placement> slate = new ArrayList<>();
    for (Slot slot : logged.slots()) {
      slate.add(
          Placement.newBuilder()
              .setCandidate(slot.chosen())
              .setItemId(logged.candidates().get(slot.chosen()).itemId())
              .setPropensity(logged.propensities() == Propensities.NONE ? 1 : slot.propensity())
              .build());
    }
    String version = logged.policyVersion().isBlank() ? source : logged.policyVersion();
    return Decision.newBuilder()
        .setDecisionId(id)
        .setSurface(surface.name())
        .setSubjectId(subject)
        .setDecidedAtMicros(logged.decidedAtMicros())
        .setOutcomesUntilMicros(logged.decidedAtMicros() + windowMicros)
        .setSurfaceDigest(surface.digest())
        .setFeatureDigest(layout.digest())
        .setContext(encodedContext(logged.context()))
        .setHistory(
            Floats.toBytes(
                new float[layout.historyLength() * layout.historyWidth()],
                layout.historyLength() * layout.historyWidth()))
        .setItems(Floats.toBytes(encoded, encoded.length))
        .setRawContext(logged.context().toString())
        .setRawItems(rawItems(logged))
        .setCandidateIds(logged.candidates().stream().map(Candidate::itemId).toList())
        .setLogits(logits(logged))
        .setSlate(slate)
        .setSeed(0)
        .setTemperature(1)
        .setUniform(0)
        .setPolicyName(source)
        .setPolicyVersion(version)
        .setMode(MODE)
        .setPropensityKind(logged.propensities().name())
        .setLearnable(logged.learnable())
        .setSampleWeight(logged.sampleWeight())
        .build();
  }

  /** The log's id, or what stands for it where it has other characters or is too long. */
  private static String decisionId(String id) throws UnreadableLine {
    if (DECISION_ID.matcher(id).matches()) {
      return id;
    }
    if (id.isBlank()) {
      throw new UnreadableLine("decision id is blank");
    }
    StringBuilder escaped = new StringBuilder();
    for (byte b : id.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          (b >= 'a' && b <= 'z')
              || (b >= 'A' && b <= 'Z')
              || (b >= '0' && b <= '9')
              || b == '.'
              || b == '_'
              || b == '-';
      if (plain) {
        escaped.append((char) b);
      } else {
        escaped.append('~').append(HexFormat.of().withUpperCase().toHexDigits(b));
      }
    }
    return escaped.length() <= MAX_ID_BYTES ? escaped.toString() : "sha256-" + sha256(id);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private @Nullable String rawItems(LoggedDecision logged) {
    List<Candidate> candidates = logged.candidates();
    if (catalogue && candidates.size() > MAX_RAW_OF_CATALOGUE) {
      return null;
    }
    StringBuilder raw = new StringBuilder("[");
    for (Candidate candidate : candidates) {
      raw.append(raw.length() == 1 ? "" : ",").append(candidate.features());
    }
    return raw.append(']').toString();
  }

  private ByteBuffer encodedContext(ObjectNode context) throws UnreadableLine {
    float[] row = new float[contexts.width()];
    encode(contexts, contextNames.in(context), "#/context", row, 0);
    return Floats.toBytes(row, row.length);
  }

  private float[] encodedItems(LoggedDecision logged) throws UnreadableLine {
    int width = items.width();
    float[] rows = new float[logged.candidates().size() * width];
    for (int i = 0; i < logged.candidates().size(); i++) {
      Candidate candidate = logged.candidates().get(i);
      if (!catalogue) {
        encodeItem(candidate, i, rows, i * width);
        continue;
      }
      float[] kept = encodedItems.get(candidate);
      if (kept == null) {
        kept = new float[width];
        encodeItem(candidate, i, kept, 0);
        if (encodedItems.size() < MAX_KEPT_ITEMS) {
          encodedItems.put(candidate, kept);
        }
      }
      System.arraycopy(kept, 0, rows, i * width, width);
    }
    return rows;
  }

  private void encodeItem(Candidate candidate, int number, float[] rows, int offset)
      throws UnreadableLine {
    String pointer = "#/candidates/" + number;
    encode(items, itemNames.in(candidate), pointer, rows, offset);
  }

  private static void encode(
      FeatureEncoder encoder, JsonNode features, String pointer, float[] row, int offset)
      throws UnreadableLine {
    List<Violation> violations = new ArrayList<>();
    encoder.encode(features, pointer, row, offset, violations);
    if (!violations.isEmpty()) {
      Violation violation = violations.get(0);
      throw new UnreadableLine(
          "the surface refuses it: " + violation.pointer() + " " + violation.detail());
    }
  }

  /**
   * Logits from which the logged distribution comes out; empty where the log does not tell it, or
   * where later positions were not drawn from it without replacement.
   */
  private static ByteBuffer logits(LoggedDecision logged) {
    double[] chances = logged.slots().get(0).distribution();
    if (chances == null
        || logged.propensities() == Propensities.NONE
        || !followsFrom(chances, logged)) {
      return ByteBuffer.allocate(0);
    }
    float[] logits = new float[chances.length];
    for (int i = 0; i < chances.length; i++) {
      logits[i] = chances[i] > 0 ? (float) Math.log(chances[i]) : LOG_OF_ZERO;
    }
    return Floats.toBytes(logits, logits.length);
  }

  private static boolean followsFrom(double[] chances, LoggedDecision logged) {
    double sum = Arrays.stream(chances).sum();
    if (chances.length != logged.candidates().size() || !(Math.abs(sum - 1) < 1e-3)) {
      return false;
    }
    double left = sum;
    for (Slot slot : logged.slots()) {
      double expected = chances[slot.chosen()] / left;
      if (!(Math.abs(expected - slot.propensity()) <= SAME_CHANCE + 1e-3 * expected)) {
        return false;
      }
      left -= chances[slot.chosen()];
    }
    return true;
  }

  private List<Observed> observed(LoggedDecision logged, Shown shown) throws UnreadableLine {
    List<Observed> observed = new ArrayList<>();
    int number = 0;
    for (Reaction reaction : logged.reactions()) {
      number++;
      if (surface.signal(reaction.signal()).isEmpty()) {
        tally.leaveOut("the surface has no signal " + reaction.signal());
        continue;
      }
      if (reaction.position() < -1 || reaction.position() >= shown.itemIds().size()) {
        tally.leaveOut(
            "a reaction to position %d of %d"
                .formatted(reaction.position(), shown.itemIds().size()));
        continue;
      }
      try {
        observed.add(attribution.observe(shown, outcome(reaction, number, shown)));
      } catch (RefusedException e) {
        throw new UnreadableLine("the surface refuses it: " + e.getMessage());
      }
    }
    return observed;
  }

  private static Outcome outcome(Reaction reaction, int number, Shown shown) {
    return Outcome.newBuilder()
        .setOutcomeId(shown.decisionId() + "/" + reaction.signal() + "/" + number)
        .setDecisionId(shown.decisionId())
        .setItemId(reaction.position() < 0 ? null : shown.itemIds().get(reaction.position()))
        .setSignal(reaction.signal())
        .setValue(reaction.value())
        .setOccurredAtMicros(reaction.occurredAtMicros())
        .setReceivedAtMicros(reaction.occurredAtMicros())
        .build();
  }

  private static List<Observation> observations(List<Observed> observed) {
    return observed.stream()
        .sorted(
            Comparator.comparingLong(Observed::occurredAtMicros).thenComparing(Observed::outcomeId))
        .map(
            each ->
                Observation.newBuilder()
                    .setOutcomeId(each.outcomeId())
                    .setSignal(each.signal())
                    .setPosition(each.position())
                    .setValue(each.value())
                    .setOccurredAtMicros(each.occurredAtMicros())
                    .setReceivedAtMicros(each.occurredAtMicros())
                    .build())
        .toList();
  }
}
