package io.bellwether.serving.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.Fixtures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PlacesTest {

  @Property(tries = 200)
  void nobodyLeavesATreatmentWhileShareGrows(
      @ForAll @Size(min = 1, max = 19) List<@IntRange(min = 1, max = 10_000) Integer> weights,
      @ForAll @Size(min = 2, max = 6) List<@IntRange(min = 0, max = 10_000) Integer> ramp) {
    Experiment experiment = planned(weights);
    List<Integer> growing = ramp.stream().sorted().toList();
    int[] before = new int[Bucket.COUNT];
    for (int share : growing) {
      int[] after = variants(experiment, share);
      for (int bucket = 0; bucket < Bucket.COUNT; bucket++) {
        assertTrue(before[bucket] == 0 || before[bucket] == after[bucket]);
      }
      before = after;
    }
  }

  @Property(tries = 200)
  void everyVariantHasAsManyBucketsAsItsShareSays(
      @ForAll @Size(min = 1, max = 19) List<@IntRange(min = 1, max = 10_000) Integer> weights,
      @ForAll @IntRange(min = 0, max = 10_000) int share) {
    Experiment experiment = planned(weights);
    Map<String, Integer> shares = Places.shares(experiment, share);
    int[] counts = new int[experiment.variants().size()];
    for (int variant : variants(experiment, share)) {
      counts[variant]++;
    }
    int treated = 0;
    for (int i = 0; i < counts.length; i++) {
      assertEquals(shares.get(experiment.variants().get(i).name()), counts[i]);
      treated += i == 0 ? 0 : counts[i];
    }
    assertTrue(treated <= share && treated > share - weights.size());
    assertEquals(Bucket.COUNT, shares.values().stream().mapToInt(Integer::intValue).sum());
  }

  @Test
  void theGoldenRampIsReproduced() {
    Experiment experiment = planned(List.of(5000));
    JsonNode golden = BucketTest.golden().path("ramp");
    int[] ofBucket = new int[Bucket.COUNT];
    for (int i = 0; i < 100_000; i++) {
      ofBucket[Bucket.of(golden.path("salt").textValue(), "u" + i)]++;
    }
    for (int step = 0; step < 4; step++) {
      int share = golden.path("treatment_share_steps_bps").path(step).intValue();
      int[] variants = variants(experiment, share);
      int treated = 0;
      for (int bucket = 0; bucket < Bucket.COUNT; bucket++) {
        treated += variants[bucket] == 1 ? ofBucket[bucket] : 0;
      }
      assertEquals(
          golden.path("units_in_treatment_of_u0_to_u99999").path(step).intValue(), treated);
    }
  }

  @Test
  void atAHundredPercentControlHasNobody() {
    for (int variant : variants(planned(List.of(1, 2, 4)), Bucket.COUNT)) {
      assertTrue(variant > 0);
    }
  }

  private static int[] variants(Experiment experiment, int share) {
    Places places = Places.of(experiment, Places.shares(experiment, share));
    return IntStream.range(0, Bucket.COUNT).map(places::variantAt).toArray();
  }

  private static Experiment planned(List<Integer> weights) {
    String treatments =
        IntStream.range(0, weights.size())
            .mapToObj(i -> "{'name':'t" + i + "','policy':'uniform'}")
            .collect(Collectors.joining(","));
    Experiment even =
        new ExperimentReader(Fixtures.surfaces())
            .read(
                Lab.bytes(
                    "{'name':'e','surface':'feed','plan':'default','variants':[{'name':'c'},"
                        + treatments
                        + "]}"))
            .experiment();
    List<Integer> all = new ArrayList<>(List.of(1));
    all.addAll(weights);
    return withWeights(even, all);
  }

  /** The experiment with these weights, whether or not they add up. */
  static Experiment withWeights(Experiment even, List<Integer> weights) {
    List<Variant> variants = new ArrayList<>(even.variants());
    for (int i = 0; i < weights.size(); i++) {
      variants.set(i, variants.get(i).withWeight(weights.get(i)));
    }
    ObjectMapper mapper = ExperimentStore.mapper();
    ObjectNode json = mapper.valueToTree(even);
    json.set("variants", mapper.valueToTree(variants));
    return mapper.convertValue(json, Experiment.class);
  }
}
