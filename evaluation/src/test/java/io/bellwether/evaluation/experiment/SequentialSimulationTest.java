package io.bellwether.evaluation.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.interval.AsymptoticSequence;
import io.bellwether.evaluation.interval.MultipleComparisons;
import io.bellwether.evaluation.interval.Normal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/**
 * How often each way of deciding is wrong, and finds what is there, in simulated experiments. Rates
 * that are known are compared with those of an independent simulation within four Monte-Carlo
 * standard errors, promises with what was promised plus four.
 */
class SequentialSimulationTest {
  private static final int LOOKS = 100;
  private static final int UNITS_PER_LOOK = 100;
  private static final double Z = -Normal.quantile(0.025);

  private final JsonNode reference = Golden.json("simulation_expected.json").get("results");

  /** One experiment: |z| and the standard error of the difference at every look. */
  private record Course(double[] effects, double[] errors) {

    double z(int look) {
      return Math.abs(effects[look]) / errors[look];
    }

    static long units(int look) {
      return 2L * UNITS_PER_LOOK * (look + 1);
    }
  }

  /** Whether a way of deciding claims a difference at any time in an experiment. */
  private interface Rule {
    boolean claims(Course course);
  }

  @Test
  void onlyHonestRulesKeepAlphaWhenPeopleLook() {
    Map<String, Rule> rules = new LinkedHashMap<>();
    rules.put("naive_z_each_look", atEachLook(1, look -> Z));
    rules.put("fixed_horizon_last_look_only", course -> course.z(LOOKS - 1) > Z);
    rules.put("asymptotic_cs_t*=5000", sequence(5_000));
    rules.put("asymptotic_cs_t*=20000", sequence(20_000));
    rules.put("msprt_tau2=0.001", mixture(1e-3));
    rules.put("msprt_tau2=0.01", mixture(1e-2));
    rules.put("group_sequential_LD_OBF_5_looks", planned(new Spending.ObrienFleming()));
    rules.put("group_sequential_LD_Pocock_5_looks", planned(new Spending.Pocock()));
    rules.put("naive_5_looks", atEachLook(LOOKS / 5, look -> Z));
    rules.put("bonferroni_5_looks", atEachLook(LOOKS / 5, look -> -Normal.quantile(0.005)));
    int replications = 4_000;
    Map<String, Double> rates = rates(rules, replications, 0, 11);

    rates.forEach(
        (rule, rate) -> {
          assertSimulated("aa_peeking_100_looks", rule, rate);
          if (!rule.startsWith("naive")) {
            assertAtMost(0.05, rate, replications);
          }
        });
    assertTrue(rates.getOrDefault("naive_z_each_look", 0.0) > 0.25);
  }

  @Test
  void lookingAtAnyTimeCostsPower() {
    Map<String, Rule> rules = new LinkedHashMap<>();
    rules.put("fixed", course -> course.z(LOOKS - 1) > Z);
    rules.put("asymptotic_cs_t*=20000", sequence(20_000));
    rules.put("LD_OBF", planned(new Spending.ObrienFleming()));
    rules.put("LD_Pocock", planned(new Spending.Pocock()));
    rates(rules, 4_000, 0.05, 12)
        .forEach((rule, rate) -> assertSimulated("power_delta=0.05sd_N=20000", rule, rate));
  }

  @Test
  void ratesOfRareEventsAreHonestAfterAHundredOfThem() {
    for (double rate : new double[] {0.05, 0.005}) {
      int replications = 3_000;
      Random random = new Random(13);
      BinomialDraw draw = new BinomialDraw(UNITS_PER_LOOK, rate);
      AsymptoticSequence sequence = new AsymptoticSequence(0.05, 5_000);
      int claims = 0;
      int naive = 0;
      for (int replication = 0; replication < replications; replication++) {
        Rates rates = new Rates(random, draw);
        rates.run();
        claims += rates.claims(sequence) ? 1 : 0;
        naive += rates.naive() ? 1 : 0;
      }
      assertAtMost(0.05, claims / (double) replications, replications);
      String scenario = "aa_peeking_binary_p=" + rate;
      assertSimulated(scenario, "asymptotic_cs_min_100_events", claims / (double) replications);
      assertSimulated(scenario, "naive", naive / (double) replications);
    }
  }

