package io.bellwether.loadtest.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the product asked for and what it was told: the account with which transitions are compared.
 * Thread-safe.
 */
final class Ledger {

  private final Map<String, Entry> decisions = new ConcurrentHashMap<>();
  private final Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
  private final AtomicLong goodSince = new AtomicLong();
  private final AtomicInteger goodInARow = new AtomicInteger();
  private final AtomicLong retries = new AtomicLong();
  private final AtomicLong wrongVersions = new AtomicLong();

  /** One decision and its outcomes. */
  static final class Entry {
    private volatile List<String> slate = List.of();
    private volatile boolean accepted;
    private final AtomicInteger outcomesSent = new AtomicInteger();
    private final AtomicInteger outcomesAccepted = new AtomicInteger();

    /** What the product was told to show; empty where it was never told anything. */
    List<String> slate() {
      return slate;
    }

    boolean accepted() {
      return accepted;
    }

    /** Distinct outcomes that left, whether or not their receipt came back. */
    int outcomesSent() {
      return outcomesSent.get();
    }

    /** Distinct outcomes for which a receipt came back. */
    int outcomesAccepted() {
      return outcomesAccepted.get();
    }
  }

  void asked(String decisionId) {
    decisions.put(decisionId, new Entry());
  }

  void accepted(String decisionId, List<String> slate) {
    Entry entry = entry(decisionId);
    entry.slate = List.copyOf(slate);
    entry.accepted = true;
  }

  void outcomeSent(String decisionId) {
    entry(decisionId).outcomesSent.incrementAndGet();
  }

  void outcomeAccepted(String decisionId) {
    entry(decisionId).outcomesAccepted.incrementAndGet();
  }

  private Entry entry(String decisionId) {
    Entry entry = decisions.get(decisionId);
    if (entry == null) {
      throw new IllegalArgumentException("nobody asked for " + decisionId);
    }
    return entry;
  }

  /**
   * Notes an answer.
   *
   * @param good whether it is what one gets when nothing is wrong
   */
  void answered(Attempt attempt, boolean good) {
    attempts.add(attempt);
    if (!good) {
      goodInARow.set(0);
    } else if (goodInARow.getAndIncrement() == 0) {
      goodSince.set(attempt.sentNanos());
    }
  }

  /** Notes a request that got no answer. */
  void unanswered() {
    goodInARow.set(0);
  }

  void retried() {
    retries.incrementAndGet();
  }

  void answeredByAWrongVersion() {
    wrongVersions.incrementAndGet();
  }

  /** Forgets how it went so far: only what begins now says whether all is well. */
  void beginAgain() {
    goodInARow.set(0);
  }

  int goodInARow() {
    return goodInARow.get();
  }

  /** {@link System#nanoTime} when the first of the good answers in a row was asked for. */
  long goodSinceNanos() {
    return goodSince.get();
  }

  long retries() {
    return retries.get();
  }

  long wrongVersions() {
    return wrongVersions.get();
  }

  Map<String, Entry> decisions() {
    return decisions;
  }

  List<Attempt> attempts() {
    return new ArrayList<>(attempts);
  }
}
