package io.bellwether.ingestion.surface;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A place in a product where decisions are made, declared by one file. Immutable.
 *
 * @param name as requests name it
 * @param digest SHA-256, hex, of the file's bytes
 * @param slateSize how many items a decision shows
 * @param maxCandidates most candidates of one request
 * @param context features of the person and the moment
 * @param history what is kept online of each subject's recent past
 * @param item features of an item
 * @param signals what people do; names are distinct
 * @param objective what is maximised
 * @param constraints what is promised
 * @param exploration how slates are sampled
 * @param sessions what makes one session of a subject's decisions
 * @param ranking the product's own ranking, with which the loop starts; empty: uniform
 * @param deadline time for an answer
 * @param fallback whom to ask when the policy cannot answer, in this order
 * @param whenUnlogged what becomes of an answer that can be logged nowhere
 * @param retrieval who proposes candidates where a request names none
 * @param graph in which form a version's graph is served
 * @param rules what slates have to keep to
 */
public record Surface(
    String name,
    String digest,
    int slateSize,
    int maxCandidates,
    List<Feature> context,
    History history,
    List<Feature> item,
    List<Signal> signals,
    Objective objective,
    List<Constraint> constraints,
    Exploration exploration,
    Sessions sessions,
    Optional<Ranking> ranking,
    Duration deadline,
    List<Fallback> fallback,
    WhenUnlogged whenUnlogged,
    Retrieval retrieval,
    GraphChoice graph,
    Rules rules) {

  public Surface {
    context = List.copyOf(context);
    item = List.copyOf(item);
    signals = List.copyOf(signals);
    constraints = List.copyOf(constraints);
    fallback = List.copyOf(fallback);
  }

  /**
   * @param signals names of the signals that a history row carries
   * @param last how many past decisions are kept, newest last; 0 keeps none
   */
  public record History(List<String> signals, int last) {
    public History {
      signals = List.copyOf(signals);
    }
  }

  /**
   * @param signal the signal that is maximised
   * @param discount weight of the next decision in {@code [0, 1)}; 0 makes every decision its own
   */
  public record Objective(String signal, double discount) {}

  /**
   * Slates are drawn from {@code (1 - uniform) softmax(logits / temperature) + uniform / M}.
   *
   * @param temperature above 0
   * @param uniform share of uniform choice, in {@code [0, 1]}
   * @param minPropensity floor of a candidate's chance at the first position; the uniform share is
   *     raised where it would be undercut
   */
  public record Exploration(double temperature, double uniform, double minPropensity) {}

  /**
   * @param gap decisions of one subject further apart than this belong to different sessions
   * @param endsWith the flag that says that a session ended by itself; empty: sessions are only
   *     ever truncated
   */
  public record Sessions(Duration gap, Optional<String> endsWith) {}

  /**
   * A linear ranking: the sum of its terms, divided by {@code temperature}.
   *
   * @param temperature above 0; in addition to the exploration's
   */
  public record Ranking(List<Term> terms, double temperature) {
    public Ranking {
      terms = List.copyOf(terms);
    }

    /** One summand of the ranking. */
    public sealed interface Term {
      double weight();

      /** {@code weight * item number}. */
      record ItemNumber(String feature, double weight) implements Term {}

      /** {@code weight * <context vector, item vector>}; both have the same size. */
      record DotProduct(String contextVector, String itemVector, double weight) implements Term {}
    }
  }

  /**
   * How candidates are proposed among more registered items than are scored.
   *
   * @param candidates how many are proposed, at least the slate's size
   * @param embedding floats of an item's embedding, from which the policy's nearest neighbours are
   *     found; 0: training makes none
   * @param popularSignal the signal by whose sum per item items are popular
   * @param halfLife after which an outcome counts half for popularity
   * @param freshShare of the proposals, for items that were registered lately; in {@code [0, 1]}
   * @param freshFor how long after its first registration an item is fresh
   * @param randomShare of the proposals, drawn uniformly; in {@code [0, 1 - freshShare]}
   */
  public record Retrieval(
      int candidates,
      int embedding,
      String popularSignal,
      Duration halfLife,
      double freshShare,
      Duration freshFor,
      double randomShare) {}

  /** What becomes of an answer that neither Kafka nor the spool takes. */
  public enum WhenUnlogged {
    /** It is refused: what is shown can be learned from. */
    REFUSE,
    /** It is given, marked and counted: something is shown, and nothing is learned from it. */
    ANSWER
  }

  /**
   * The form in which a version's graph is served, and how differently from the full one it may
   * decide; where it differs more, the full one serves.
   *
   * @param changedSlates greatest share of slates that may differ under one seed
   * @param propensityDifference most by which a chance of a candidate may differ
   * @param prunedShare which share of the hidden units goes where {@link Form#PRUNED} is asked for,
   *     in (0, 1)
   */
  public record GraphChoice(
      Form form, double changedSlates, double propensityDifference, double prunedShare) {

    /** How a graph computes. */
    public enum Form {
      /** As it was trained, in 32-bit floats. */
      FULL,
      /** Matrix products in 8-bit integers. */
      INT8,
      /** Without the hidden units that matter least. */
      PRUNED
    }
  }

  /** Who answers when the policy cannot. */
  public enum Fallback {
    CHAMPION,
    POPULARITY,
    AS_GIVEN,
    UNIFORM
  }

  /** The declared signal of this name. */
  public Optional<Signal> signal(String signalName) {
    return signals.stream().filter(s -> s.name().equals(signalName)).findFirst();
  }

  /** The longest attribution window of any signal. */
  public Duration longestWindow() {
    return signals.stream().map(Signal::window).max(Duration::compareTo).orElse(Duration.ZERO);
  }
}
