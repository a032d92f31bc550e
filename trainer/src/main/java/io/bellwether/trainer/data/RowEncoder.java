package io.bellwether.trainer.data;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Placement;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.ingestion.feature.Column;
import io.bellwether.ingestion.feature.FeatureLayout;
import io.bellwether.ingestion.feature.Floats;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.OpenCandidates;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.policy.scoring.SlateSampler;
import java.io.Serializable;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns a transition into one {@link TrainingRow} per position, after checking it. What forbids
 * training is a fatal {@link Finding}; what is merely of no use is left out and counted. Immutable;
 * serializable, since feeders get it from whoever submits the job.
 */
public final class RowEncoder implements Serializable {

  private static final long serialVersionUID = 1;

  /**
   * Numbers beyond it are refused, as the learner does: a normaliser that sees one keeps nothing of
   * the ordinary values beside it, and the largest overflow once they are squared.
   */
  private static final float MOST = 1e6f;

  /** Logged and recomputed propensities may differ by this much in their logarithm. */
  private static final double LOG_PROPENSITY_TOLERANCE = 1e-3;

  /** The mode of decisions that show the caller's own order. */
  private static final String APPRENTICE = "APPRENTICE";

  /** The kind of propensities that an imported log does not have: 1 stands where they would be. */
  private static final String NONE = "NONE";

  private final Subjects subjects;
  private final boolean imitating;
  private final @Nullable Reread reread;
  private final Selection range;
  private final String surface;
  private final String digest;
  private final String[] contextNames;
  private final String[] historyNames;
  private final int historyLength;
  private final String[] itemNames;
  private final String[] signals;

  /**
   * @param surface by whose declaration the rows were encoded
   * @param subjects whose decisions are used
   */
  public RowEncoder(Surface surface, Subjects subjects) {
    this(surface, subjects, false);
  }

  private RowEncoder(Surface surface, Subjects subjects, boolean imitating) {
    this.subjects = subjects;
    this.imitating = imitating;
    this.reread = null;
    this.range = Selection.all();
    FeatureLayout layout = FeatureLayout.of(surface);
    this.surface = surface.name();
    this.digest = layout.digest();
    this.contextNames = names(layout.context());
    this.historyNames = names(layout.history());
    this.historyLength = layout.historyLength();
    this.itemNames = names(layout.item());
    this.signals = SignalOrder.of(surface).toArray(String[]::new);
  }

  /**
   * An encoder for those who imitate, and need no chances for it: decisions in the caller's own
   * order are used too. Everybody else would take their propensity of 1 for the chance of something
   * that could have been otherwise.
   */
  public static RowEncoder imitating(Surface surface, Subjects subjects) {
    return new RowEncoder(surface, subjects, true);
  }

  private RowEncoder(RowEncoder other, @Nullable Reread reread, Selection range) {
    this.subjects = other.subjects;
    this.imitating = other.imitating;
    this.reread = reread;
    this.range = range;
    this.surface = other.surface;
    this.digest = other.digest;
    this.contextNames = other.contextNames;
    this.historyNames = other.historyNames;
    this.historyLength = other.historyLength;
    this.itemNames = other.itemNames;
    this.signals = other.signals;
  }

  /** The same for transitions as they were logged, which it reads in this way before. */
  public RowEncoder reading(Reread how) {
    return new RowEncoder(this, how, range);
  }

  /** The same without what was decided from a time on; absent for all. */
  public RowEncoder before(@Nullable Instant time) {
    return new RowEncoder(this, reread, new Selection(Subjects.all(), null, time, null));
  }

  private static String[] names(List<Column> columns) {
    return columns.stream().map(Column::name).toArray(String[]::new);
  }

  /**
   * Encodes one transition.
   *
   * @param rows takes the rows, position 0 first; none where the transition is left out or refused
   * @param findings what was found is counted here
   */
  public void encode(Transition transition, Consumer<TrainingRow> rows, Findings findings) {
    if (reread == null) {
      encodeRead(transition, rows, findings);
      return;
    }
    Optional<Transition> read = reread.read(transition);
    if (read.isPresent() && reread.isKnown(read.get())) {
      encodeRead(read.get(), rows, findings);
    } else if (read.isPresent()) {
      findings.countRead();
      findings.add(Finding.NOT_YET_KNOWN, transition.getDecision().getDecisionId());
    }
  }

