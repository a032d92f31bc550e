package io.bellwether.trainer.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportDiffTest {

  @Test
  void aReportDoesNotDifferFromItself() {
    ReportDiff diff = ReportDiff.of(SampleReport.report(), SampleReport.report());
    assertEquals(List.of(), diff.changes());
    assertEquals("The verdict is the same: not enough evidence.", diff.summary().get(0));
    assertEquals("Both rest on the same data, to the byte.", diff.summary().get(1));
    assertEquals("The same was asked of both.", diff.summary().get(2));
  }

  @Test
  void restatedDataShowsAsWhatItChanged() throws Exception {
    ObjectNode later = SampleReport.tree();
    ObjectNode data = (ObjectNode) later.at("/meta/data");
    data.put("asOf", "2026-12-08T07:00:00Z").put("restated", 520).put("sha256", "d".repeat(64));
    ((ObjectNode) data.get("findings")).put("SUPERSEDED", 520);
    ((ObjectNode) later.at("/estimates/4")).put("value", 31.5);
    ((ObjectNode) later.at("/constraints/1")).put("status", "SATISFIED");
    later.put("verdict", "pass");
    ReportDiff diff = ReportDiff.of(SampleReport.report(), new StoredReport(later));
    assertEquals("The verdict changes from not enough evidence to pass.", diff.summary().get(0));
    assertEquals(
        "The data differs: as known at 2026-12-01T07:00:00Z and at 2026-12-08T07:00:00Z, as many"
            + " decisions, 108 more decisions restated by late outcomes.",
        diff.summary().get(1));
    assertEquals(
        List.of("asOf", "restated", "sha256", "left out: SUPERSEDED"),
        diff.in(ReportDiff.Part.DATA).stream().map(ReportDiff.Change::what).toList());
    assertEquals(List.of(), diff.in(ReportDiff.Part.PLAN));
    ReportDiff.Change value = diff.in(ReportDiff.Part.VALUES).get(0);
    assertEquals("watch_seconds of the target, sndr", value.what());
    assertEquals("31.5", value.second());
    assertTrue(value.change().startsWith("+"), value.change());
    assertEquals("UNDECIDED", diff.in(ReportDiff.Part.PROMISES).get(0).first());
    assertEquals(diff.changes().size(), diff.json().get("changes").size());
    String page = new String(diff.page(), UTF_8);
    assertTrue(page.contains("Differences in the data"));
    ReportPageTest.parsed(page);
  }

  @Test
  void aValueThatOnlyOneReportHasIsNamed() {
    ObjectNode later = SampleReport.tree();
    ObjectNode estimate = (ObjectNode) later.at("/estimates/4");
    estimate.putNull("value").put("reason", "NO_OVERLAP");
    ReportDiff.Change change =
        ReportDiff.of(SampleReport.report(), new StoredReport(later))
            .in(ReportDiff.Part.VALUES)
            .get(0);
    assertEquals(Figures.NONE, change.second());
    assertFalse(change.first().equals(Figures.NONE));
  }
}
