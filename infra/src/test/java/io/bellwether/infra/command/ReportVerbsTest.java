package io.bellwether.infra.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.bellwether.ingestion.event.Decision;
import io.bellwether.ingestion.event.SignalValue;
import io.bellwether.ingestion.event.Transition;
import io.bellwether.policy.version.EvidenceKind;
import io.bellwether.policy.version.VersionId;
import io.bellwether.trainer.job.Baseline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports from the evaluation to the Reward Report, as a user meets them. */
class ReportVerbsTest {
  private static final int DECISIONS = 1500;

  /** Between the joining of the log and of what restates it. */
  private static final String BEFORE_THE_RESTATEMENT = "2023-11-15T00:00:00Z";

  @TempDir Path folder;
  private Path data;
  private CommandLineFixture command;
  private ShopLog shop;

  @BeforeEach
  void logDecisions() throws Exception {
    data = folder.resolve("data");
    command = new CommandLineFixture(data);
    shop = new ShopLog(data);
    shop.write(shop.transitions(DECISIONS));
  }

  @Test
  void aReportIsKeptAndShownAsItWasMade() throws Exception {
    VersionId version = publish(2);
    JsonNode made = command.resultOf(ExitCode.DONE, evaluate(version.value()));
    assertEquals(Set.of(), violations(made));
    assertTrue(command.output().startsWith("Pass: " + version + " on shop"), command.output());

    assertEquals(made, command.resultOf(ExitCode.DONE, "report", "show", version.value()));
    List<String> lines = command.output().lines().toList();
    assertTrue(lines.get(1).startsWith("click per decision: +"), lines.get(1));
    assertEquals("Promises: the surface declares none.", lines.get(2));

    JsonNode opened =
        command.resultOf(ExitCode.DONE, "report", "open", version.value(), "--no-browser");
    Path page = Path.of(opened.get("page").textValue());
    assertEquals(page.toString(), command.output().strip());
    assertTrue(page.startsWith(data.resolve("reports")), page.toString());
    assertTrue(Files.readString(page).contains("Pass: " + version));
  }

  @Test
  void outcomesThatCameLaterChangeALaterReportAndNotAnEarlierOne() throws Exception {
    VersionId version = publish(2);
    JsonNode early = command.resultOf(ExitCode.DONE, evaluate(version.value()));
    shop.write(restated(300));
    JsonNode again =
        command.resultOf(
            ExitCode.DONE, evaluate(version.value(), "--as-of", BEFORE_THE_RESTATEMENT));
    JsonNode late = command.resultOf(ExitCode.DONE, evaluate(version.value()));
    assertEquals(early.get("estimates"), again.get("estimates"));
    assertEquals(early.at("/meta/data/sha256"), again.at("/meta/data/sha256"));
    assertEquals(0, again.at("/meta/data/restated").longValue());
    assertEquals(300, late.at("/meta/data/restated").longValue());

    String first = version.value() + "@1";
    JsonNode same = command.resultOf(ExitCode.DONE, "report", "diff", first, version + "@2");
    assertTrue(same.at("/summary/1").textValue().contains("the same data"), same.toString());
    JsonNode diff = command.resultOf(ExitCode.DONE, "report", "diff", first, version.value());
    assertTrue(diff.at("/summary/1").textValue().contains("300 more decisions restated"));
    assertTrue(command.output().contains("differences in the data"), command.output());
    assertTrue(command.output().contains("click of the target, snips"), command.output());

    Path page = folder.resolve("diff.html");
    assertEquals(
        ExitCode.DONE,
        command.runOnData("report", "diff", first, version.value(), "--html", page.toString()));
    assertTrue(Files.readString(page).contains("restated"));
  }

  @Test
  void anOverrideStandsOnThePageAndInTheRewardReport() throws Exception {
    VersionId version = publish(-2);
    command.resultOf(ExitCode.NO, evaluate(version.value()));
    assertEquals(
        ExitCode.DONE,
        command.runOnData(
            "promote",
            version.value(),
            "--why",
            "a campaign",
            "--override",
            "the board insists",
            "--who",
            "ann"));

    JsonNode opened =
        command.resultOf(ExitCode.DONE, "report", "open", version.value(), "--no-browser");
    String page = Files.readString(Path.of(opened.get("page").textValue()));
    assertTrue(page.contains("Since this report"));
    assertTrue(page.contains("ann made it champion without a verdict of pass"), page);
    assertTrue(page.contains("the board insists"));
    assertEquals(ExitCode.DONE, command.runOnData("report", "show", version.value()));
    assertTrue(command.output().contains("the board insists"), command.output());

    JsonNode written = command.resultOf(ExitCode.DONE, "report", "reward", version.value());
    String reward = Files.readString(Path.of(written.get("markdown").textValue()));
    assertTrue(reward.contains("It got there against the gate"), reward);
    assertTrue(reward.contains("the board insists"));
  }

