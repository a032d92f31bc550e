package io.bellwether.evaluation.experiment;

import io.bellwether.evaluation.interval.RunningP;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Whether the units of every phase are split as its shares ask for.
 *
 * <p>Each phase is tested on its own with its part of the error: people who come back are in the
 * same variant again, so that evidence of several phases is not independent and must not be
 * multiplied.
 */
final class TrafficSplit {
  private static final String NO_SPLIT = "NO_SPLIT";

  private TrafficSplit() {}

  /**
   * A variant that nobody was counted of yet may be one whose first numbers are on their way, and
   * an alarm never ends; without units of it nothing moves anyway.
   */
  static SampleRatioReading read(AnalysisPlan plan, List<PhaseSample> phases, TickMemory before) {
    RunningP running = new RunningP(before.mismatchP());
    Figure factor = new Figure.Unknown(NO_SPLIT);
    Figure chiSquareP = factor;
    for (PhaseSample phase : phases) {
      List<String> sides = phase.withTraffic();
      if (!Analysis.comparesUnits(plan) || sides.size() < 2) {
        continue;
      }
      SampleRatio ratio = SampleRatio.of(sides.stream().mapToDouble(phase::share).toArray());
      long[] units = sides.stream().mapToLong(side -> counted(plan, phase.sample(side))).toArray();
      if (Arrays.stream(units).allMatch(count -> count > 0)) {
        double parts = plan.alpha() / plan.alphaOfPhase(phase.number());
        running = running.after(Math.min(1, parts * ratio.sequentialP(units)));
      }
      factor = Figure.of(ratio.logBayesFactor(units));
      OptionalDouble once = ratio.chiSquareP(units);
      chiSquareP = Figure.of(once, NO_SPLIT);
    }
    return new SampleRatioReading(
        factor, running.value(), chiSquareP, running.value() < Analysis.MISMATCH_ALARM);
  }

  private static long counted(AnalysisPlan plan, VariantSample sample) {
    return plan.design() == AnalysisPlan.Design.SWITCHBACK
        ? sample.slices().size()
        : sample.units();
  }
}
