package io.bellwether.evaluation.offpolicy;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import org.junit.jupiter.api.Test;

/** Slates against the reference: prefix weights, cascade doubly robust, self-normalisation. */
class SlateTest {
  private final JsonNode golden = Golden.json("slate_expected.json");

  @Test
  void prefixWeightsGiveTheRewardInteractionEstimateOfFourSlates() {
    JsonNode rows = golden.at("/tiny/per_row");
    double[] logging = Golden.doubles(rows.get("pc"));
    double[] target = Golden.doubles(rows.get("ec"));
    double[] reward = Golden.doubles(rows.get("rew"));
    StreamingEstimate ips = StreamingEstimate.perDecision(new Ips(), 2);
    for (int slate = 0; slate < 4; slate++) {
      int first = 2 * slate;
      double firstRatio = target[first] / logging[first];
      double prefixRatio = target[first + 1] / logging[first + 1];
      ips.add(
          slate,
          new DecisionRow(2)
              .next(firstRatio, reward[first], 0, 0)
              .next(prefixRatio / firstRatio, reward[first + 1], 0, 0));
    }
    assertEstimate("/tiny/estimators/rips", ips.result());
  }

  @Test
  void marginalWeightsGiveTheIndependentEstimateOfFourSlates() {
    JsonNode rows = golden.at("/tiny/per_row");
    double[] logging = Golden.doubles(rows.get("pm"));
    double[] target = Golden.doubles(rows.get("em"));
    double[] reward = Golden.doubles(rows.get("rew"));
    StreamingEstimate independent = StreamingEstimate.perDecision(new Ips(), 2);
    for (int slate = 0; slate < 4; slate++) {
      DecisionRow row = new DecisionRow(2);
      for (int at = 2 * slate; at < 2 * slate + 2; at++) {
        row.place(target[at] / logging[at], reward[at], 0, 0);
      }
      independent.add(slate, row);
    }
    assertEstimate("/tiny/estimators/iips", independent.result());
  }

  @Test
  void cascadeDoublyRobustOfFourSlates() {
    JsonNode tiny = golden.get("tiny");
    double[][] loggingScores = Golden.matrix(tiny.get("scores_b"));
    double[][] targetScores = Golden.matrix(tiny.get("scores_e"));
    double[][] slates = Golden.matrix(tiny.get("slates"));
    double[][] rewards = Golden.matrix(tiny.get("rewards"));
    StreamingEstimate robust = StreamingEstimate.perDecision(new DoublyRobust(), 2);
    for (int slate = 0; slate < 4; slate++) {
      DecisionRow row = new DecisionRow(2);
      boolean[] used = new boolean[4];
      double[][] toGo = Golden.matrix(tiny.get("q_to_go").get(slate));
      for (int position = 0; position < 2; position++) {
        int item = (int) slates[slate][position];
        double[] logging = choice(loggingScores[slate], used);
        double[] target = choice(targetScores[slate], used);
        double direct = 0;
        for (int other = 0; other < 4; other++) {
          direct += target[other] * toGo[position][other];
        }
        row.next(
            target[item] / logging[item], rewards[slate][position], toGo[position][item], direct);
        used[item] = true;
      }
      robust.add(slate, row);
    }
    double expected = golden.at("/tiny/estimators/cascade_dr/value").doubleValue();
    assertEquals(expected, robust.result().point().orElseThrow(), closed(expected));
  }

  @Test
  void fourHundredSlates() {
    StreamingEstimate ips = StreamingEstimate.perDecision(new Ips(), 3);
    StreamingEstimate robust = StreamingEstimate.perDecision(new DoublyRobust(), 3);
    Golden.Table csv = Golden.csv("slate_synthetic.csv");
    for (int slate = 0; slate < 400; slate++) {
      ips.add(slate, slate(csv, slate));
      robust.add(slate, slate(csv, slate));
    }
    assertEstimate("/synthetic/estimators/rips", ips.result());
    assertEquals(
        golden.at("/synthetic/estimators/cascade_dr/value").doubleValue(),
        robust.result().point().orElseThrow(),
        1e-4);
  }

