package io.bellwether.trainer.report;

/** A part of the page under a heading of its own. */
interface Section {

  /** Writes itself, or nothing where the report has nothing for it. */
  void write(StoredReport report, Html html);

  /** A heading that can be linked to. */
  static void heading(Html html, String id, String title) {
    html.raw("<h2 id=\"" + id + "\">").raw(Html.escaped(title)).raw("</h2>\n");
  }
}
