package io.bellwether.trainer.report;

import io.bellwether.trainer.difference.PolicyDifference;
import io.bellwether.trainer.difference.Spread;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** A comparison of two versions' behaviour as a page that loads nothing and runs nothing. */
public final class DifferencePage {

  private DifferencePage() {}

  /** The page, UTF-8. */
  public static byte[] of(PolicyDifference difference) {
    Html html = new Html();
    html.raw("<header>\n").element("h1", title(difference));
    html.paragraph(answer(difference)).raw("</header>\n<main>\n");
    positions(difference, html);
    segments(difference, html);
    items(difference, html);
    sample(difference, html);
    html.raw("</main>\n");
    return PageFrame.around(title(difference), html);
  }

  /** What was found, in two sentences. */
  public static String answer(PolicyDifference difference) {
    if (difference.decisions() == 0) {
      return "No decision could be compared.";
    }
    return ("%d of %d slates change (%s), %d of them in their order only. At the first position %s"
            + " of the chance moves to other items on average, and at most %s.")
        .formatted(
            difference.changedSlates(),
            difference.decisions(),
            percent(difference.changedShare()),
            difference.reordered(),
            percent(difference.firstPosition().mean()),
            percent(difference.firstPosition().largest()));
  }

  private static String title(PolicyDifference difference) {
    return "%s and %s on %s"
        .formatted(difference.first(), difference.second(), difference.surface());
  }

  private static void positions(PolicyDifference difference, Html html) {
    Table table =
        Table.of(
            "position #",
            "slates #",
            "another item #",
            "share #",
            "chance moves by, mean #",
            "median #",
            "nine in ten at most #",
            "at most #");
    for (PolicyDifference.Position each : difference.positions()) {
      Spread moves = each.propensity();
      table.row(
          Integer.toString(each.position()),
          Long.toString(each.decisions()),
          Long.toString(each.changed()),
          percent((double) each.changed() / each.decisions()),
          number(moves.mean()),
          number(moves.median()),
          number(moves.ninetieth()),
          number(moves.largest()));
    }
    html.raw("<section>\n").element("h2", "Positions");
    html.paragraph(
        "A chance is that of the first version's item at its position, after the first version's"
            + " earlier items, under each of the two.");
    html.table(table).raw("</section>\n");
  }

  private static void segments(PolicyDifference difference, Html html) {
    Table table =
        Table.of(
            "feature",
            "value",
            "decisions #",
            "slates change #",
            "share #",
            "first position moves #");
    for (PolicyDifference.Segment each : difference.segments()) {
      table.row(
          each.feature(),
          each.label(),
          Long.toString(each.decisions()),
          Long.toString(each.changedSlates()),
          percent((double) each.changedSlates() / each.decisions()),
          percent(each.firstPosition()));
    }
    html.raw("<section>\n").element("h2", "Segments").table(table).raw("</section>\n");
  }

  private static void items(PolicyDifference difference, Html html) {
    Table table = Table.of("item", "comes first before #", "after #", "change #");
    moves(difference.gains(), table);
    moves(difference.losses(), table);
    html.raw("<section>\n").element("h2", "Items").table(table).raw("</section>\n");
  }

  private static void moves(List<PolicyDifference.ItemMove> moves, Table table) {
    for (PolicyDifference.ItemMove each : moves) {
      table.row(
          each.item(),
          percent(each.before()),
          percent(each.after()),
          (each.after() > each.before() ? "+" : "") + percent(each.after() - each.before()));
    }
  }

  private static void sample(PolicyDifference difference, Html html) {
    Table table = Table.of("", "");
    table.row("decisions", Long.toString(difference.decisions()));
    table.row("of equal scores to the bit", Long.toString(difference.equalScores()));
    table.row(
        "items replaced",
        difference.itemsReplaced() + " of " + difference.itemsShown() + " that were shown");
    table.row("sample", "sha256 " + difference.sampleSha256());
    new TreeMap<>(difference.skipped())
        .forEach((reason, count) -> table.row("left out", count + ": " + reason));
    html.raw("<section>\n").element("h2", "Sample");
    html.paragraph(
        "The logged decisions whose ids have the least hashes, decided again by both versions with"
            + " the logged candidates, seeds, rules and exploration.");
    html.table(table).raw("</section>\n");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }

  private static String number(double chance) {
    return String.format(Locale.ROOT, "%.5f", chance);
  }
}
