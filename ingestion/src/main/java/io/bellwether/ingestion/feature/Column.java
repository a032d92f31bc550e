package io.bellwether.ingestion.feature;

/**
 * One float of an encoded row.
 *
 * @param name the feature's name, with a suffix where a feature has several columns
 * @param kind how a network reads it
 * @param cardinality for {@code CATEGORY}: ids run from 0 (missing) to {@code cardinality - 1};
 *     otherwise 0
 */
public record Column(String name, Kind kind, int cardinality) {

  /** How a network reads a column. */
  public enum Kind {
    /** Normalised by the network. */
    NUMBER,
    /** 0 or 1, used as it is. */
    FLAG,
    /** An integer id, embedded by the network. */
    CATEGORY
  }

  static Column number(String name) {
    return new Column(name, Kind.NUMBER, 0);
  }

  static Column flag(String name) {
    return new Column(name, Kind.FLAG, 0);
  }

  static Column category(String name, int cardinality) {
    return new Column(name, Kind.CATEGORY, cardinality);
  }
}
