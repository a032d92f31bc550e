package io.bellwether.ingestion.event;

/**
 * Names of the Kafka topics. Decisions and outcomes are keyed alike, so that they join in place.
 */
public final class Topics {

  /** Key: decision id. */
  public static final String DECISIONS = "bellwether.decisions.v1";

  /** Key: decision id. */
  public static final String OUTCOMES = "bellwether.outcomes.v1";

  /** Transitions. Key: decision id. Written in transactions: read with {@code read_committed}. */
  public static final String TRAINING = "bellwether.training.v1";

  /** Registered items. Key: {@code surface/itemId}. Compacted. */
  public static final String ITEMS = "bellwether.items.v1";

  /** What was refused. Key: the original key; the reason and the origin stand in the headers. */
  public static final String DEAD_LETTERS = "bellwether.deadletter.v1";

  /**
   * What was done about dead letters. Key: {@code partition-offset} of the dead letter. Compacted,
   * and let go some time after the dead letters themselves. Written in transactions together with
   * what is replayed: read with {@code read_committed}.
   */
  public static final String DEAD_LETTER_ACTIONS = "bellwether.deadletter-actions.v1";

  /** Whose past is to be forgotten, and where that is done. Keys: {@link Erasure}. Compacted. */
  public static final String ERASURES = "bellwether.erasures.v1";

  /** Who met which variant of an experiment. Key: subject id. */
  public static final String EXPOSURES = "bellwether.exposures.v1";

  /**
   * What was counted per variant. Key: {@code experiment/phase/variant/slice}, with {@code shadow/}
   * in front for what was only scored. Compacted. Written in transactions: read with {@code
   * read_committed}.
   */
  public static final String EXPERIMENT_METRICS = "bellwether.experiment-metrics.v1";

  private Topics() {}
}
