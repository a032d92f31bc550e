package io.bellwether.trainer.imports.table;

import io.bellwether.trainer.imports.LoggedDecision.Propensities;
import java.util.List;
import java.util.Optional;

/**
 * What the columns of a table mean: one row is one decision. Immutable.
 *
 * @param decision column of the decision's id; empty: the file's name and the line stand for it
 * @param subject column of the subject's id; empty: each decision is its own subject
 * @param time when it was decided
 * @param policy column that names what decided
 * @param weight column of the sample weight
 * @param learnable says false where nothing may be learned from a decision; empty: from all
 * @param context features of the context
 * @param items what is known of items; empty: their ids alone
 * @param shown the items that were shown, in the order of positions
 * @param candidates what could have been shown; empty: all items of the items' file or, without
 *     one, those that were shown
 * @param propensity chance of each shown item; empty: there is none
 * @param chances column of every candidate's chance at the first position
 * @param signals what people did
 */
record Mapping(
    Optional<Column> decision,
    Optional<Column> subject,
    Time time,
    Optional<Column> policy,
    Optional<Column> weight,
    Optional<Column> learnable,
    List<Named> context,
    Optional<Items> items,
    Shown shown,
    Optional<Listed> candidates,
    Optional<Propensity> propensity,
    Optional<Listed> chances,
    List<Signal> signals) {

  static final String SEPARATOR = "|";

  Mapping {
    context = List.copyOf(context);
    signals = List.copyOf(signals);
  }

  /**
   * A column, and where the mapping names it.
   *
   * @param name where rows are nested, names joined by dots
   * @param line 1-based, in the mapping file
   * @param field path in the mapping file
   */
  record Column(String name, int line, String field) {}

  /** A column that holds a list: a JSON array, or a text with a separator. */
  record Listed(Column column, String separator) {}

  /** A feature of the surface and the column of its value. */
  record Named(String feature, Column column, String separator) {}

  record Time(Column column, Unit unit) {
    /** What a number means. */
    enum Unit {
      S(1_000_000),
      MS(1_000),
      US(1),
      ISO(0);

      private final long micros;

      Unit(long micros) {
        this.micros = micros;
      }

      /** Microseconds in one of it; 0 for texts. */
      long micros() {
        return micros;
      }
    }
  }

  /**
   * @param file of all items, relative to the mapping; empty: features stand in the row, of the one
   *     item that was shown, or in the candidates where these are objects
   * @param id column of the item's id in that file, or its name in a candidate
   */
  record Items(Optional<String> file, Column id, List<Named> features) {
    Items {
      features = List.copyOf(features);
    }
  }

  /**
   * @param byIndex whether it holds 0-based indices into the candidates instead of ids
   */
  record Shown(Listed column, boolean byIndex) {}

  /**
   * @param scale how a chance is written
   * @param kind where the chances come from, unless a row says it
   * @param kinds says for each row where its chances come from; empty: {@code kind} does for all
   */
  record Propensity(Listed column, Scale scale, Propensities kind, Optional<Column> kinds) {
    /** How a chance is written. */
    enum Scale {
      PROBABILITY,
      PERCENT,
      LOG;

      double probability(double value) {
        return switch (this) {
          case PROBABILITY -> value;
          case PERCENT -> value / 100;
          case LOG -> Math.exp(value);
        };
      }
    }
  }

  /**
   * A signal: a list has one value per shown item; a single value is that of the one shown item, or
   * of the slate as a whole.
   *
   * @param times what values are multiplied with, to get the surface's unit
   */
  record Signal(String signal, Listed column, double times) {}
}