  @Test
  void oneSelfNormalisedPositionAfterAnotherIsTheSumOfTheTwo() {
    StreamingEstimate both = StreamingEstimate.perDecision(new Snips(), 2);
    StreamingEstimate first = StreamingEstimate.perDecision(new Snips(), 1);
    StreamingEstimate second = StreamingEstimate.perDecision(new Snips(), 1);
    double[][] slates = {{0.5, 1, 2, 3}, {2, 0, 0.5, 1}, {1, 2, 3, 0}};
    for (double[] each : slates) {
      both.add(0, new DecisionRow(2).next(each[0], each[1], 0, 0).next(each[2], each[3], 0, 0));
      first.add(0, new DecisionRow(1).next(each[0], each[1], 0, 0));
      second.add(0, new DecisionRow(1).next(each[0] * each[2], each[3], 0, 0));
    }
    assertEquals(
        first.result().point().orElseThrow() + second.result().point().orElseThrow(),
        both.result().point().orElseThrow(),
        1e-12);
  }

  @Test
  void aShortSlateKeepsItsWeightAndHasNoMoreReward() {
    DecisionRow padded = new DecisionRow(6).next(0.5, 1, 0, 0).next(3, 2, 0, 0);
    DecisionRow explicit = new DecisionRow(6).next(0.5, 1, 0, 0).next(3, 2, 0, 0);
    for (int position = 2; position < 6; position++) {
      explicit.next(1, 0, 0, 0);
    }
    double[] paddedTerms = new double[12];
    double[] explicitTerms = new double[12];
    new Snips().terms(padded, paddedTerms);
    new Snips().terms(explicit, explicitTerms);
    for (int term = 0; term < 12; term++) {
      assertEquals(explicitTerms[term], paddedTerms[term], 1e-14);
    }
  }

  private static DecisionRow slate(Golden.Table csv, int slate) {
    double[] loggingScores = scores(csv, "score_b_", slate);
    double[] targetScores = scores(csv, "score_e_", slate);
    double[] attractions = scores(csv, "attr_", slate);
    boolean[] used = new boolean[5];
    DecisionRow row = new DecisionRow(3);
    for (int position = 0; position < 3; position++) {
      int item = (int) csv.column("item_" + (position + 1))[slate];
      double[] logging = choice(loggingScores, used);
      double[] target = choice(targetScores, used);
      double direct = 0;
      for (int other = 0; other < 5; other++) {
        direct += target[other] * toGo(position, attractions[other]);
      }
      row.next(
          target[item] / logging[item],
          csv.column("click_" + (position + 1))[slate],
          toGo(position, attractions[item]),
          direct);
      used[item] = true;
    }
    return row;
  }

  /** The rule in the golden file's meta block. */
  private static double toGo(int position, double attraction) {
    return Math.round((3 - position) * 0.9 * attraction / 1.3 * 1e4) / 1e4;
  }

  private static double[] scores(Golden.Table csv, String prefix, int slate) {
    double[] scores = new double[5];
    for (int item = 0; item < 5; item++) {
      scores[item] = csv.column(prefix + item)[slate];
    }
    return scores;
  }

  /** Softmax over the items that are not used yet. */
  private static double[] choice(double[] scores, boolean[] used) {
    double[] probability = new double[scores.length];
    double total = 0;
    for (int item = 0; item < scores.length; item++) {
      probability[item] = used[item] ? 0 : Math.exp(scores[item]);
      total += probability[item];
    }
    for (int item = 0; item < scores.length; item++) {
      probability[item] /= total;
    }
    return probability;
  }

  private void assertEstimate(String path, Estimate found) {
    double value = golden.at(path + "/value").doubleValue();
    double error = golden.at(path + "/se").doubleValue();
    assertEquals(value, found.point().orElseThrow(), closed(value));
    assertEquals(error, found.error().orElseThrow(), closed(error));
  }
}
