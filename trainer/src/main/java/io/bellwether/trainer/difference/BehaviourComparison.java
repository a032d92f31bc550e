package io.bellwether.trainer.difference;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.Exploration;
import io.bellwether.policy.scoring.MixedWeights;
import io.bellwether.policy.scoring.Slate;
import io.bellwether.policy.scoring.SlateRules;
import io.bellwether.policy.scoring.SlateSampler;
import io.bellwether.policy.version.PolicyStore;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.data.LoggedRules;
import io.bellwether.trainer.data.TransitionSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides logged decisions again with two versions: the same candidates, seed, rules and
 * exploration, so that only the policy differs. Nothing is random but what the log's seeds say.
 * Owns the two scorers. Confined to one thread.
 */
public final class BehaviourComparison implements AutoCloseable {

  private static final int ITEMS = 5;

  private final Contender first;
  private final Contender second;
  private final Segments segments;
  private final MixedWeights firstWeights = new MixedWeights();
  private final MixedWeights secondWeights = new MixedWeights();
  private final SlateSampler sampler = new SlateSampler();
  private final Map<String, Long> skipped = new TreeMap<>();
  private final List<PositionTally> positions = new ArrayList<>();
  private final Map<String, double[]> items = new HashMap<>();
  private double[] moved = new double[64];
  private int decisions;
  private long changed;
  private long reordered;
  private long replaced;
  private long shown;
  private long equalScores;

  private BehaviourComparison(Contender first, Contender second, List<String> by) {
    this.first = first;
    this.second = second;
    segments = new Segments(by);
  }

  /**
   * Opens two versions.
   *
   * @param source of the decisions, whose archive says how earlier layouts are read
   * @param by features of the context by which results are split; empty for all with few values
   */
  public static BehaviourComparison of(
      PolicyStore store,
      VersionId first,
      VersionId second,
      TransitionSource source,
      List<String> by)
      throws IOException {
    Contender one = Contender.open(store, first, source);
    try {
      return new BehaviourComparison(one, Contender.open(store, second, source), by);
    } catch (IOException | RuntimeException e) {
      one.close();
      throw e;
    }
  }

  /** Compares the two on a sample. */
  public PolicyDifference on(ReplaySample sample, String surface) {
    sample.transitions().forEach(this::add);
    Map<String, Long> left = new TreeMap<>(sample.skipped());
    skipped.forEach((reason, count) -> left.merge(reason, count, Long::sum));
    List<PolicyDifference.Position> tallied = new ArrayList<>();
    for (int position = 0; position < positions.size(); position++) {
      tallied.add(positions.get(position).at(position));
    }
    Comparator<PolicyDifference.ItemMove> byGain =
        Comparator.comparingDouble(move -> move.after() - move.before());
    return new PolicyDifference(
        first.version().value(),
        second.version().value(),
        surface,
        sample.digest(),
        decisions,
        changed,
        reordered,
        replaced,
        shown,
        equalScores,
        Spread.of(moved, decisions),
        tallied,
        segments.segments(),
        moves(byGain.reversed(), 1),
        moves(byGain, -1),
        left);
  }

  private List<PolicyDifference.ItemMove> moves(
      Comparator<PolicyDifference.ItemMove> order, int sign) {
    return items.entrySet().stream()
        .map(
            each ->
                new PolicyDifference.ItemMove(
                    each.getKey(), each.getValue()[0] / decisions, each.getValue()[1] / decisions))
        .filter(move -> sign * (move.after() - move.before()) > 0)
        .sorted(order.thenComparing(PolicyDifference.ItemMove::item))
        .limit(ITEMS)
        .toList();
  }

  private void add(Transition transition) {
    Decision decision = transition.getDecision();
    Optional<float[]> one = first.score(transition);
    Optional<float[]> other = second.score(transition);
    Optional<Exploration> exploration = exploration(decision);
    if (one.isEmpty() || other.isEmpty()) {
      skip(
          "encoded to a layout that %s does not read"
              .formatted(one.isEmpty() ? first.version() : second.version()));
    } else if (exploration.isEmpty()) {
      skip("no exploration is logged, and no version says which it was trained for");
    } else {
      compare(decision, one.get(), other.get(), exploration.get());
    }
  }

  /** As logged; that of a version's surface where another system decided. */
  private Optional<Exploration> exploration(Decision decision) {
    return decision.getTemperature() > 0 && !decision.getMode().equals("IMPORTED")
        ? Optional.of(Exploration.asUsed(decision.getTemperature(), decision.getUniform()))
        : first.exploration().or(second::exploration);
  }

  private void compare(Decision decision, float[] one, float[] other, Exploration exploration) {
    SlateRules rules = LoggedRules.of(decision);
    int size = decision.getSlate().size();
    firstWeights.set(one, 0, one.length, exploration);
    secondWeights.set(other, 0, other.length, exploration);
    Slate slate;
    int[] others;
    double[] before;
    double[] after;
    double[] propensities;
    try {
      slate = sampler.sample(firstWeights, rules, decision.getSeed(), size);
      others = sampler.sample(secondWeights, rules, decision.getSeed(), size).candidates();
      before = sampler.first(firstWeights, rules, size);
      after = sampler.first(secondWeights, rules, size);
      propensities = new double[slate.size()];
      sampler.propensities(secondWeights, rules, slate.candidates(), slate.size(), propensities);
    } catch (IllegalArgumentException e) {
      skip("its rules cannot be kept");
      return;
    }
    equalScores += Arrays.equals(one, other) ? 1 : 0;
    double moves = tallyFirst(decision, before, after);
    boolean changes = tallySlates(slate, others, propensities);
    segments.add(decision.getRawContext(), one.length, changes, moves);
    if (decisions == moved.length) {
      moved = Arrays.copyOf(moved, 2 * moved.length);
    }
    moved[decisions++] = moves;
  }

  /** The total variation distance. */
  private double tallyFirst(Decision decision, double[] before, double[] after) {
    double distance = 0;
    for (int candidate = 0; candidate < before.length; candidate++) {
      distance += Math.abs(after[candidate] - before[candidate]);
      double[] item =
          items.computeIfAbsent(decision.getCandidateIds().get(candidate), id -> new double[2]);
      item[0] += before[candidate];
      item[1] += after[candidate];
    }
    return Math.min(1, distance / 2);
  }

  private boolean tallySlates(Slate slate, int[] others, double[] propensities) {
    boolean changes = false;
    int here = 0;
    for (int position = 0; position < slate.size(); position++) {
      int item = slate.candidates()[position];
      boolean differs = position >= others.length || others[position] != item;
      changes |= differs;
      here += Arrays.stream(others).noneMatch(candidate -> candidate == item) ? 1 : 0;
      if (position == positions.size()) {
        positions.add(new PositionTally());
      }
      positions
          .get(position)
          .add(differs, Math.abs(propensities[position] - slate.propensities()[position]));
    }
    shown += slate.size();
    replaced += here;
    changed += changes ? 1 : 0;
    reordered += changes && here == 0 ? 1 : 0;
    return changes;
  }

  private void skip(String reason) {
    skipped.merge(reason, 1L, Long::sum);
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }

  /** What was counted at one position. */
  private static final class PositionTally {
    private double[] differences = new double[64];
    private int count;
    private long changed;

    void add(boolean differs, double difference) {
      if (count == differences.length) {
        differences = Arrays.copyOf(differences, 2 * count);
      }
      differences[count++] = difference;
      changed += differs ? 1 : 0;
    }

    PolicyDifference.Position at(int position) {
      return new PolicyDifference.Position(position, count, changed, Spread.of(differences, count));
    }
  }
}
