package io.bellwether.trainer.report;

import io.bellwether.trainer.gate.EvaluationRecord;
import java.util.List;
import java.util.Optional;

/**
 * An evaluation as one HTML page that needs nothing else: the answer first, then what it rests on,
 * each plot with its numbers as a table, and how to repeat it. It is drawn from the JSON, so that
 * the two cannot differ.
 */
public final class ReportPage {

  private static final List<Section> SECTIONS =
      List.of(
          new QuestionSection(),
          new ObjectiveSection(),
          new PromiseSection(),
          new CheckSection(),
          new WeightSection(),
          new OverlapSection(),
          new DriftSection(),
          new ModelSection(),
          new OtherSignalsSection(),
          new SegmentSection(),
          new DistributionSection(),
          new TuningSection(),
          new SessionSection(),
          new Reproduction());

  private ReportPage() {}

  /** The page of a report that was just made, UTF-8. */
  public static byte[] of(EvaluationRecord record) {
    return of(new StoredReport(ReportJson.tree(record)), List.of());
  }

  /**
   * The page of a kept report, UTF-8.
   *
   * @param since what has happened to the version since then, a sentence each, such as an override
   */
  public static byte[] of(StoredReport report, List<String> since) {
    return page(report, since, Optional.empty());
  }

  /** The same with the version's Reward Report below it, as {@link RewardReport#markdown}. */
  public static byte[] of(StoredReport report, List<String> since, byte[] rewardReport) {
    return page(report, since, Optional.of(new RewardSection(rewardReport)));
  }

  private static byte[] page(
      StoredReport report, List<String> since, Optional<RewardSection> reward) {
    Html html = new Html();
    new AnswerSection().write(report, html);
    if (!since.isEmpty()) {
      html.raw("<section class=\"warning\"><strong>Since this report</strong>\n");
      html.list(since).raw("</section>\n");
    }
    html.raw("<main>\n");
    SECTIONS.forEach(section -> section.write(report, html));
    reward.ifPresent(section -> section.write(html));
    html.raw("</main>\n");
    return PageFrame.around(
        Figures.words(report.verdict()) + ": " + report.target() + " on " + report.surface(), html);
  }
}
