package io.bellwether.loadtest.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.loadtest.result.Figures;

/**
 * A result as JSON: the numbers that are compared between runs first, with stable names, then all
 * that they rest on below {@code details}. What was not measured is null.
 */
public final class ResultJson {
  private ResultJson() {}

  public static ObjectNode of(ExperimentResult result) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode json =
        mapper
            .createObjectNode()
            .put("aa_false_alarm_rate", result.falseAlarmRate())
            .put("sequence_coverage", result.coverage())
            .put("mismatch_alarm_rate", result.mismatchAlarmRate());
    Figures.put(json, "planted_good_shipped_share", result.goodShipped());
    Figures.put(json, "planted_bad_rolled_back_share", result.badRolledBack());
    Figures.put(json, "exposed_over_minimum", result.exposedOverMinimum());
    Figures.put(json, "numbers_age_seconds_p99", result.numbersAgeP99());
    json.put("seed", result.seed()).put("seconds", result.seconds());
    ObjectNode details = Figures.details(json, result);
    details.put("experiments", result.extent().experiments());
    details.put("minutes", result.extent().minutes());
    details.set("same", mapper.valueToTree(result.same()));
    details.set("different", mapper.valueToTree(result.different()));
    details.set("uneven", mapper.valueToTree(result.uneven()));
    details.set("covariate", mapper.valueToTree(result.covariate()));
    details.set("preference", mapper.valueToTree(result.preference()));
    var rounds = details.putArray("rounds");
    for (LiveResult round : result.live()) {
      ObjectNode node =
          rounds
              .addObject()
              .put("decisions", round.decisions())
              .put("seconds", round.seconds())
              .put("numbers_age_seconds_p50", round.ageMedian())
              .put("numbers_age_seconds_p99", round.ageP99())
              .put("numbers_age_looks", round.ages());
      node.set("planted", mapper.valueToTree(round.outcomes()));
    }
    return json;
  }
}