  private void encodeRead(Transition transition, Consumer<TrainingRow> rows, Findings findings) {
    findings.countRead();
    Decision decision = transition.getDecision();
    String id = decision.getDecisionId();
    if (!decision.getSurface().equals(surface)) {
      findings.add(Finding.OTHER_SURFACE, id);
    } else if (!subjects.include(decision.getSubjectId())) {
      findings.add(Finding.OTHER_SUBJECTS, id);
    } else if (!range.isInRange(decision.getDecidedAtMicros())) {
      findings.add(Finding.DECIDED_LATER, id);
    } else if (!learnable(decision)) {
      boolean onlyToImitate = decision.getLearnable() && isUnknown(decision);
      findings.add(onlyToImitate ? Finding.NO_PROPENSITY : Finding.NOT_LEARNABLE, id);
    } else if (!decision.getFeatureDigest().equals(digest)) {
      findings.add(Finding.OTHER_FEATURES, id);
    } else if (decision.getSlate().isEmpty()) {
      findings.add(Finding.EMPTY_SLATE, id);
    } else {
      encodeLearnable(transition, rows, findings);
    }
  }

  private boolean learnable(Decision decision) {
    boolean unknown = isUnknown(decision);
    boolean known = !unknown && !decision.getPropensityKind().equals("DETERMINISTIC");
    boolean imitable = unknown || decision.getMode().equals(APPRENTICE);
    return decision.getLearnable() && (known || (imitating && imitable));
  }

  private static boolean isUnknown(Decision decision) {
    return decision.getPropensityKind().equals(NONE);
  }

  private void encodeLearnable(
      Transition transition, Consumer<TrainingRow> rows, Findings findings) {
    Decision decision = transition.getDecision();
    float[] context = Floats.of(decision.getContext());
    float[] history = Floats.of(decision.getHistory());
    float[] items = Floats.of(decision.getItems());
    int positions = decision.getSlate().size();
    double[][] rewards = new double[positions][signals.length];
    if (!widthsFit(decision, context, history, items, findings)
        || !slateFits(decision, findings)
        || !featuresFit(decision, context, history, items, findings)
        || !rulesFit(decision, findings)
        || !propensitiesFit(decision, findings)
        || !addRewards(transition, rewards, findings)) {
      return;
    }
    if (!imitating && decision.getPropensityKind().equals("ESTIMATED")) {
      findings.add(Finding.ESTIMATED_PROPENSITY, decision.getDecisionId());
    }
    if (transition.getTerminated() && transition.getTruncated()) {
      findings.add(Finding.BOTH_ENDS, decision.getDecisionId());
    }
    String next = transition.getNextDecisionId();
    int[] slate = decision.getSlate().stream().mapToInt(Placement::getCandidate).toArray();
    int[][] closed = closed(decision, slate);
    for (int position = 0; position < positions; position++) {
      rows.accept(
          new TrainingRow(
              TrainingRow.idOf(decision.getDecisionId(), position),
              decision.getDecisionId(),
              position,
              positions,
              transition.getRevision(),
              transition.getSessionId(),
              decision.getDecidedAtMicros(),
              context,
              history,
              decision.getCandidateIds().size(),
              items,
              closed[position],
              slate[position],
              decision.getSlate().get(position).getPropensity(),
              rewards[position],
              transition.getTerminated(),
              next == null || transition.getTerminated() ? "" : next,
              decision.getSampleWeight()));
    }
  }

  private boolean widthsFit(
      Decision decision, float[] context, float[] history, float[] items, Findings findings) {
    int candidates = decision.getCandidateIds().size();
    boolean fit =
        context.length == contextNames.length
            && history.length == historyLength * historyNames.length
            && items.length == candidates * itemNames.length;
    if (!fit) {
      findings.add(
          Finding.WRONG_WIDTH,
          "%s: %d context, %d history and %d item numbers for %d candidates"
              .formatted(
                  decision.getDecisionId(),
                  context.length,
                  history.length,
                  items.length,
                  candidates));
    }
    return fit;
  }

  private static boolean slateFits(Decision decision, Findings findings) {
    int candidates = decision.getCandidateIds().size();
    boolean[] placed = new boolean[candidates];
    for (Placement placement : decision.getSlate()) {
      int candidate = placement.getCandidate();
      if (candidate < 0 || candidate >= candidates || placed[candidate]) {
        findings.add(
            Finding.WRONG_SLATE,
            "%s: candidate %d of %d".formatted(decision.getDecisionId(), candidate, candidates));
        return false;
      }
      placed[candidate] = true;
    }
    return true;
  }

  private static boolean rulesFit(Decision decision, Findings findings) {
    try {
      closed(decision, decision.getSlate().stream().mapToInt(Placement::getCandidate).toArray());
      return true;
    } catch (IllegalArgumentException e) {
      findings.add(
          Finding.WRONG_SLATE,
          decision.getDecisionId() + ": does not keep its rules: " + e.getMessage());
      return false;
    }
  }

