package io.bellwether.evaluation.offpolicy;

import java.nio.DoubleBuffer;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * One signal of a log under one policy, readable decision by decision: all of them, those of a
 * segment, or one position's share of the reward. A view: it holds references to the log's columns
 * and copies nothing. Decisions keep the log's numbers in every view. Thread-safe.
 */
public final class DecisionColumns {
  private static final int EVERY_POSITION = -1;
  static final IntPredicate EVERY_DECISION = decision -> true;

  private final LoggedDecisions log;
  private final PrefixWeights weights;
  private final Amounts amounts;
  private final boolean ofTarget;
  private final int position;
  private final IntPredicate chosen;
  private final int decisions;

  /** Stands for what rows hold: the same for views that differ in the decisions only. */
  private final Object content;

  /** Whether there is any weight to read besides the prefix weight. */
  private final boolean otherWeights;

  /** What is read besides the weights; prediction and direct are empty without a model. */
  private record Amounts(DoubleBuffer reward, DoubleBuffer prediction, DoubleBuffer direct) {

    boolean modelled() {
      return direct.hasRemaining();
    }
  }

  /** Takes decisions one after another; the row is overwritten afterwards. */
  public interface Visitor {
    void visit(int decision, DecisionRow row);
  }

  /** Adds a decision to a part of a result; the row is overwritten afterwards. */
  public interface Accumulator<A> {
    void add(A part, int decision, DecisionRow row);
  }

  private DecisionColumns(
      LoggedDecisions log,
      PrefixWeights weights,
      Amounts amounts,
      boolean ofTarget,
      int position,
      Object content,
      IntPredicate chosen,
      int decisions) {
    this.log = log;
    this.weights = weights;
    this.amounts = amounts;
    this.ofTarget = ofTarget;
    this.position = position;
    this.content = content;
    this.chosen = chosen;
    this.decisions = decisions;
    otherWeights = hasClusterWeights() || hasSlotWeights() || hasSlateWeights();
  }

  static DecisionColumns ofTarget(
      LoggedDecisions log,
      PrefixWeights weights,
      DoubleBuffer reward,
      DoubleBuffer prediction,
      DoubleBuffer direct) {
    return ofAll(log, weights, new Amounts(reward, prediction, direct), true);
  }

  static DecisionColumns ofBaseline(
      LoggedDecisions log,
      PrefixWeights weights,
      DoubleBuffer reward,
      DoubleBuffer prediction,
      DoubleBuffer direct) {
    return ofAll(log, weights, new Amounts(reward, prediction, direct), false);
  }

  private static DecisionColumns ofAll(
      LoggedDecisions log, PrefixWeights weights, Amounts amounts, boolean ofTarget) {
    return new DecisionColumns(
        log,
        weights,
        amounts,
        ofTarget,
        EVERY_POSITION,
        new Object(),
        EVERY_DECISION,
        log.decisions());
  }

  /**
   * The same decisions with the reward of one position alone, weights as before: what that position
   * contributes to the value. Doubly robust contributions are those of the position where
   * predictions are of its own reward, not of all that is to come.
   */
  public DecisionColumns atPosition(int only) {
    if (only < 0 || only >= log.positions()) {
      throw new IllegalArgumentException(
          "no position %d in slates of %d".formatted(only, log.positions()));
    }
    return new DecisionColumns(
        log, weights, amounts, ofTarget, only, new Object(), chosen, decisions);
  }

  /**
   * The decisions of these that are chosen.
   *
   * @param choice by the decision's number; asked again in every pass, from several threads
   */
  public DecisionColumns where(IntPredicate choice) {
    IntPredicate both = chosen == EVERY_DECISION ? choice : chosen.and(choice);
    int count =
        Chunks.STANDARD.<Integer>reduce(
            log.decisions(),
            (from, to) -> {
              int held = 0;
              for (int decision = from; decision < to; decision++) {
                held += both.test(decision) ? 1 : 0;
              }
              return held;
            },
            Integer::sum);
    return new DecisionColumns(log, weights, amounts, ofTarget, position, content, both, count);
  }