  @Test
  void aFairSplitRaisesNoAlarmAndAnUnfairOneDoes() {
    int replications = 3_000;
    int[] fair = alarms(0.5, replications, 14);
    double falseAlarms =
        Arrays.stream(fair).filter(look -> look > 0).count() / (double) replications;
    assertAtMost(0.01, falseAlarms, replications);
    assertSimulated("srm_fair_split_200_looks", "sequential_alpha_0.01", falseAlarms);

    int[] unfair = Arrays.stream(alarms(0.52, replications, 15)).filter(look -> look > 0).toArray();
    double found = unfair.length / (double) replications;
    assertTrue(found >= 0.95, "found " + found);
    assertSimulated("srm_52_48_sequential_alpha_0.01", "detected_by_20000", found);
    Arrays.sort(unfair);
    double median = unfair[unfair.length / 2] * (double) UNITS_PER_LOOK;
    assertEquals(
        reference.at("/srm_52_48_sequential_alpha_0.01/median_units_to_detect").doubleValue(),
        median,
        700);
  }

  @Test
  void tenMetricsWithoutAnEffectAreHeldByHolm() {
    int replications = 4_000;
    Random random = new Random(16);
    int uncorrected = 0;
    int corrected = 0;
    for (int replication = 0; replication < replications; replication++) {
      double[] p = DoubleStream.generate(() -> p(random.nextGaussian())).limit(10).toArray();
      uncorrected += rejections(p) > 0 ? 1 : 0;
      corrected += rejections(MultipleComparisons.HOLM.adjust(p)) > 0 ? 1 : 0;
    }
    assertEquals(1 - Math.pow(0.95, 10), uncorrected / (double) replications, 0.031);
    assertAtMost(0.05, corrected / (double) replications, replications);
  }

  @Test
  void falseDiscoveriesStayAtTheirShare() {
    int replications = 4_000;
    Random random = new Random(17);
    double falseShare = 0;
    int found = 0;
    for (int replication = 0; replication < replications; replication++) {
      double[] p = new double[20];
      for (int metric = 0; metric < 20; metric++) {
        p[metric] = p(random.nextGaussian() + (metric < 5 ? 3 : 0));
      }
      double[] adjusted = MultipleComparisons.BENJAMINI_HOCHBERG.adjust(p);
      int right = 0;
      int wrong = 0;
      for (int metric = 0; metric < 20; metric++) {
        right += metric < 5 && adjusted[metric] <= 0.1 ? 1 : 0;
        wrong += metric >= 5 && adjusted[metric] <= 0.1 ? 1 : 0;
      }
      falseShare += right + wrong > 0 ? wrong / (double) (right + wrong) : 0;
      found += right;
    }
    // Shares of false discoveries spread by about 0.13 between experiments.
    assertEquals(0.075, falseShare / replications, 4 * 0.13 / Math.sqrt(replications));
    assertTrue(found > 2 * replications);
  }

  @Test
  void aRollBackNeedsHarm() {
    int replications = 2_000;
    double alpha = 0.05 / 3;
    AsymptoticSequence sequence = new AsymptoticSequence(alpha, 5_000);
    double naive = Normal.quantile(0.05 / 3);
    Random random = new Random(18);
    int rolledBack = 0;
    int naively = 0;
    int[] caught = new int[replications];
    for (int replication = 0; replication < replications; replication++) {
      int first = LOOKS;
      boolean naiveClaim = false;
      for (int guardrail = 0; guardrail < 3; guardrail++) {
        Course course = course(random, 0);
        first = Math.min(first, firstHarm(course, sequence));
        naiveClaim |= isEverBelow(course, naive);
      }
      rolledBack += first < LOOKS ? 1 : 0;
      naively += naiveClaim ? 1 : 0;
      caught[replication] = firstHarm(course(random, -0.1), sequence);
    }
    assertAtMost(0.05, rolledBack / (double) replications, replications);
    assertTrue(naively / (double) replications > 0.25);
    long detected = Arrays.stream(caught).filter(look -> look < LOOKS).count();
    assertTrue(detected >= 0.99 * replications, "caught " + detected);
    Arrays.sort(caught);
    assertEquals(
        reference.at("/auto_rollback_3_guardrails/median_units_total_to_rollback").doubleValue(),
        Course.units(caught[replications / 2]),
        800);
  }