  /** Per position, who could not stand there: what stands before it, then whom rules kept out. */
  private static int[][] closed(Decision decision, int[] slate) {
    int[][] closed = new int[slate.length][];
    for (int position = 0; position < slate.length; position++) {
      closed[position] = Arrays.copyOf(slate, position);
    }
    SlateRules rules = LoggedRules.of(decision);
    if (rules.isNone()) {
      return closed;
    }
    int candidates = decision.getCandidateIds().size();
    OpenCandidates open = new OpenCandidates();
    open.begin(rules, candidates, slate.length);
    for (int position = 0; position < slate.length; position++) {
      int[] all = Arrays.copyOf(closed[position], candidates);
      int count = position;
      for (int i = 0; i < candidates; i++) {
        if (!open.isOpen(i) && !contains(closed[position], i)) {
          all[count++] = i;
        }
      }
      closed[position] = Arrays.copyOf(all, count);
      open.place(slate[position]);
    }
    return closed;
  }

  private static boolean contains(int[] values, int wanted) {
    for (int value : values) {
      if (value == wanted) {
        return true;
      }
    }
    return false;
  }

  private boolean featuresFit(
      Decision decision, float[] context, float[] history, float[] items, Findings findings) {
    String id = decision.getDecisionId();
    return rowsFit(context, contextNames, row -> id + " context", findings)
        && rowsFit(history, historyNames, row -> id + " history row " + row, findings)
        && rowsFit(
            items, itemNames, row -> id + " item " + decision.getCandidateIds().get(row), findings);
  }

  private static boolean rowsFit(
      float[] values, String[] names, IntFunction<String> place, Findings findings) {
    for (int i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i]) <= MOST)) {
        int column = i % names.length;
        findings.add(
            Finding.FEATURE_OUT_OF_RANGE,
            "%s: column %d (%s) is %s, must be a number between -%.0e and %.0e"
                .formatted(
                    place.apply(i / names.length), column, names[column], values[i], MOST, MOST));
        return false;
      }
    }
    return true;
  }

  private static boolean propensitiesFit(Decision decision, Findings findings) {
    for (Placement placement : decision.getSlate()) {
      double propensity = placement.getPropensity();
      if (!(propensity > 0 && propensity <= 1)) {
        findings.add(
            Finding.WRONG_PROPENSITY,
            decision.getDecisionId()
                + ": "
                + propensity
                + (propensity < 0 ? ", which looks like a log-probability" : ""));
        return false;
      }
    }
    boolean ours = decision.getMode().equals("ONLINE");
    return !ours
        || !decision.getPropensityKind().equals("EXACT")
        || followsFromScores(decision, findings);
  }

  private static boolean followsFromScores(Decision decision, Findings findings) {
    List<Placement> slate = decision.getSlate();
    MixedWeights weights =
        MixedWeights.of(
            Floats.of(decision.getLogits()),
            Exploration.asUsed(decision.getTemperature(), decision.getUniform()));
    int[] candidates = slate.stream().mapToInt(Placement::getCandidate).toArray();
    double[] propensities = new double[candidates.length];
    new SlateSampler()
        .propensities(
            weights, LoggedRules.of(decision), candidates, candidates.length, propensities);
    for (int position = 0; position < candidates.length; position++) {
      double logged = slate.get(position).getPropensity();
      if (!(Math.abs(Math.log(propensities[position] / logged)) <= LOG_PROPENSITY_TOLERANCE)) {
        findings.add(
            Finding.PROPENSITY_MISMATCH,
            "%s: position %d logged %s, its scores give %s"
                .formatted(decision.getDecisionId(), position, logged, propensities[position]));
        return false;
      }
    }
    return true;
  }

  private boolean addRewards(Transition transition, double[][] rewards, Findings findings) {
    String id = transition.getDecision().getDecisionId();
    for (SignalValue value : transition.getSignals()) {
      int signal = Arrays.asList(signals).indexOf(value.getSignal());
      int position = value.getPosition();
      if (signal < 0) {
        findings.add(Finding.UNKNOWN_SIGNAL, id + ": " + value.getSignal());
      } else if (!Double.isFinite(value.getValue())
          || position < -1
          || position >= rewards.length) {
        findings.add(
            Finding.WRONG_SIGNAL,
            "%s: %s is %s at position %d of %d"
                .formatted(id, value.getSignal(), value.getValue(), position, rewards.length));
        return false;
      } else if (position >= 0) {
        rewards[position][signal] += value.getValue();
      } else {
        for (double[] share : rewards) {
          share[signal] += value.getValue() / rewards.length;
        }
      }
    }
    return true;
  }
}
