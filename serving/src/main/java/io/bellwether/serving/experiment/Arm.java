package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;

/** What a variant shows. Immutable. */
public sealed interface Arm {

  /** The word of {@link AsGiven} among policies. */
  String AS_GIVEN = "as-given";

  /** The word of {@link Uniform} among policies. */
  String UNIFORM = "uniform";

  /** Whether it decides about slates; a payload does not. */
  boolean choosesPolicy();

  /**
   * The slate of a policy version, which is pinned when the experiment starts.
   *
   * @param reference {@code champion}, {@code challenger}, {@code shadow} or a version's id
   */
  record Policy(String reference) implements Arm {
    @Override
    public boolean choosesPolicy() {
      return true;
    }
  }

  /** The candidates in the caller's own order. */
  record AsGiven() implements Arm {
    @Override
    public boolean choosesPolicy() {
      return true;
    }
  }

  /** Any order, each with the same chance. */
  record Uniform() implements Arm {
    @Override
    public boolean choosesPolicy() {
      return true;
    }
  }

  /** The slate that an interleaving experiment's variants draft in turns; never declared. */
  record Interleaved() implements Arm {
    @Override
    public boolean choosesPolicy() {
      return true;
    }
  }

  /**
   * Any value, for a product that asks for a flag.
   *
   * @param value never null
   */
  record Payload(JsonNode value) implements Arm {
    @Override
    public boolean choosesPolicy() {
      return false;
    }
  }

  /** The arm of a word that stands where a policy is named. */
  static Arm ofPolicy(String word) {
    if (word.equals(AS_GIVEN)) {
      return new AsGiven();
    }
    return word.equals(UNIFORM) ? new Uniform() : new Policy(word);
  }
}