  @Test
  void interleavingTwoEqualRankersPrefersNeither() {
    int replications = 1_500;
    Random random = new Random(19);
    int claims = 0;
    double preference = 0;
    for (int replication = 0; replication < replications; replication++) {
      SignTest test = interleaved(random, 200);
      claims += test.pValue().orElse(1) <= 0.05 ? 1 : 0;
      preference += test.preference().orElse(0) / replications;
    }
    assertAtMost(0.05, claims / (double) replications, replications);
    assertEquals(0, preference, 4 * 0.5 / Math.sqrt(200.0 * replications));
  }

  /** Units that click each position of a slate with a chance that does not depend on the teams. */
  private static SignTest interleaved(Random random, int units) {
    int[] first = {0, 1, 2, 3, 4, 5};
    int[] second = {5, 2, 0, 4, 1, 3};
    TeamDraft teams = new TeamDraft(first, second, 4);
    int wins = 0;
    int losses = 0;
    for (int unit = 0; unit < units; unit++) {
      TeamDraft.Draft draft = teams.draft(random.nextLong());
      int credit = 0;
      for (int slot = 0; slot < 4; slot++) {
        boolean clicked = random.nextDouble() < 0.4 / (slot + 1);
        credit += clicked ? 2 * draft.teams()[slot] - 1 : 0;
      }
      wins += credit > 0 ? 1 : 0;
      losses += credit < 0 ? 1 : 0;
    }
    return new SignTest(wins, losses, units - wins - losses);
  }

  private static Map<String, Double> rates(
      Map<String, Rule> rules, int replications, double difference, long seed) {
    Random random = new Random(seed);
    Map<String, Double> rates = new LinkedHashMap<>();
    for (int replication = 0; replication < replications; replication++) {
      Course course = course(random, difference);
      rules.forEach(
          (name, rule) ->
              rates.merge(name, rule.claims(course) ? 1.0 / replications : 0, Double::sum));
    }
    return rates;
  }

  /** Of normal units with a spread of 1: sums and squares of a look are drawn, not its units. */
  private static Course course(Random random, double difference) {
    double[] sums = new double[2];
    double[] squares = new double[2];
    double[] effects = new double[LOOKS];
    double[] errors = new double[LOOKS];
    for (int look = 0; look < LOOKS; look++) {
      for (int arm = 0; arm < 2; arm++) {
        double mean = random.nextGaussian() / Math.sqrt(UNITS_PER_LOOK) + arm * difference;
        sums[arm] += UNITS_PER_LOOK * mean;
        squares[arm] += UNITS_PER_LOOK * mean * mean + chiSquared(random, UNITS_PER_LOOK - 1);
      }
      double units = UNITS_PER_LOOK * (look + 1.0);
      effects[look] = (sums[1] - sums[0]) / units;
      errors[look] =
          Math.sqrt(
              (squares[0] + squares[1] - (sums[0] * sums[0] + sums[1] * sums[1]) / units)
                  / (units - 1)
                  / units);
    }
    return new Course(effects, errors);
  }

