package io.bellwether.loadtest.learning.tabular;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.optim.LocalizedOptimFormats;
import org.hipparchus.optim.linear.LinearConstraint;
import org.hipparchus.optim.linear.LinearConstraintSet;
import org.hipparchus.optim.linear.LinearObjectiveFunction;
import org.hipparchus.optim.linear.NonNegativeConstraint;
import org.hipparchus.optim.linear.Relationship;
import org.hipparchus.optim.linear.SimplexSolver;
import org.hipparchus.optim.nonlinear.scalar.GoalType;

/**
 * The linear program whose solution is the best policy under limits, and its dual.
 *
 * <p>Source: Altman, "Constrained Markov Decision Processes", 1999. The dual is solved as a program
 * of its own, since the solver gives no shadow prices. Immutable.
 */
record OccupancyProgram(ConstrainedProcess process) {

  /*
   * Variables d(s, a) >= 0, discounted visits:
   *
   *   primal   max Σ d r_0           Σ_a d(s', a) = start(s') + discount Σ P(s'|s, a) d(s, a)
   *                                  sign_i Σ d r_i >= sign_i bound_i
   *   dual     min Σ start V - Σ λ_i sign_i bound_i
   *                                  V(s) >= r_0 + Σ λ_i sign_i r_i + discount Σ P V,   λ >= 0, V of any sign
   */

  /** What a linear program says about a task. */
  sealed interface Answer {}

  /**
   * @param value the objective of the best policy that keeps every limit
   * @param visits its occupancy measure
   * @param multipliers per limit, by how much the value rises where the bound gives way by one
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Optimum(double value, double[][] visits, double[] multipliers) implements Answer {}

  /**
   * No policy keeps all limits.
   *
   * @param farthest per limit, the value of its signal under the policy that does best by it alone
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Infeasible(double[] farthest) implements Answer {}

  Answer solve(List<Limit> limits) {
    List<LinearConstraint> constraints = new ArrayList<>(flow());
    for (Limit limit : limits) {
      constraints.add(
          new LinearConstraint(
              flat(process.rewards()[limit.signal()]),
              limit.sign() > 0 ? Relationship.GEQ : Relationship.LEQ,
              limit.bound()));
    }
    try {
      double[][] visits = maximise(flat(process.rewards()[0]), constraints);
      return new Optimum(process.value(visits, 0), visits, multipliers(limits));
    } catch (MathIllegalStateException unsolved) {
      if (unsolved.getSpecifier() != LocalizedOptimFormats.NO_FEASIBLE_SOLUTION) {
        throw unsolved;
      }
      return new Infeasible(farthest(limits));
    }
  }

  /** Visits of a policy that is best for one signal: {@code sign} 1 wants most of it, -1 least. */
  double[][] best(int signal, int sign) {
    double[] wanted = flat(process.rewards()[signal]);
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] *= sign;
    }
    return maximise(wanted, flow());
  }

  /** Per limit, the value of its signal under the policy that does best by it alone. */
  double[] farthest(List<Limit> limits) {
    return limits.stream()
        .mapToDouble(limit -> process.value(best(limit.signal(), limit.sign()), limit.signal()))
        .toArray();
  }

  private List<LinearConstraint> flow() {
    int actions = process.actions();
    List<LinearConstraint> flow = new ArrayList<>();
    for (int to = 0; to < process.states(); to++) {
      double[] row = new double[process.states() * actions];
      for (int from = 0; from < process.states(); from++) {
        for (int action = 0; action < actions; action++) {
          row[from * actions + action] =
              (from == to ? 1 : 0) - process.discount() * process.transition()[from][action][to];
        }
      }
      flow.add(new LinearConstraint(row, Relationship.EQ, process.start()[to]));
    }
    return flow;
  }

  private double[][] maximise(double[] wanted, List<LinearConstraint> constraints) {
    double[] solution =
        new SimplexSolver()
            .optimize(
                new LinearObjectiveFunction(wanted, 0),
                new LinearConstraintSet(constraints),
                GoalType.MAXIMIZE,
                new NonNegativeConstraint(true))
            .getPoint();
    int actions = process.actions();
    double[][] visits = new double[process.states()][];
    for (int state = 0; state < visits.length; state++) {
      visits[state] = Arrays.copyOfRange(solution, state * actions, (state + 1) * actions);
    }
    // the solver's own numbers are right to some 1e-6 only, its policy to all digits
    return process.visits(process.policyOf(visits));
  }

  private double[] multipliers(List<Limit> limits) {
    int states = process.states();
    double[] wanted = Arrays.copyOf(process.start(), states + limits.size());
    List<LinearConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < limits.size(); i++) {
      wanted[states + i] = -limits.get(i).sign() * limits.get(i).bound();
      double[] row = new double[wanted.length];
      row[states + i] = 1;
      constraints.add(new LinearConstraint(row, Relationship.GEQ, 0));
    }
    for (int state = 0; state < states; state++) {
      for (int action = 0; action < process.actions(); action++) {
        double[] row = new double[wanted.length];
        row[state] = 1;
        for (int next = 0; next < states; next++) {
          row[next] -= process.discount() * process.transition()[state][action][next];
        }
        for (int i = 0; i < limits.size(); i++) {
          Limit limit = limits.get(i);
          row[states + i] = -limit.sign() * process.rewards()[limit.signal()][state][action];
        }
        constraints.add(
            new LinearConstraint(row, Relationship.GEQ, process.rewards()[0][state][action]));
      }
    }
    double[] solution =
        new SimplexSolver()
            .optimize(
                new LinearObjectiveFunction(wanted, 0),
                new LinearConstraintSet(constraints),
                GoalType.MINIMIZE,
                new NonNegativeConstraint(false))
            .getPoint();
    return Arrays.copyOfRange(solution, states, solution.length);
  }

  private static double[] flat(double[][] perState) {
    int actions = perState[0].length;
    double[] flat = new double[perState.length * actions];
    for (int state = 0; state < perState.length; state++) {
      System.arraycopy(perState[state], 0, flat, state * actions, actions);
    }
    return flat;
  }
}
