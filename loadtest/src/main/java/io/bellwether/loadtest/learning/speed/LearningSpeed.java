package io.bellwether.loadtest.learning.speed;

import io.bellwether.loadtest.learning.Figure;
import io.bellwether.loadtest.learning.LearningResult.Cost;
import io.bellwether.loadtest.result.Requirement;
import io.bellwether.loadtest.result.Requirement.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What learning costs. Both sides of every ratio are measured in turn, in short rounds; a ratio is
 * the median of the rounds' ratios. Immutable.
 *
 * @param steps each step at each size
 * @param pairs rounds of one learner alone and of two at once
 * @param memory over many updates
 * @param feeding rounds of the feeding stage and of an empty pipeline
 * @param torch what is known of PyTorch, in words: its version, or why there is nothing to compare
 *     with
 */
public record LearningSpeed(
    List<StepSpeed> steps, List<Pair> pairs, Memory memory, List<Feeding> feeding, String torch) {

  private static final double LEAST_OVER_TORCH = 2;
  private static final double LEAST_OF_PEAK = 0.6;
  private static final double LEAST_OF_TWO = 1.7;
  private static final double LEAST_OF_EMPTY = 0.6;

  /** The system's allocator keeps some of what is given back; a leak would be many times this. */
  private static final double MOST_GROWTH_MIB = 16;

  /** PyTorch's products are far below ours where its library of them is not an optimised one. */
  private static final double SLOW_PRODUCTS = 0.5;

  private static final int LARGE = 256;
  private static final int SMALL = 64;

  /**
   * One step at one size.
   *
   * @param operations floating point operations of the matrix products of one update
   */
  public record StepSpeed(String step, int hidden, double operations, List<Round> rounds) {

    public StepSpeed {
      rounds = List.copyOf(rounds);
    }

    /** Median of the rounds, updates per second. */
    public double ours() {
      return median(rounds, Round::ours).orElseThrow();
    }

    /** The same of PyTorch; empty where it is not there. */
    public OptionalDouble torch() {
      return median(withTorch(), Round::torch);
    }

    /** How many times as many updates as PyTorch; empty where it is not there. */
    public OptionalDouble overTorch() {
      return median(withTorch(), round -> round.ours / round.torch);
    }

    /** Share of the machine's rate of matrix products that the updates' products make. */
    public double shareOfPeak() {
      return median(rounds, round -> round.ours * operations / round.peak).orElseThrow();
    }

    /** Rate of PyTorch's own products as a share of ours; empty where it is not there. */
    OptionalDouble torchProducts() {
      return median(withTorch(), round -> round.torchPeak / round.peak);
    }

    private List<Round> withTorch() {
      return rounds.stream().filter(round -> round.torch > 0).toList();
    }
  }

  /**
   * One round, per second.
   *
   * @param ours updates of our step
   * @param torch updates of the PyTorch loop; 0 where it is not there
   * @param peak floating point operations of a large matrix product by ONNX Runtime
   * @param torchPeak the same by PyTorch, when it started; 0 where it is not there
   */
  public record Round(double ours, double torch, double peak, double torchPeak) {}

  /** Updates per second of a learner alone, and of two together on threads of their own. */
  public record Pair(double one, double two) {}

  /**
   * Resident memory of the process.
   *
   * @param startMib after the first tenth of the updates
   * @param endMib after the last
   */
  public record Memory(long updates, double startMib, double endMib) {
    public double growthMib() {
      return endMib - startMib;
    }
  }

  /**
   * Transitions per second.
   *
   * @param fed until the learner holds all rows
   * @param ordered until it has them in order and in columns, too
   * @param empty through an empty keyed pipeline
   */
  public record Feeding(double fed, double ordered, double empty) {}

  public LearningSpeed {
    steps = List.copyOf(steps);
    pairs = List.copyOf(pairs);
    feeding = List.copyOf(feeding);
  }

  /** The numbers that are compared between runs, each with what had to be shown of it. */
  public List<Cost> costs() {
    List<Cost> costs = new ArrayList<>();
    for (StepSpeed speed : steps) {
      addSpeed(speed, costs);
    }
    costs.add(twoLearners());
    costs.add(memoryGrowth());
    costs.add(fed());
    return costs;
  }

  private void addSpeed(StepSpeed speed, List<Cost> costs) {
    String prefix = prefix(speed);
    String size = "%s, %d x %d".formatted(speed.step, speed.hidden, speed.hidden);
    String note =
        words("%s: %.0f updates/s, PyTorch %.0f", size, speed.ours(), speed.torch().orElse(0))
            + caveat(speed);
    speed
        .overTorch()
        .ifPresent(
            ratio ->
                costs.add(
                    cost(
                        prefix + "updates_per_second_over_pytorch",
                        ratio,
                        "updates over PyTorch, " + size,
                        note,
                        ratio >= LEAST_OVER_TORCH,
                        "at least 2")));
    if (speed.overTorch().isEmpty()) {
      costs.add(
          cost(
              prefix + "updates_per_second",
              speed.ours(),
              "updates over PyTorch, " + size,
              words("%s: %.0f updates/s; %s", size, speed.ours(), torch),
              Status.NOT_KNOWN,
              "at least 2"));
    }
    if (speed.hidden == LARGE) {
      double share = speed.shareOfPeak();
      costs.add(
          cost(
              prefix + "updates_gemm_peak_share",
              share,
              "share of the rate of matrix products, " + size,
              words(
                  "%s: %.1f of %.1f GFLOP/s on one thread",
                  size,
                  speed.ours() * speed.operations / 1e9,
                  median(speed.rounds, Round::peak).orElseThrow() / 1e9),
              share >= LEAST_OF_PEAK,
              "at least 0.6"));
    }
  }

  /** The first step's figures have no prefix for it. */
  private static String prefix(StepSpeed speed) {
    String step = speed.step.equals(LearningStep.SAC_CQL.word()) ? "" : speed.step + "_";
    return step + (speed.hidden == SMALL ? "small_" : "");
  }

  private String caveat(StepSpeed speed) {
    OptionalDouble products = speed.torchProducts();
    return products.isPresent() && products.getAsDouble() < SLOW_PRODUCTS
        ? words(
            "; PyTorch's own products have %.0f %% of our rate: its BLAS is not an optimised one,"
                + " and the ratio says little else",
            100 * products.getAsDouble())
        : "; " + torch;
  }

  private Cost twoLearners() {
    double ratio = median(pairs, pair -> pair.two / pair.one).orElseThrow();
    return cost(
        "learners_on_two_cores",
        ratio,
        "two learners on two cores, of which neither waits for the other",
        words(
            "%.0f updates/s of one, %.0f of two",
            median(pairs, Pair::one).orElseThrow(), median(pairs, Pair::two).orElseThrow()),
        ratio >= LEAST_OF_TWO,
        "at least 1.7 times one");
  }

  private Cost memoryGrowth() {
    return new Cost(
        Figure.exact(
            "updates_memory_growth",
            memory.growthMib(),
            "MiB",
            words("%,d updates, %.0f to %.0f MiB", memory.updates, memory.startMib, memory.endMib)),
        new Requirement(
            "memory over %,d updates".formatted(memory.updates),
            words("grew by %.1f MiB", memory.growthMib()),
            "at most 16 MiB",
            Status.of(memory.growthMib() <= MOST_GROWTH_MIB)));
  }

  private Cost fed() {
    double ratio = median(feeding, round -> round.fed / round.empty).orElseThrow();
    return cost(
        "feeding_over_empty_pipeline",
        ratio,
        "feeding beside an empty keyed pipeline",
        words(
            "%,.0f transitions/s fed, %,.0f with order and columns, %,.0f through nothing",
            median(feeding, Feeding::fed).orElseThrow(),
            median(feeding, Feeding::ordered).orElseThrow(),
            median(feeding, Feeding::empty).orElseThrow()),
        ratio >= LEAST_OF_EMPTY,
        "at least 0.6");
  }

  private static Cost cost(
      String figure, double value, String name, String note, boolean met, String required) {
    return cost(figure, value, name, note, Status.of(met), required);
  }

  private static Cost cost(
      String figure, double value, String name, String note, Status status, String required) {
    String unit = status == Status.NOT_KNOWN ? "1/s" : "ratio";
    return new Cost(
        Figure.exact(figure, value, unit, note),
        new Requirement(name, words("%.2f", value) + " (" + note + ")", required, status));
  }

  private static <T> OptionalDouble median(List<T> rounds, ToDoubleFunction<T> number) {
    double[] ascending = rounds.stream().mapToDouble(number).toArray();
    Arrays.sort(ascending);
    int middle = ascending.length / 2;
    if (ascending.length == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        ascending.length % 2 == 1
            ? ascending[middle]
            : (ascending[middle - 1] + ascending[middle]) / 2);
  }

  private static String words(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