  /** Source: Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables", 2000. */
  private static double chiSquared(Random random, int degreesOfFreedom) {
    double d = degreesOfFreedom / 2.0 - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      if (v > 0 && Math.log(random.nextDouble()) < x * x / 2 + d - d * v + d * Math.log(v)) {
        return 2 * d * v;
      }
    }
  }

  private interface Bound {
    double at(int look);
  }

  private static Rule atEachLook(int every, Bound bound) {
    return course -> {
      for (int look = every - 1; look < LOOKS; look += every) {
        if (course.z(look) > bound.at(look)) {
          return true;
        }
      }
      return false;
    };
  }

  private static Rule sequence(long planned) {
    AsymptoticSequence sequence = new AsymptoticSequence(0.05, planned);
    return course -> {
      for (int look = 0; look < LOOKS; look++) {
        double p = sequence.pValue(Course.units(look), course.effects[look], course.errors[look]);
        if (p <= 0.05) {
          return true;
        }
      }
      return false;
    };
  }

  private static Rule mixture(double variance) {
    MixtureSequentialTest test = new MixtureSequentialTest(variance);
    return course -> {
      for (int look = 0; look < LOOKS; look++) {
        if (test.pValue(course.effects[look], course.errors[look]) <= 0.05) {
          return true;
        }
      }
      return false;
    };
  }

  private static Rule planned(Spending spending) {
    List<GroupSequential.Look> looks = new GroupSequential(spending, 0.05).equalLooks(5);
    return atEachLook(LOOKS / 5, look -> looks.get(look / (LOOKS / 5)).bound());
  }

  private static int firstHarm(Course course, AsymptoticSequence sequence) {
    for (int look = 0; look < LOOKS; look++) {
      double margin = sequence.oneSidedMargin(Course.units(look), course.errors[look]);
      if (course.effects[look] + margin < 0) {
        return look;
      }
    }
    return LOOKS;
  }

  private static boolean isEverBelow(Course course, double z) {
    for (int look = 0; look < LOOKS; look++) {
      if (course.effects[look] / course.errors[look] < z) {
        return true;
      }
    }
    return false;
  }

  /** For each experiment the number of its look that raised the alarm, of 200, or 0. */
  private static int[] alarms(double share, int replications, long seed) {
    Random random = new Random(seed);
    SampleRatio even = SampleRatio.of(1, 1);
    BinomialDraw draw = new BinomialDraw(UNITS_PER_LOOK, share);
    int[] alarms = new int[replications];
    for (int replication = 0; replication < replications; replication++) {
      long first = 0;
      for (int look = 1; look <= 200 && alarms[replication] == 0; look++) {
        first += draw.next(random);
        long second = (long) look * UNITS_PER_LOOK - first;
        alarms[replication] = even.sequentialP(first, second) < Analysis.MISMATCH_ALARM ? look : 0;
      }
    }
    return alarms;
  }

  private static double p(double z) {
    return 2 * Normal.cumulative(-Math.abs(z));
  }

  private static long rejections(double[] p) {
    return Arrays.stream(p).filter(value -> value <= 0.05).count();
  }

  private static void assertAtMost(double alpha, double rate, int replications) {
    double error = Math.sqrt(alpha * (1 - alpha) / replications);
    assertTrue(rate <= alpha + 4 * error, "found " + rate);
  }

  /** Both rates are random; they differ by at most four standard errors of their difference. */
  private void assertSimulated(String scenario, String rule, double rate) {
    JsonNode expected = reference.get(scenario).get(rule);
    double error = expected.get("mc_se").doubleValue();
    assertEquals(
        expected.get("rate").doubleValue(), rate, 4 * Math.sqrt(2) * error, scenario + " " + rule);
  }

  /** An A/A experiment of a rate. Confined to one thread. */
  private static final class Rates {
    private final Random random;
    private final BinomialDraw draw;
    private final double[] effects = new double[LOOKS];
    private final double[] errors = new double[LOOKS];
    private final long[] events = new long[LOOKS];

    Rates(Random random, BinomialDraw draw) {
      this.random = random;
      this.draw = draw;
    }

    void run() {
      long first = 0;
      long second = 0;
      for (int look = 0; look < LOOKS; look++) {
        first += draw.next(random);
        second += draw.next(random);
        double units = UNITS_PER_LOOK * (look + 1.0);
        double control = first / units;
        double treatment = second / units;
        events[look] = first + second;
        effects[look] = treatment - control;
        errors[look] = Math.sqrt((control * (1 - control) + treatment * (1 - treatment)) / units);
      }
    }

    boolean claims(AsymptoticSequence sequence) {
      for (int look = 0; look < LOOKS; look++) {
        if (events[look] >= 100
            && sequence.pValue(Course.units(look), effects[look], errors[look]) <= 0.05) {
          return true;
        }
      }
      return false;
    }

    boolean naive() {
      for (int look = 0; look < LOOKS; look++) {
        if (Math.abs(effects[look]) > Z * errors[look]) {
          return true;
        }
      }
      return false;
    }
  }

  /** Numbers of successes of so many trials, by the inverse of their distribution. */
  private static final class BinomialDraw {
    private final double[] cumulative;

    BinomialDraw(int trials, double rate) {
      cumulative = new double[trials + 1];
      double chance = Math.pow(1 - rate, trials);
      double sum = 0;
      for (int successes = 0; successes <= trials; successes++) {
        sum += chance;
        cumulative[successes] = sum;
        chance *= (trials - successes) / (successes + 1.0) * rate / (1 - rate);
      }
      cumulative[trials] = 1;
    }

    int next(Random random) {
      int found = Arrays.binarySearch(cumulative, random.nextDouble());
      return found < 0 ? -found - 1 : found;
    }
  }
}
