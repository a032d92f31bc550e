package io.bellwether.evaluation.offpolicy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * A pass by unit over several influences of one log. What they have in common is read once per
 * decision: sources of influence, and rows under sources. Immutable.
 */
final class InfluencePass {

  /*
   * Sums by unit of a UnitPass: for source s its decisions at 2s and its ψ at 2s + 1; after all
   * sources, for each influence whose sources look at different decisions, those that any of them
   * looks at.
   */

  private final List<Influence.Source> sources = new ArrayList<>();
  private final List<Projection> projections = new ArrayList<>();
  private final List<Projection> mixed = new ArrayList<>();
  private final UnitPass pass;

  /**
   * How an influence is made from sums.
   *
   * @param held where its number of decisions stands
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Projection(int held, int[] sources, double[] factors) {

    double influence(double[] sums) {
      double influence = 0;
      for (int part = 0; part < sources.length; part++) {
        influence += factors[part] * sums[2 * sources[part] + 1];
      }
      return influence;
    }

    boolean holds(double[] values) {
      for (int source : sources) {
        if (values[2 * source] > 0) {
          return true;
        }
      }
      return false;
    }
  }

  /** A part of a result with the place where a unit's influences are put. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Projected<A>(A part, double[] influences) {}

  InfluencePass(List<Influence> influences, UnitIndex units, Chunks chunks) {
    Map<Influence.Source, Integer> numbers = new HashMap<>();
    influences.stream()
        .flatMap(influence -> influence.parts().stream())
        .map(Influence.Part::source)
        .forEach(
            source -> {
              if (numbers.putIfAbsent(source, sources.size()) == null) {
                sources.add(source);
              }
            });
    influences.forEach(influence -> project(influence, numbers));
    pass = new UnitPass(2 * sources.size() + mixed.size(), this::newReader, units, chunks);
  }

  private void project(Influence influence, Map<Influence.Source, Integer> numbers) {
    double scale = influence.scale();
    int[] ofParts =
        influence.parts().stream()
            .mapToInt(part -> Objects.requireNonNull(numbers.get(part.source())))
            .toArray();
    double[] factors =
        influence.parts().stream()
            .mapToDouble(part -> part.factor() * (scale / part.source().columns().decisions()))
            .toArray();
    long selections =
        influence.parts().stream()
            .map(part -> part.source().columns().selection())
            .distinct()
            .count();
    boolean alike = selections == 1;
    Projection projection =
        new Projection(
            alike ? 2 * ofParts[0] : 2 * sources.size() + mixed.size(), ofParts, factors);
    projections.add(projection);
    if (!alike) {
      mixed.add(projection);
    }
  }

  /**
   * Joins what is made of all units.
   *
   * @param sink takes per influence i the unit's decisions at 2i and the sum of ψ at 2i + 1
   */
  <A> A reduce(Supplier<A> newPart, UnitPass.Sink<A> sink, BinaryOperator<A> join) {
    Projection[] all = projections.toArray(Projection[]::new);
    return pass.<Projected<A>>reduce(
            () -> new Projected<>(newPart.get(), new double[2 * all.length]),
            (projected, unit, sums) -> {
              double[] influences = projected.influences;
              for (int at = 0; at < all.length; at++) {
                influences[2 * at] = sums[all[at].held];
                influences[2 * at + 1] = all[at].influence(sums);
              }
              sink.add(projected.part, unit, influences);
            },
            (left, right) -> new Projected<>(join.apply(left.part, right.part), left.influences))
        .part;
  }

  private UnitPass.Reader newReader() {
    SharedRows shared = new SharedRows();
    Influence.Reader[] readers =
        sources.stream().map(source -> source.newReader(shared)).toArray(Influence.Reader[]::new);
    Projection[] ofMixed = mixed.toArray(Projection[]::new);
    return (decision, values) -> {
      for (int source = 0; source < readers.length; source++) {
        boolean held = readers[source].holds(decision);
        values[2 * source] = held ? 1 : 0;
        values[2 * source + 1] = held ? readers[source].influence(decision) : 0;
      }
      for (Projection each : ofMixed) {
        values[each.held] = each.holds(values) ? 1 : 0;
      }
    };
  }
}
