package io.bellwether.evaluation.distribution;

import static io.bellwether.evaluation.Golden.closed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.evaluation.Golden;
import io.bellwether.evaluation.OpenBanditLog;
import io.bellwether.evaluation.distribution.Subgroups.Heterogeneity;
import io.bellwether.evaluation.interval.ChiSquare;
import io.bellwether.evaluation.offpolicy.DecisionRow;
import io.bellwether.evaluation.offpolicy.Estimate;
import io.bellwether.evaluation.offpolicy.Snips;
import io.bellwether.evaluation.offpolicy.StreamingEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubgroupsTest {

  @Test
  void positionsOfTheOpenBanditLogs() {
    for (String direction :
        List.of("men:random->bts", "men:bts->random", "women:random->bts", "women:bts->random")) {
      assertPositions(direction);
    }
  }

  private static void assertPositions(String direction) {
    JsonNode golden =
        Golden.json("obd_expected.json")
            .get("results")
            .get(direction)
            .get("subgroup_by_position_snips");
    String campaign = direction.substring(0, direction.indexOf(':'));
    boolean uniform = direction.contains(":random");
    OpenBanditLog log = OpenBanditLog.read(campaign, uniform ? "random" : "bts");
    double[][] target =
        OpenBanditLog.target(
            campaign, uniform ? "bts" : "random", campaign.equals("men") ? 34 : 46);
    List<Subgroup> groups = new ArrayList<>();
    for (int position = 0; position < 3; position++) {
      JsonNode expected = golden.get(Integer.toString(position + 1));
      Subgroup group = atPosition(log, target, position);
      double effective = expected.get("ess").doubleValue();
      assertEquals(expected.get("n").longValue(), group.decisions());
      assertEquals(effective, group.effectiveSampleSize(), closed(effective));
      if (effective < 100) {
        assertEquals(new Estimate.Refused("ESS_BELOW_100"), group.estimate());
      } else {
        double value = expected.get("value").doubleValue();
        assertEquals(value, group.estimate().point().orElseThrow(), closed(value));
      }
      groups.add(group);
    }
    Subgroups found = Subgroups.of("position", groups);
    long shown = groups.stream().filter(each -> each.effectiveSampleSize() >= 100).count();
    assertEquals(shown, found.heterogeneity().orElseThrow().groups());
    assertEquals(direction.equals("women:bts->random") ? 2 : 3, shown);
  }

  private static Subgroup atPosition(OpenBanditLog log, double[][] target, int position) {
    StreamingEstimate snips = StreamingEstimate.perDecision(new Snips(), 1);
    double total = 0;
    double squares = 0;
    long decisions = 0;
    for (int row = 0; row < log.size(); row++) {
      if (log.position()[row] == position) {
        double weight = target[log.item()[row]][position] / log.propensity()[row];
        snips.add(row, new DecisionRow(1).next(weight, log.click()[row], 0, 0));
        total += weight;
        squares += weight * weight;
        decisions++;
      }
    }
    return new Subgroup(
        Integer.toString(position), decisions, total * total / squares, snips.result());
  }

  @Test
  void groupsThatDifferByMoreThanChanceAreFound() {
    Heterogeneity same =
        Subgroups.of("country", List.of(group("a", 1, 0.1), group("b", 1.1, 0.1)))
            .heterogeneity()
            .orElseThrow();
    assertEquals(0.5, same.q(), 1e-12);
    assertEquals(1.05, same.pooled(), 1e-12);
    assertEquals(ChiSquare.survival(0.5, 1), same.pValue(), 1e-12);
    Heterogeneity different =
        Subgroups.of(
                "country", List.of(group("a", 1, 0.1), group("b", 2, 0.1), group("c", 1.2, 0.2)))
            .heterogeneity()
            .orElseThrow();
    assertEquals(3, different.groups());
    assertTrue(different.pValue() < 1e-6);
  }

  @Test
  void groupsWithoutAStandardErrorAreNotCompared() {
    Subgroup certain = group("a", 1, 0);
    Subgroup unknown = new Subgroup("b", 1, 500, new Estimate.ValueOnly(1, "N_LT_2"));
    Subgroup small = new Subgroup("c", 120, 99, group("c", 2, 0.1).estimate());
    Subgroups found = Subgroups.of("country", List.of(certain, unknown, small, group("d", 1, 1)));
    assertTrue(found.heterogeneity().isEmpty());
    assertEquals(new Estimate.Refused("ESS_BELOW_100"), small.estimate());
  }

  @Test
  void theLargestTwentyAreShown() {
    List<Subgroup> many =
        IntStream.range(0, 25)
            .mapToObj(
                each ->
                    new Subgroup("group " + each, 1000 + each, 500, group("", each, 1).estimate()))
            .toList();
    Subgroups found = Subgroups.of("country", many);
    assertEquals(20, found.groups().size());
    assertEquals("group 24", found.groups().get(0).label());
    assertEquals(5, found.leftOut());
  }

  private static Subgroup group(String label, double value, double error) {
    return new Subgroup(
        label, 1000, 500, new Estimate.Estimated(value, error, Estimate.ErrorKind.ROW, 1000, 1000));
  }
}
