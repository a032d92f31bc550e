package io.bellwether.loadtest.learning.speed;

import ai.onnxruntime.OrtEnvironment;
import io.bellwether.loadtest.learning.speed.LearningSpeed.Feeding;
import io.bellwether.loadtest.learning.speed.LearningSpeed.Memory;
import io.bellwether.loadtest.learning.speed.LearningSpeed.Pair;
import io.bellwether.loadtest.learning.speed.LearningSpeed.Round;
import io.bellwether.loadtest.learning.speed.LearningSpeed.StepSpeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Measures {@link LearningSpeed}. Confined to one thread, with two more while two learners run.
 *
 * @param python that may have PyTorch
 * @param work a folder for data of some megabytes
 */
public record LearningSpeedMeasurement(String python, Path work, Consumer<String> progress) {
  private static final int[] HIDDEN = {256, 64};
  private static final double WARM_UP_SECONDS = 0.3;
  private static final String RESIDENT = "VmRSS:";

  /**
   * How much is measured.
   *
   * @param rounds of every comparison
   * @param seconds of each side of a round
   * @param updates over which memory is watched
   * @param transitions that are fed in each round
   */
  public record Extent(int rounds, double seconds, long updates, int transitions) {

    /** About a minute on two free cores. */
    public static Extent quick() {
      return new Extent(5, 0.4, 10_000, 20_000);
    }

    /** About six minutes. */
    public static Extent full() {
      return new Extent(11, 1, 100_000, 100_000);
    }
  }

  /** Measures everything. */
  public LearningSpeed measure(Extent extent, long seed) throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    Optional<String> torch = TorchLoop.findPython(python);
    String about = "";
    if (torch.isEmpty()) {
      about = "no PyTorch to compare with (Debian's package is python3-torch)";
      progress.accept("speed: " + about);
    }
    List<StepSpeed> steps = new ArrayList<>();
    for (LearningStep step : LearningStep.values()) {
      for (int hidden : HIDDEN) {
        StepData data = StepData.draw(step, hidden, seed);
        try (MeasuredStep ours = MeasuredStep.open(environment, step, hidden, data);
            MatrixRate peak = MatrixRate.open(environment)) {
          Comparison comparison = new Comparison(ours, peak, extent);
          StepSpeed speed;
          if (torch.isPresent()) {
            Path folder = work.resolve(step.word() + "-" + hidden);
            try (TorchLoop theirs =
                TorchLoop.start(torch.orElseThrow(), step, hidden, data, folder)) {
              about = "PyTorch " + theirs.version();
              speed = speed(step, hidden, comparison.with(theirs));
            }
          } else {
            speed = speed(step, hidden, comparison.alone());
          }
          steps.add(speed);
          say(speed);
        }
      }
    }
    List<Pair> pairs = pairs(environment, extent, seed);
    progress.accept("speed: watching memory over %,d updates".formatted(extent.updates));
    Memory memory = memory(environment, extent.updates, seed);
    progress.accept("speed: feeding %,d transitions".formatted(extent.transitions));
    List<Feeding> feeding =
        new FeedingComparison(extent.transitions, seed)
            .measure(extent.rounds, work.resolve("feed"));
    return new LearningSpeed(steps, pairs, memory, feeding, about);
  }

  private static StepSpeed speed(LearningStep step, int hidden, List<Round> rounds) {
    return new StepSpeed(step.word(), hidden, step.operations(hidden), rounds);
  }

  private void say(StepSpeed speed) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "speed: %s, hidden %d: %.0f updates/s, PyTorch %.0f, %.2f of the rate of products",
            speed.step(),
            speed.hidden(),
            speed.ours(),
            speed.torch().orElse(0),
            speed.shareOfPeak()));
  }

  /** Rounds of one step. */
  private record Comparison(MeasuredStep ours, MatrixRate peak, Extent extent) {

    private List<Round> with(TorchLoop theirs) throws IOException {
      long updates = updates(ours);
      theirs.run(2);
      double each = theirs.run(4).seconds() / 4;
      long their = Math.max(1, Math.round(extent.seconds / each));
      List<Round> rounds = new ArrayList<>();
      for (int i = 0; i < extent.rounds; i++) {
        double torch = their / theirs.run(their).seconds();
        rounds.add(
            new Round(updates / ours.run(updates), torch, rateOfProducts(), theirs.productRate()));
      }
      return rounds;
    }

    private List<Round> alone() {
      long updates = updates(ours);
      List<Round> rounds = new ArrayList<>();
      for (int i = 0; i < extent.rounds; i++) {
        rounds.add(new Round(updates / ours.run(updates), 0, rateOfProducts(), 0));
      }
      return rounds;
    }

    private double rateOfProducts() {
      return peak.measure(extent.seconds / 4);
    }

    private long updates(MeasuredStep step) {
      return updatesFor(step, extent.seconds);
    }
  }

  /** As many updates as take this long, after a warm-up. */
  private static long updatesFor(MeasuredStep step, double seconds) {
    double spent = 0;
    long warm = 0;
    while (spent < WARM_UP_SECONDS) {
      spent += step.run(10);
      warm += 10;
    }
    return Math.max(1, Math.round(warm * seconds / spent));
  }

  private static List<Pair> pairs(OrtEnvironment environment, Extent extent, long seed)
      throws Exception {
    LearningStep step = LearningStep.SAC_CQL;
    StepData data = StepData.draw(step, HIDDEN[0], seed);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (MeasuredStep first = MeasuredStep.open(environment, step, HIDDEN[0], data);
        MeasuredStep second = MeasuredStep.open(environment, step, HIDDEN[0], data)) {
      long updates = updatesFor(first, extent.seconds);
      updatesFor(second, extent.seconds);
      List<Pair> pairs = new ArrayList<>();
      for (int i = 0; i < extent.rounds; i++) {
        double one = updates / first.run(updates);
        long began = System.nanoTime();
        Future<Double> left = threads.submit(() -> first.run(updates));
        Future<Double> right = threads.submit(() -> second.run(updates));
        left.get();
        right.get();
        pairs.add(new Pair(one, 2 * updates / ((System.nanoTime() - began) / 1e9)));
      }
      return pairs;
    } finally {
      threads.shutdownNow();
    }
  }

  private static Memory memory(OrtEnvironment environment, long updates, long seed)
      throws IOException {
    LearningStep step = LearningStep.SAC_CQL;
    int hidden = HIDDEN[1];
    try (MeasuredStep learner =
        MeasuredStep.open(environment, step, hidden, StepData.draw(step, hidden, seed))) {
      learner.run(updates / 10);
      double start = residentMib();
      learner.run(updates - updates / 10);
      return new Memory(updates, start, residentMib());
    }
  }

  /** Resident memory after a collection; 0 where the system does not tell. */
  private static double residentMib() throws IOException {
    System.gc();
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith(RESIDENT))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
        .findFirst()
        .orElse(0);
  }
}
