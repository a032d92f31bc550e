package io.bellwether.serving.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.bellwether.serving.Fixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The published cases, which other languages check their assignment against. */
class AssignmentCasesTest {

  private static final Path PUBLISHED = Path.of("../examples/experiments/assignment-cases.json");

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Layout, treatments' weights or the shares of all variants, and the treated share of a plan. */
  private record Split(boolean plan, List<Integer> weights, int share) {}

  private static final List<Split> SPLITS =
      List.of(
          new Split(false, List.of(5000, 5000), 0),
          new Split(false, List.of(2000, 3000, 5000), 0),
          new Split(true, List.of(1, 1), 100),
          new Split(true, List.of(1, 1), 5000),
          new Split(true, List.of(1, 1, 2), 1000),
          new Split(true, List.of(1, 1, 2), 7500));

  @Test
  void thePublishedCasesAreOurs() throws IOException {
    String ours = MAPPER.writeValueAsString(cases()) + "\n";
    if (!Files.exists(PUBLISHED) || !ours.equals(Files.readString(PUBLISHED))) {
      Path written = Path.of("target", PUBLISHED.getFileName().toString());
      Files.createDirectories(written.getParent());
      Files.writeString(written, ours);
      assertEquals(
          ours,
          Files.exists(PUBLISHED) ? Files.readString(PUBLISHED) : "",
          "a change of assignment moves people between variants; what it gives now is in "
              + written.toAbsolutePath());
    }
  }

  @Test
  void theCasesHaveEveryVariantAndEveryKindOfId() {
    ObjectNode cases = cases();
    assertTrue(cases.path("cases").size() >= 200);
    assertTrue(subjects().stream().anyMatch(s -> s.getBytes(StandardCharsets.UTF_8).length == 512));
  }

  private static List<String> subjects() {
    List<String> subjects = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      subjects.add("user-" + i);
    }
    subjects.addAll(
        List.of(
            "123",
            "42",
            "USER-1",
            " user-1",
            "a:b",
            "00000000-0000-4000-8000-000000000001",
            "someone@example.org",
            "\u00dcn\u00efcode-\u00e9",
            "U\u0308ni\u0308code-e\u0301",
            "\u7528\u6237-42",
            "\u30e6\u30fc\u30b6\u30fc",
            "\u0645\u0633\u062a\u062e\u062f\u0645",
            "\ud83d\ude00",
            "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66",
            "x".repeat(512),
            "\u7528".repeat(170) + "ab"));
    return subjects;
  }

  private static ObjectNode cases() {
    ObjectNode file = MAPPER.createObjectNode();
    file.put(
        "bucket",
        "first 8 bytes (big-endian, unsigned) of SHA-256 over UTF-8(salt + ':' + subject), mod"
            + " 10000; ids byte for byte, nothing trimmed, folded or normalised");
    file.put(
        "fixed",
        "variants follow each other from bucket 0 in the order given, each as wide as its share");
    file.put(
        "plan",
        "treatment i, of n with weights w, can grow to [10000*(w1+..+w(i-1))/sum,"
            + " 10000*(w1+..+wi)/sum) and has the first width*share/10000 buckets of it, all"
            + " divisions rounded down; control has the rest");
    ArrayNode cases = file.putArray("cases");
    for (int s = 0; s < SPLITS.size(); s++) {
      Split split = SPLITS.get(s);
      for (String subject : subjects()) {
        add(cases, "case-" + s, subject, split);
      }
    }
    for (String salt : new String[] {"rank", "rank-2", "rank2", "xrank", "layer.home", "v1.0_b"}) {
      for (String subject :
          List.of("user-1", "123", "\ud83d\ude00", "\u7528\u6237-42", "e\u0301", "\u00e9")) {
        add(cases, salt, subject, SPLITS.get(0));
      }
    }
    return file;
  }

  private static void add(ArrayNode cases, String salt, String subject, Split split) {
    Experiment experiment = experiment(split);
    Map<String, Integer> shares =
        split.plan() ? Places.shares(experiment, split.share()) : Places.weights(experiment);
    int bucket = Bucket.of(salt, subject);
    int variant = Places.of(experiment, shares).variantAt(bucket);
    ObjectNode one = cases.addObject().put("salt", salt).put("subject", subject);
    if (split.plan()) {
      ArrayNode weights = one.putArray("treatmentWeights");
      split.weights().subList(1, split.weights().size()).forEach(weights::add);
      one.put("treatedShare", split.share());
    } else {
      ArrayNode all = one.putArray("shares");
      split.weights().forEach(all::add);
    }
    one.put("bucket", bucket).put("variant", variant);
  }

  private static Experiment experiment(Split split) {
    StringBuilder json =
        new StringBuilder("{'name':'e','surface':'feed','variants':[{'name':'v0'}");
    for (int i = 1; i < split.weights().size(); i++) {
      json.append(",{'name':'v").append(i).append("','policy':'uniform'}");
    }
    json.append(split.plan() ? "],'plan':'default'}" : "]}");
    Experiment even =
        new ExperimentReader(Fixtures.surfaces()).read(Lab.bytes(json.toString())).experiment();
    return PlacesTest.withWeights(even, split.weights());
  }
}