  @Test
  void aRewardReportHasEveryHeadingAndAsksPeopleForTheRest() throws Exception {
    VersionId version = publish(-2);
    command.resultOf(ExitCode.NO, evaluate(version.value()));
    JsonNode written = command.resultOf(ExitCode.DONE, "report", "reward", version.value());
    assertEquals(10, written.get("todo").size());
    assertTrue(command.errors().contains("Warning: 10 fields"), command.errors());
    String reward = Files.readString(Path.of(written.get("markdown").textValue()));
    for (String heading :
        List.of(
            "## System Details",
            "### Owner",
            "## Optimization Intent",
            "### Failure modes",
            "## Institutional Interface",
            "### Recourse",
            "## Implementation",
            "### Limitations and known feedback effects",
            "## Evaluation",
            "### Offline results",
            "## System Maintenance",
            "### Changelog")) {
      assertTrue(reward.contains(heading + "\n"), heading + " is missing from\n" + reward);
    }
    assertTrue(reward.contains("It has not been released yet"), reward);
    assertTrue(reward.contains("Fail: " + version), reward);
    assertFalse(written.get("kept").booleanValue(), "the evaluation has kept the same");

    Path answers = data.resolve("reward-reports").resolve("shop.yaml");
    Files.writeString(answers, "owner: Ada <ada@example.org>\n");
    JsonNode filled = command.resultOf(ExitCode.DONE, "report", "reward", version.value());
    assertEquals(9, filled.get("todo").size());
    assertTrue(filled.get("kept").booleanValue());
    assertTrue(
        Files.readString(Path.of(filled.get("markdown").textValue())).contains("ada@example.org"));
    int kept = keptRewards(version);
    assertFalse(
        command
            .resultOf(ExitCode.DONE, "report", "reward", version.value())
            .get("kept")
            .booleanValue());
    assertEquals(kept, keptRewards(version));

    Files.writeString(answers, "onwer: Ada\n");
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("report", "reward", version.value()));
    assertTrue(command.errors().contains("'onwer' is no field"), command.errors());
  }

  @Test
  void whatCameOfAVersionStandsBesideWhatWasPredicted() throws Exception {
    VersionId version = publish(2);
    command.resultOf(ExitCode.DONE, evaluate(version.value()));
    assertEquals(ExitCode.DONE, command.runOnData("promote", version.value(), "--why", "passed"));
    shop.write(live(version, 400));
    JsonNode written = command.resultOf(ExitCode.DONE, "report", "reward", version.value());
    String reward = Files.readString(Path.of(written.get("markdown").textValue()));
    assertTrue(reward.contains("400 decisions for 400 subjects since"), reward);
    assertTrue(reward.contains("; the report predicted"), reward);
  }

  @Test
  void manyPoliciesAreJudgedTogether() throws Exception {
    VersionId good = publish(2);
    VersionId bad = publish(-2);
    JsonNode compared =
        command.resultOf(
            ExitCode.DONE,
            "evaluate",
            "--model-steps",
            "0",
            "--compare",
            good.value() + "," + bad.value());
    assertEquals("HOLM", compared.get("method").textValue());
    assertEquals("pass", compared.at("/policies/0/verdict").textValue());
    assertEquals("fail", compared.at("/policies/1/verdict").textValue());
    assertEquals(0.025, compared.at("/policies/0/report/meta/alpha").doubleValue());
    double p = compared.at("/policies/0/pValue").doubleValue();
    assertEquals(2 * p, compared.at("/policies/0/adjustedPValue").doubleValue(), 1e-12);
    assertTrue(command.output().contains("error probability 0.05 for all of them together"));
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData("evaluate", "--compare", good + "," + good));
    assertTrue(command.errors().contains("names a version twice"), command.errors());
  }

  @Test
  void aLogCanBeCheckedWithoutAValueOfAPolicy() throws Exception {
    VersionId version = publish(2);
    JsonNode valid = command.resultOf(ExitCode.DONE, evaluate(version.value(), "--validate"));
    assertTrue(valid.get("usable").booleanValue());
    assertEquals(DECISIONS, valid.at("/data/decisions").intValue());
    assertFalse(valid.has("estimates"));
    JsonNode diagnosed = command.resultOf(ExitCode.DONE, evaluate(version.value(), "--diagnose"));
    assertTrue(diagnosed.get("checks").size() > 3);
    assertTrue(diagnosed.at("/diagnostics/effectiveSampleSize").doubleValue() > 100);
    assertEquals(0, command.store().evidence(version).size(), "nothing is kept");
  }

  @Test
  void aRangeOfDaysIsEvaluatedAsOne() throws Exception {
    VersionId version = publish(2);
    JsonNode all =
        command.resultOf(
            ExitCode.DONE, evaluate(version.value(), "--log", "2023-11-14..2023-11-14"));
    assertEquals(DECISIONS, all.at("/meta/data/decisions").intValue());
    assertEquals("2023-11-15T00:00:00Z", all.at("/meta/data/askedTo").textValue());
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData(
            evaluate(version.value(), "--log", "2023-11-14..", "--to", "2023-11-15")));
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData(evaluate(version.value(), "--as-of", "monday")));
    assertTrue(command.errors().contains("'monday' is no time"), command.errors());
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData("train", "--surface", "shop", "--log", "2023-11-14..2023-11-15"));
    assertTrue(command.errors().contains("is a range"), command.errors());
  }

  @Test
  void anInvalidLogIsNoVerdictAndItsFindingsAreNamed() throws Exception {
    VersionId version = publish(2);
    Transition broken = Transition.newBuilder(shop.transition(DECISIONS)).build();
    broken.getDecision().getSlate().get(0).setPropensity(0);
    shop.write(List.of(broken));
    JsonNode refused = command.resultOf(ExitCode.WRONG_INPUT, evaluate(version.value()));
    assertTrue(refused.get("verdict").isNull());
    assertEquals("INVALID_DATA", refused.get("code").textValue());
    assertTrue(command.errors().contains("propensity"), command.errors());
    assertEquals(0, command.store().evidence(version).size(), "nothing is kept");
  }

  @Test
  void howLongALogHasToBeCanBeAskedWithoutOne() throws Exception {
    JsonNode answer =
        command.resultOf(ExitCode.DONE, "evaluate", "--power", "--sd", "0.118", "--delta", "0.001");
    assertEquals(86_086, answer.get("decisions").intValue());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("evaluate", "--power"));
  }

  @Test
  void whatIsNotThereIsWrongInput() throws Exception {
    VersionId version = publish(2);
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("report", "show", version.value()));
    assertTrue(command.errors().contains("No report is kept with"), command.errors());
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("report", "show", "none.json"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("report", "open", "champion"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("report"));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("evaluate"));
    assertEquals(
        ExitCode.WRONG_INPUT,
        command.runOnData(evaluate(version.value(), "--estimators", "magic8ball")));
    assertEquals(
        ExitCode.WRONG_INPUT, command.runOnData(evaluate(version.value(), "--segments", "shoes")));
    assertTrue(command.errors().contains("shoes"), command.errors());
    command.resultOf(ExitCode.DONE, evaluate(version.value()));
    assertEquals(ExitCode.WRONG_INPUT, command.runOnData("report", "show", version + "@7"));
    assertTrue(command.errors().contains("has no report 7"), command.errors());
  }

  @Test
  void theSchemaIsPrinted() throws Exception {
    Path file = folder.resolve("schema.json");
    assertEquals(ExitCode.DONE, command.run("report", "schema", "--json", file.toString()));
    JsonNode schema = new ObjectMapper().readTree(command.output());
    assertEquals(schema, new ObjectMapper().readTree(file.toFile()));
    assertEquals("https://json-schema.org/draft/2020-12/schema", schema.get("$schema").textValue());
  }

  private static Set<String> violations(JsonNode report) throws Exception {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(
                new ObjectMapper().readTree(io.bellwether.trainer.report.ReportJson.schema()));
    return schema.validate(report).stream().map(Object::toString).collect(Collectors.toSet());
  }

  /** The first decisions again, joined later, and now everybody has clicked. */
  private List<Transition> restated(int count) {
    List<Transition> restated = new ArrayList<>();
    for (Transition first : shop.transitions(count)) {
      restated.add(
          Transition.newBuilder(first)
              .setSignals(List.of(new SignalValue("click", 0, 1.0, 1)))
              .setOutcomeCount(1)
              .setRevision(1)
              .setJoinedAtMicros(1_700_200_000_000_000L)
              .build());
    }
    return restated;
  }

  /** Decisions that a version made a while from now. */
  private List<Transition> live(VersionId version, int count) {
    long from = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + 1_000_000;
    List<Transition> live = new ArrayList<>();
    for (int number = 10_000; number < 10_000 + count; number++) {
      Transition transition = shop.transition(number);
      live.add(
          Transition.newBuilder(transition)
              .setDecision(
                  Decision.newBuilder(transition.getDecision())
                      .setPolicyVersion(version.value())
                      .setDecidedAtMicros(from + number)
                      .setOutcomesUntilMicros(from + number + 60_000_000)
                      .build())
              .setJoinedAtMicros(from + 120_000_000)
              .build());
    }
    return live;
  }

  private int keptRewards(VersionId version) {
    return (int)
        command.store().evidence(version).stream()
            .filter(each -> each.kind() == EvidenceKind.REWARD_REPORT)
            .count();
  }

  private static String[] evaluate(String policy, String... more) {
    String[] fixed = {"evaluate", "--model-steps", "0", "--replicates", "200", "--policy", policy};
    String[] all = Arrays.copyOf(fixed, fixed.length + more.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return all;
  }

  /** A ranking by length as a version; the data folder's surface is the latest one's. */
  private VersionId publish(int weight) throws Exception {
    return new Baseline(Clock.systemUTC(), "test")
        .publish(shop.declare(weight), command.store())
        .id();
  }
}
