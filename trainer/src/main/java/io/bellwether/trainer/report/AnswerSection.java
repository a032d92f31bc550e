package io.bellwether.trainer.report;

import java.util.List;

/**
 * The answer in three lines, then the reasons and what should be read before anybody acts on it.
 */
final class AnswerSection implements Section {

  @Override
  public void write(StoredReport report, Html html) {
    Answer answer = Answer.of(report);
    html.raw("<header class=\"verdict ").raw(Html.escaped(report.verdict())).raw("\">\n");
    html.raw("<h1>").raw(Html.escaped(answer.verdict())).raw("</h1>\n");
    html.paragraph(answer.effect());
    html.paragraph(answer.promises());
    html.raw("</header>\n");
    approval(report, html);
    List<String> warnings = StoredReport.texts(report.root().at("/gate/warnings"));
    if (!warnings.isEmpty()) {
      html.raw("<section class=\"warning\"><strong>Read this before you act on it</strong>\n");
      html.list(warnings);
      html.raw("</section>\n");
    }
  }

  private static void approval(StoredReport report, Html html) {
    String approval = report.root().at("/gate/approval").asText("");
    if (approval.equals("NEEDED")) {
      html.element(
          "p",
          "warning",
          "A pass with warnings needs somebody who has read them: nobody has signed it yet.");
    } else if (approval.equals("GIVEN")) {
      html.element(
          "p",
          "muted",
          "Approved with its warnings by " + report.root().at("/gate/approver").asText() + ".");
    }
  }
}