  /** The decisions of these with a label; the dimension and the label must be the log's. */
  public DecisionColumns ofSegment(String dimension, String label) {
    Labels labels = log.segment(dimension);
    int index = labels.indexOf(label);
    return where(decision -> labels.holds(decision, index));
  }

  /** The decisions of these that one logging policy made, by its index in the log. */
  public DecisionColumns ofLogger(int logger) {
    return where(decision -> log.logger(decision) == logger);
  }

  /** How many decisions are read. */
  public int decisions() {
    return decisions;
  }

  /** The number of decisions of the log: those that are read have numbers below it. */
  public int end() {
    return log.decisions();
  }

  /** Whether a decision of the log is read. */
  public boolean holds(int decision) {
    return chosen.test(decision);
  }

  /** Places in a row. */
  public int positions() {
    return log.positions();
  }

  /** Whether rows hold weights of clusters of items; otherwise these read as 1. */
  public boolean hasClusterWeights() {
    return ofTarget && log.hasClusterWeights();
  }

  /** Whether rows hold marginal weights of items at their positions; otherwise these read as 1. */
  public boolean hasSlotWeights() {
    return ofTarget && log.hasSlotWeights();
  }

  /** Whether rows hold pseudo-inverse weights of slates; otherwise these read as 1. */
  public boolean hasSlateWeights() {
    return ofTarget && log.hasSlateWeights();
  }

  /** The prefix weight of a decision at a position. */
  public double weight(int decision, int at) {
    return weights.at(decision, at);
  }

  /** What is chosen; equal where the same decisions are. */
  Object selection() {
    return chosen;
  }

  /** Stands for what rows hold; the same object where that is the same for every decision. */
  Object content() {
    return content;
  }

  LoggedDecisions log() {
    return log;
  }

  public DecisionRow newRow() {
    return new DecisionRow(log.positions());
  }

  /** Reads a decision of the log, whether or not this view {@link #holds} it. */
  public void read(int decision, DecisionRow row) {
    row.begin();
    boolean modelled = amounts.modelled();
    int first = log.firstRow(decision);
    int end = log.firstRow(decision + 1);
    for (int at = first; at < end; at++) {
      if (position == EVERY_POSITION || position == at - first) {
        weights.put(
            at,
            row,
            amounts.reward.get(at),
            modelled ? amounts.prediction.get(at) : 0,
            modelled ? amounts.direct.get(at) : 0);
      } else {
        weights.put(at, row, 0, 0, 0);
      }
      if (otherWeights) {
        row.putWeights(log.clusterWeight(at), log.slotWeight(at));
      }
    }
    row.end();
    if (otherWeights) {
      row.slateWeight = log.slateWeight(decision);
    }
  }

  /** Visits the decisions in their order, on the calling thread. */
  public void forEach(Visitor visitor) {
    visit(0, log.decisions(), visitor);
  }

  /**
   * Adds the decisions to parts in parallel and joins the parts in order; the same result for any
   * number of threads.
   *
   * @param join may change and return its first argument
   */
  public <A> A reduce(Supplier<A> newPart, Accumulator<A> accumulator, BinaryOperator<A> join) {
    return reduce(Chunks.STANDARD, newPart, accumulator, join);
  }

  <A> A reduce(
      Chunks chunks, Supplier<A> newPart, Accumulator<A> accumulator, BinaryOperator<A> join) {
    return chunks.reduce(
        log.decisions(),
        (from, to) -> {
          A part = newPart.get();
          visit(from, to, (decision, row) -> accumulator.add(part, decision, row));
          return part;
        },
        join);
  }

  private void visit(int from, int to, Visitor visitor) {
    DecisionRow row = newRow();
    for (int decision = from; decision < to; decision++) {
      if (chosen.test(decision)) {
        read(decision, row);
        visitor.visit(decision, row);
      }
    }
  }
}
