package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportPageTest {

  @Test
  void theSampleFollowsThePublishedSchema() {
    assertEquals(List.of(), ReportSchema.violations(SampleReport.tree()));
  }

  @Test
  void theSchemaRefusesWhatAReportMustNotBe() {
    ObjectNode withoutVerdict = SampleReport.tree();
    withoutVerdict.remove("verdict");
    ObjectNode otherVerdict = SampleReport.tree().put("verdict", "maybe");
    ObjectNode textForNumber = SampleReport.tree();
    ((ObjectNode) textForNumber.at("/estimates/0")).put("value", "NaN");
    ObjectNode withoutData = SampleReport.tree();
    ((ObjectNode) withoutData.get("meta")).remove("data");
    for (ObjectNode broken : List.of(withoutVerdict, otherVerdict, textForNumber, withoutData)) {
      assertEquals(1, ReportSchema.violations(broken).size(), broken::toString);
    }
  }

  @Test
  void thePageBeginsWithTheAnswerInThreeLines() throws Exception {
    Element header = (Element) parsed(page()).getElementsByTagName("header").item(0);
    List<String> lines = Answer.of(SampleReport.report()).lines();
    assertEquals("verdict not-enough-evidence", header.getAttribute("class"));
    assertEquals(lines.get(0), header.getElementsByTagName("h1").item(0).getTextContent());
    assertEquals(lines.get(1), header.getElementsByTagName("p").item(0).getTextContent());
    assertEquals(lines.get(2), header.getElementsByTagName("p").item(1).getTextContent());
    assertTrue(lines.get(1).contains("+1.8, 95 % interval 0.9768 to 2.623"), lines.get(1));
    assertTrue(lines.get(2).contains("1 of 3 shown to be kept"), lines.get(2));
  }

  @Test
  void everyPartHasItsPlaceAndEveryPlotItsNumbers() throws Exception {
    Document page = parsed(page());
    List<String> headings = texts(page.getElementsByTagName("h2"));
    assertEquals(
        List.of(
            "What was asked, of which data",
            "Objective: watch_seconds per decision",
            "Promises",
            "How the verdict came about",
            "Importance weights",
            "Overlap and propensities",
            "Drift of the logging policy",
            "Reward models",
            "Other signals, and positions",
            "Segments (exploratory)",
            "Beyond the mean",
            "Cuts, shrinkage and the choice of estimator",
            "Value per session (advisory)",
            "How to repeat this"),
        headings);
    NodeList figures = page.getElementsByTagName("figure");
    assertTrue(figures.getLength() >= 18, "only " + figures.getLength() + " plots");
    for (int i = 0; i < figures.getLength(); i++) {
      Element figure = (Element) figures.item(i);
      assertEquals(1, figure.getElementsByTagName("svg").getLength());
      assertTrue(figure.getElementsByTagName("td").getLength() > 0, "a plot without numbers");
    }
  }

  @Test
  void itNeedsNeitherANetworkNorAScript() {
    String page = page();
    for (String part : List.of("<script", "http:", "https:", "url(", "src=", "@import", "NaN")) {
      assertFalse(page.contains(part), "the page holds " + part);
    }
    assertTrue(page.contains("width=device-width"));
    assertTrue(page.contains("@media print"));
    assertTrue(page.contains("prefers-color-scheme:dark"));
  }

  @Test
  void whatItemsAreCalledIsNoMarkup() throws Exception {
    ObjectNode report = SampleReport.tree();
    String evil = "</td></svg><script>alert('x')</script>&amp;\u0000";
    everyText(report, evil);
    report.put("verdict", "pass");
    ((ObjectNode) report.get("gate")).put("code", "PASS");
    String page = new String(ReportPage.of(new StoredReport(report), List.of(evil)), UTF_8);
    assertEquals(0, parsed(page).getElementsByTagName("script").getLength());
    assertFalse(page.contains("<script"), "text became markup");
  }

  @Test
  void aRefusedValueIsGreyAndCarriesItsReason() {
    String page = page();
    assertTrue(page.contains("<tr class=\"refused\"><td>target</td><td>mips</td>"), page);
    assertTrue(page.contains(">NO_COMMON_CLUSTERS</text>"));
    assertTrue(page.contains("<tr class=\"refused\"><td>LU</td>"));
    assertTrue(page.contains("no value decides anything"));
  }

  @Test
  void itSaysHowToGetTheSameNumbersAgain() {
    String page = page();
    for (String option :
        List.of(
            "--policy vb07d4a1c9e52",
            "--against v2a732e892488",
            "--as-of 2026-12-01T07:00:00Z",
            "--from 2026-11-01T00:00:00Z",
            "--seed 1",
            "--replicates 2000",
            "--segments country")) {
      assertTrue(page.contains(option), option);
    }
  }

  @Test
  void whatHappenedLaterStandsBesideTheReport() {
    String page =
        new String(
            ReportPage.of(SampleReport.report(), List.of("ann made it champion: no log yet")),
            UTF_8);
    assertTrue(page.contains("Since this report"));
    assertTrue(page.contains("ann made it champion: no log yet"));
  }

  @Test
  void theRewardReportIsFoldedUpBelowAndItsTextIsNoMarkup() throws Exception {
    RewardReport reward =
        new RewardReport(
            "Reward Report",
            List.of(
                new RewardReport.Chapter(
                    "System Details",
                    List.of(
                        new RewardReport.Part(
                            "Owner", List.of("Ada <ada@example.org>", "*any* [link](x) | a_b"))))),
            List.of(HumanField.CADENCE));
    String page =
        new String(ReportPage.of(SampleReport.report(), List.of(), reward.markdown()), UTF_8);
    Document parsed = parsed(page);
    List<String> bullets = texts(parsed.getElementsByTagName("li"));
    assertTrue(bullets.contains("Ada <ada@example.org>"), bullets.toString());
    assertTrue(bullets.contains("*any* [link](x) | a_b"), bullets.toString());
    assertTrue(texts(parsed.getElementsByTagName("h4")).contains("Owner"));
    assertTrue(page.contains("1 field is for people to write and still says TODO: cadence"));
    parsed(new String(reward.page(), UTF_8));
  }

  @Test
  void aReportOfTheFirstSchemaIsStillShown() throws Exception {
    ObjectNode report = SampleReport.tree();
    report.put("schemaVersion", 1);
    report.remove(List.of("distributions", "segments", "tuning", "choice", "sampleSize"));
    ((ObjectNode) report.get("diagnostics"))
        .remove(List.of("models", "learning", "cumulative", "daily", "largestWeights", "support"));
    for (JsonNode each : report.get("estimates")) {
      ((ObjectNode) each).remove(List.of("scope", "params", "intervals", "warnings"));
    }
    ((ObjectNode) report.get("meta")).remove(List.of("objective", "segments", "estimators"));
    String page = new String(ReportPage.of(new StoredReport(report), List.of()), UTF_8);
    assertTrue(texts(parsed(page).getElementsByTagName("h2")).contains("Promises"));
  }

  private static String page() {
    return new String(ReportPage.of(SampleReport.report(), List.of()), UTF_8);
  }

  /** The page is well-formed XML too, but for its first line. */
  static Document parsed(String page) throws Exception {
    String xml = page.substring(page.indexOf('\n') + 1);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static List<String> texts(NodeList nodes) {
    return java.util.stream.IntStream.range(0, nodes.getLength())
        .mapToObj(i -> nodes.item(i).getTextContent())
        .toList();
  }

  private static void everyText(JsonNode node, String text) {
    if (node instanceof ObjectNode object) {
      object
          .fieldNames()
          .forEachRemaining(
              name -> {
                if (object.get(name).isTextual()) {
                  object.put(name, text);
                } else {
                  everyText(object.get(name), text);
                }
              });
    } else {
      node.forEach(each -> everyText(each, text));
    }
  }
}
