package io.bellwether.trainer.difference;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.scoring.DecisionSeed;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A fixed sample of logged decisions: those whose ids have the least hashes. It depends on which
 * decisions are logged and on nothing else, neither on their order nor on restatements, and it
 * changes slowly as a log grows. Holds at most its size. Confined to one thread.
 */
public final class ReplaySample {

  private final int size;
  private final TreeMap<Long, Transition> kept = new TreeMap<>(Long::compareUnsigned);
  private final Map<String, Long> skipped = new TreeMap<>();
  private long offered;

  /**
   * @param size most decisions that are kept, at least 1
   */
  public ReplaySample(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("a sample of " + size + " decisions");
    }
    this.size = size;
  }

  /** Offers a decision. */
  public void add(Transition transition) {
    Decision decision = transition.getDecision();
    String reason = reasonToSkip(decision);
    if (!reason.isEmpty()) {
      skipped.merge(reason, 1L, Long::sum);
      return;
    }
    offered++;
    kept.put(DecisionSeed.seedOf(decision.getDecisionId()), transition);
    if (kept.size() > size) {
      kept.pollLastEntry();
    }
  }

  private static String reasonToSkip(Decision decision) {
    if (decision.getMode().equals("FLAG")) {
      return "a flag: no slate was ranked";
    }
    return decision.getSlate().isEmpty() ? "empty: nothing was shown" : "";
  }

  /** Transitions that were offered and could have been kept. */
  public long offered() {
    return offered;
  }

  /** Transitions that were left out, by reason. */
  public Map<String, Long> skipped() {
    return Map.copyOf(skipped);
  }

  /** The decisions, by the hashes of their ids. */
  public List<Transition> transitions() {
    return List.copyOf(kept.values());
  }

  /** SHA-256 over the ids: two comparisons with the same one are on the same decisions. */
  public String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      kept.values()
          .forEach(
              each -> digest.update((each.getDecision().getDecisionId() + "\n").getBytes(UTF_8)));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
