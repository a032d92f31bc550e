package io.bellwether.evaluation.offpolicy;

import java.util.ArrayList;
import java.util.Arrays;
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

    boolean holds(double[] values) {
      for (int source : sources) {
        if (values[2 * source] > 0) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * All projections in three rows of numbers, since there are many for each unit: influence i is
   * made of the parts from {@code first[i]} to {@code first[i + 1]}.
   */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  private record Projections(int[] held, int[] first, int[] places, double[] factors) {

    static Projections of(List<Projection> all) {
      int[] first = new int[all.size() + 1];
      for (int at = 0; at < all.size(); at++) {
        first[at + 1] = first[at] + all.get(at).sources.length;
      }
      return new Projections(
          all.stream().mapToInt(Projection::held).toArray(),
          first,
          all.stream()
              .flatMapToInt(each -> Arrays.stream(each.sources))
              .map(source -> 2 * source + 1)
              .toArray(),
          all.stream().flatMapToDouble(each -> Arrays.stream(each.factors)).toArray());
    }

    void project(double[] sums, double[] influences) {
      for (int at = 0; at < held.length; at++) {
        double influence = 0;
        for (int part = first[at]; part < first[at + 1]; part++) {
          influence += factors[part] * sums[places[part]];
        }
        influences[2 * at] = sums[held[at]];
        influences[2 * at + 1] = influence;
      }
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
    Projections all = Projections.of(projections);
    return pass.<Projected<A>>reduce(
            () -> new Projected<>(newPart.get(), new double[2 * projections.size()]),
            (projected, unit, sums) -> {
              all.project(sums, projected.influences);
              sink.add(projected.part, unit, projected.influences);
            },
            (left, right) -> new Projected<>(join.apply(left.part, right.part), left.influences))
        .part;
  }

  private UnitPass.Reader newReader() {
    Projection[] ofMixed = mixed.toArray(Projection[]::new);
    SourceReader reader = new SourceReader(sources);
    return (decision, values) -> {
      reader.read(decision, values);
      for (Projection each : ofMixed) {
        values[each.held] = each.holds(values) ? 1 : 0;
      }
    };
  }

  /**
   * Reads the influence of every source on a decision. What it needs stands in a few rows of
   * numbers, since there are many sources for each decision. Confined to one thread.
   */
  private static final class SourceReader {
    private final Estimator[] estimators;
    private final DecisionColumns[] columns;
    private final SharedRows.Cursor[] cursors;
    private final int[] first;
    private final double[] means;
    private final double[] gradient;
    private final double[] terms;

    SourceReader(List<Influence.Source> sources) {
      SharedRows shared = new SharedRows();
      estimators = sources.stream().map(Influence.Source::estimator).toArray(Estimator[]::new);
      columns = sources.stream().map(Influence.Source::columns).toArray(DecisionColumns[]::new);
      cursors = Arrays.stream(columns).map(shared::of).toArray(SharedRows.Cursor[]::new);
      first = new int[estimators.length + 1];
      for (int at = 0; at < estimators.length; at++) {
        first[at + 1] = first[at] + sources.get(at).means().length;
      }
      means = sources.stream().flatMapToDouble(each -> Arrays.stream(each.means())).toArray();
      gradient = sources.stream().flatMapToDouble(each -> Arrays.stream(each.gradient())).toArray();
      terms = new double[sources.stream().mapToInt(each -> each.means().length).max().orElse(0)];
    }

    /** Sets for source s at 2s whether the decision is looked at and at 2s + 1 its ψ. */
    void read(int decision, double[] values) {
      for (int at = 0; at < estimators.length; at++) {
        boolean held = columns[at].holds(decision);
        values[2 * at] = held ? 1 : 0;
        values[2 * at + 1] = held ? influence(at, decision) : 0;
      }
    }

    private double influence(int at, int decision) {
      estimators[at].terms(cursors[at].at(decision), terms);
      int from = first[at];
      int width = first[at + 1] - from;
      double influence = 0;
      for (int term = 0; term < width; term++) {
        influence += gradient[from + term] * (terms[term] - means[from + term]);
      }
      return influence;
    }
  }
}
