package io.bellwether.trainer.imports.vw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.trainer.imports.LoggedDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import vowpalWabbit.learner.VWActionProbsLearner;
import vowpalWabbit.learner.VWActionScoresLearner;
import vowpalWabbit.learner.VWCCBLearner;
import vowpalWabbit.learner.VWLearners;
import vowpalWabbit.responses.ActionProb;
import vowpalWabbit.responses.ActionScore;
import vowpalWabbit.responses.ActionScores;

/**
 * What we write and read, judged by Vowpal Wabbit 9.3.0 itself, which brings one native library.
 */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class VowpalWabbitTest {

  /** Plain stochastic gradient descent, so that a few lines can do the same. */
  private static final double RATE = 0.05;

  private static final String REGRESSION =
      " --cb_type ips --sgd --power_t 0 -l "
          + RATE
          + " --noconstant --min_prediction=-1000 --max_prediction=1000 --quiet";

  /** VW computes in 32-bit floats, over a few hundred steps. */
  private static final double ROUNDING = 2e-4;

  @Test
  void vwLearnsFromExportedTransitionsWhatTheDecisionsThatWeReadTeach() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 17);
    DsjsonExport export = new DsjsonExport(samples.surface);
    CostRegression costs = new CostRegression();
    int compared = 0;
    try (VWActionScoresLearner vw = VWLearners.create("--cb_adf" + REGRESSION)) {
      for (int i = 0; i < 300; i++) {
        String line = DsjsonExportTest.line(export, samples.next(i, true));
        LoggedDecision read = DsjsonExportTest.read(line);
        String[] text = VwText.lines(line).toArray(new String[0]);
        double[] ours = costs.of(read);
        for (ActionScore score : vw.predict(text).getActionScores()) {
          assertEquals(
              ours[score.getAction()], score.getScore(), ROUNDING, i + String.join("\n", text));
          compared += ours[score.getAction()] == 0 ? 0 : 1;
        }
        vw.learn(text);
        costs.learn(read);
      }
    }
    assertTrue(compared > 1_000, compared + " costs");
  }

  @Test
  void vwGivesTheChancesOfAnEpsilonGreedyPolicyOverTheSameCosts() throws Exception {
    SampleTransitions samples = new SampleTransitions(1, 23);
    DsjsonExport export = new DsjsonExport(samples.surface);
    CostRegression costs = new CostRegression();
    try (VWActionProbsLearner vw =
        VWLearners.create("--cb_explore_adf --epsilon 0.2" + REGRESSION)) {
      for (int i = 0; i < 200; i++) {
        String line = DsjsonExportTest.line(export, samples.next(i, false));
        LoggedDecision read = DsjsonExportTest.read(line);
        String[] text = VwText.lines(line).toArray(new String[0]);
        double[] ours = epsilonGreedy(costs.of(read), 0.2);
        for (ActionProb chance : vw.predict(text).getActionProbs()) {
          assertEquals(ours[chance.getAction()], chance.getProbability(), 1e-6, line);
        }
        vw.learn(text);
        costs.learn(read);
      }
    }
  }

  /** Equal costs share the greedy part. */
  private static double[] epsilonGreedy(double[] costs, double epsilon) {
    double least = Double.POSITIVE_INFINITY;
    for (double cost : costs) {
      least = Math.min(least, cost);
    }
    int ties = 0;
    for (double cost : costs) {
      ties += cost < least + 1e-6 ? 1 : 0;
    }
    double[] chances = new double[costs.length];
    for (int i = 0; i < costs.length; i++) {
      chances[i] = epsilon / costs.length + (costs[i] < least + 1e-6 ? (1 - epsilon) / ties : 0);
    }
    return chances;
  }

  @Test
  void aPassThroughChanceReachesVwAsASmallerProbability() throws Exception {
    String line =
        DsjsonReaderTest.PERSONALIZER.replace(
            "\"_label_probability\":0.866666675", "\"_label_probability\":0.4333333375");
    assertTrue(VwText.lines(line).get(2).startsWith("2:-1.0:0.43333334 'Cold_brew |"));
    try (VWActionProbsLearner vw = VWLearners.create("--cb_explore_adf --epsilon 0.3 --quiet")) {
      vw.learn(VwText.lines(line).toArray(new String[0]));
      ActionProb best = vw.predict(VwText.lines(line).toArray(new String[0])).getActionProbs()[0];
      assertEquals(1, best.getAction());
      assertEquals(0.8, best.getProbability(), 1e-6);
    }
  }

  @Test
  void slotsThatWereWrittenAreSlotsForVw() throws Exception {
    String line =
        DsjsonReaderTest.CCB.replace("{\"_tag\":\"y\"}", "{\"_tag\":\"y\",\"b_\":\"a b\"}");
    assertEquals(
        List.of(
            "ccb shared |User id=a",
            "ccb action 'x | b_=1",
            "ccb action 'y | b_=a_b",
            "ccb action 'z |",
            "ccb slot 1:-2.0:0.75,2:0.25 1,2 | size=big",
            "ccb slot 0:0.0:0.4,2:0.6 |"),
        VwText.lines(line));
    String[] text = VwText.lines(line).toArray(new String[0]);
    try (VWCCBLearner vw = VWLearners.create("--ccb_explore_adf --epsilon 0.2 --quiet")) {
      // Only what the slot allows, and in the second only what the first left.
      assertEquals(List.of("1=0.5 2=0.5", "0=0.5 2=0.5"), chances(vw, text));
      for (int i = 0; i < 5; i++) {
        vw.learn(text);
      }
      assertEquals("1=0.9 2=0.1", chances(vw, text).get(0));
    }
  }

  @Test
  void componentsOfAVectorAreFeaturesWithoutNamesForVw() throws Exception {
    String vector = DsjsonReaderTest.PERSONALIZER.replace("\"age\":31", "\"v\":[2,0,-3]");
    String[] written = VwText.lines(vector).toArray(new String[0]);
    assertEquals(
        "shared |FromUrl timeofday=Late_Night weather=Sunny |v 0:2.0 1:0.0 2:-3.0", written[0]);
    String[] nameless = written.clone();
    nameless[0] = written[0].replace("0:2.0 1:0.0 2:-3.0", ":2 :4 :-3");
    written[0] = written[0].replace("1:0.0", "1:4.0");
    try (VWActionScoresLearner vw = VWLearners.create("--cb_adf" + REGRESSION)) {
      vw.learn(nameless);
      assertEquals(vw.predict(nameless), vw.predict(written));
      assertTrue(vw.predict(written).getActionScores()[0].getScore() != 0);
    }
  }

  @Test
  void slatesThatWereWrittenAreSlatesForVw() throws Exception {
    assertEquals(
        List.of(
            "slates shared -3.0 | q:1.0",
            "slates action 0 'u |",
            "slates action 1 'v | f:2.0",
            "slates action 1 'w |",
            "slates slot 0:1.0 |",
            "slates slot 1:0.8,0:0.2 |"),
        VwText.lines(DsjsonReaderTest.SLATES));
    String[] text = VwText.lines(DsjsonReaderTest.SLATES).toArray(new String[0]);
    try (VWCCBLearner vw = VWLearners.create("--slates --epsilon 0.2 --quiet")) {
      assertEquals(List.of("0=1.0", "0=0.5 1=0.5"), chances(vw, text));
      vw.learn(text);
    }
  }

  private static List<String> chances(VWCCBLearner vw, String[] text) {
    List<String> slots = new ArrayList<>();
    for (ActionScores slot : vw.predict(text).getDecisionScores()) {
      StringBuilder chances = new StringBuilder();
      for (ActionScore each : slot.getActionScores()) {
        chances
            .append(chances.isEmpty() ? "" : " ")
            .append(each.getAction())
            .append('=')
            .append(Math.round(each.getScore() * 1e4) / 1e4);
      }
      slots.add(chances.toString());
    }
    return slots;
  }

  /**
   * A linear regression of costs, the slow way: the cost of the chosen action over its propensity,
   * of every other one 0, and after each decision one gradient step of the squared error per action
   * in their order.
   */
  private static final class CostRegression {
    private final Map<String, Double> weights = new HashMap<>();

    double[] of(LoggedDecision decision) {
      double[] costs = new double[decision.candidates().size()];
      for (int i = 0; i < costs.length; i++) {
        costs[i] = cost(features(decision, i));
      }
      return costs;
    }

    void learn(LoggedDecision decision) {
      double reward = decision.reactions().isEmpty() ? 0 : decision.reactions().get(0).value();
      LoggedDecision.Slot slot = decision.slots().get(0);
      for (int i = 0; i < decision.candidates().size(); i++) {
        Map<String, Double> features = features(decision, i);
        double target = i == slot.chosen() ? -reward / slot.propensity() : 0;
        double step = RATE * 2 * (target - cost(features));
        features.forEach((name, value) -> weights.merge(name, step * value, Double::sum));
      }
    }

    private double cost(Map<String, Double> features) {
      double sum = 0;
      for (Map.Entry<String, Double> feature : features.entrySet()) {
        sum += weights.getOrDefault(feature.getKey(), 0.0) * feature.getValue();
      }
      return sum;
    }

    private static Map<String, Double> features(LoggedDecision decision, int candidate) {
      Map<String, Double> features = new HashMap<>();
      add(decision.context(), features);
      add(decision.candidates().get(candidate).features(), features);
      return features;
    }

    private static void add(ObjectNode flat, Map<String, Double> features) {
      for (Map.Entry<String, JsonNode> field : flat.properties()) {
        JsonNode value = field.getValue();
        if (value.isNumber()) {
          features.put(field.getKey(), value.doubleValue());
        } else if (value.isTextual()) {
          features.put(field.getKey() + "=" + value.textValue(), 1.0);
        } else if (value.isBoolean()) {
          features.put(field.getKey(), 1.0);
        }
        for (int i = 0; i < value.size(); i++) {
          JsonNode each = value.get(i);
          features.put(
              field.getKey() + "/" + (each.isNumber() ? i : each.asText()),
              each.isNumber() ? each.doubleValue() : 1.0);
        }
      }
    }
  }
}
