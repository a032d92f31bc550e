package io.bellwether.ingestion.surface;

import io.bellwether.ingestion.surface.Shape.Choice;
import io.bellwether.ingestion.surface.Shape.Field;
import io.bellwether.ingestion.surface.Shape.Fields;
import io.bellwether.ingestion.surface.Shape.Length;
import io.bellwether.ingestion.surface.Shape.ListOf;
import io.bellwether.ingestion.surface.Shape.Number;
import io.bellwether.ingestion.surface.Shape.Text;
import io.bellwether.ingestion.surface.Shape.Variants;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of a surface file, with their limits and a sentence for each. */
final class SurfaceFile {

  static final Shape SHAPE = shape();

  private static final double ANY = Double.MAX_VALUE;

  private SurfaceFile() {}

  private static Shape shape() {
    Shape name =
        new Text(
            "[A-Za-z0-9][A-Za-z0-9_-]{0,127}", "a name: letters, digits, _ and -, at most 128");
    // No event is older than 30 days when it is joined.
    Shape span = new Length("1ms", "30d");
    Shape bound =
        new Text(
            "-?[0-9]+(\\.[0-9]+)?([eE]-?[0-9]+)?|[0-9]+(\\.[0-9]+)?% of champion",
            "a number, or a share such as '98% of champion'");
    return new Fields(
        required("surface", name, "The name that requests use."),
        required(
            "slate",
            new Fields(
                required("size", new Number(1, 50, true), "How many items a decision shows."),
                optional(
                    "candidates",
                    new Fields(
                        required(
                            "max", new Number(1, 1000, true), "Most candidates of a request.")),
                    "What a request may bring.")),
            "What is shown."),
        optional(
            "context", new ListOf(feature(name), 0, 500), "Features of the person and the moment."),
        optional(
            "history",
            new Fields(
                optional("signals", new ListOf(name, 0, 32), "Signals that a history row carries."),
                required("last", new Number(0, 200, true), "How many past decisions are kept.")),
            "What is kept online of a subject's recent past."),
        required("item", new ListOf(feature(name), 1, 500), "Features of an item."),
        required("signals", new ListOf(signal(name, span), 1, 64), "What people do."),
        required(
            "objective",
            new Fields(
                required("maximize", name, "The signal that is maximised."),
                optional(
                    "discount",
                    new Number(0, 0.9999, false),
                    "Weight of the next decision; 0.95.")),
            "What training is for."),
        optional(
            "constraints",
            new ListOf(
                new Fields(
                    required("signal", name, "The signal that is promised."),
                    optional("at-least", bound, "Its least mean per decision."),
                    optional("at-most", bound, "Its greatest mean per decision.")),
                0,
                32),
            "Promises: trained for, gated on offline, guarded online."),
        optional(
            "exploration",
            new Fields(
                optional("temperature", new Number(1e-3, 1e3, false), "Of the softmax; 1."),
                optional("uniform", new Number(0, 1, false), "Share of uniform choice; 0.02."),
                optional(
                    "min-propensity", new Number(1e-6, 1, false), "Floor of a chance; 0.0001.")),
            "How slates are sampled."),
        optional(
            "sessions",
            new Fields(
                optional("gap", span, "Longest pause inside a session; 30m."),
                optional("ends-with", name, "The flag that says that a session ended by itself.")),
            "What makes one session."),
        optional(
            "ranking",
            new Fields(
                optional("temperature", new Number(1e-3, 1e3, false), "Divides the sum; 1."),
                required(
                    "terms",
                    new ListOf(
                        new Fields(
                            optional("context", name, "A context vector, multiplied with item's."),
                            required("item", name, "An item number, or the item vector."),
                            required("weight", new Number(-ANY, ANY, false), "Of this term.")),
                        1,
                        100),
                    "The summands.")),
            "The product's own ranking, from which the loop starts."),
        optional("deadline", new Length("1ms", "60s"), "Time for an answer; 50ms."),
        optional(
            "fallback",
            new ListOf(new Choice(List.of("champion", "popularity", "as-given", "uniform")), 1, 4),
            "Whom to ask when the policy cannot answer."),
        optional(
            "when-unlogged",
            new Choice(List.of("refuse", "answer")),
            "What becomes of an answer that can be logged nowhere; refuse."),
        optional("retrieval", retrieval(name), "Who proposes candidates where a request has none."),
        optional("graph", graph(), "In which form a version's graph is served."),
        optional("rules", RulesFile.shape(name, span), "What slates have to keep to."));
  }

  private static Shape graph() {
    return new Fields(
        optional("form", new Choice(List.of("full", "int8", "pruned")), "How it computes; full."),
        optional(
            "changed-slates",
            new Number(0, 1, false),
            "Greatest share of slates that may differ from the full graph's; 0.02."),
        optional(
            "propensity-difference",
            new Number(0, 1, false),
            "Most by which a chance may differ from the full graph's; 0.02."),
        optional(
            "pruned-share",
            new Number(0.05, 0.98, false),
            "Which share of the hidden units goes where the form is pruned; 0.9."));
  }

  private static Shape retrieval(Shape name) {
    return new Fields(
        optional(
            "candidates",
            new Number(1, 1000, true),
            "How many are proposed; slate.candidates.max."),
        optional(
            "embedding",
            new Number(0, 256, true),
            "Floats of an item's embedding for nearest neighbours; 0: none."),
        optional(
            "popularity",
            new Fields(
                optional("signal", name, "Whose sum makes an item popular; the objective's."),
                optional("half-life", new Length("1m", "365d"), "After which it counts half; 7d.")),
            "What makes an item popular."),
        optional(
            "fresh",
            new Fields(
                optional("share", new Number(0, 1, false), "Of the proposals; 0.1."),
                optional("for", new Length("1m", "365d"), "After the first registration; 3d.")),
            "Room for items that were registered lately."),
        optional(
            "random", new Number(0, 1, false), "Share of the proposals drawn uniformly; 0.05."));
  }

  private static Shape feature(Shape name) {
    Field called = required("name", name, "The name that requests use.");
    Field values =
        optional(
            "values",
            new ListOf(new Text(".{1,1024}", "a text"), 1, 10_000),
            "All values there are.");
    Field buckets =
        optional(
            "buckets",
            new Number(1, 1 << 20, true),
            "Ids that unlisted values are hashed into; 1024.");
    Map<String, Fields> byType = new LinkedHashMap<>();
    byType.put(
        "number",
        new Fields(
            called,
            optional("min", new Number(-ANY, ANY, false), "Least value."),
            optional("max", new Number(-ANY, ANY, false), "Greatest value.")));
    byType.put("flag", new Fields(called));
    byType.put("category", new Fields(called, values, buckets));
    byType.put(
        "categories",
        new Fields(
            called,
            values,
            buckets,
            optional("max", new Number(1, 64, true), "Most values at once; 8.")));
    byType.put(
        "vector", new Fields(called, required("size", new Number(1, 4096, true), "Components.")));
    return new Variants("type", "What kind of feature.", byType);
  }

  private static Shape signal(Shape name, Shape span) {
    Field called = required("name", name, "The name that outcomes use.");
    Field window = required("window", span, "How long after its decision an outcome counts.");
    Field aggregate =
        optional(
            "aggregate",
            new Choice(List.of("sum", "max", "first", "last")),
            "How several outcomes become one value; sum for numbers, max for flags.");
    Map<String, Fields> byType = new LinkedHashMap<>();
    byType.put(
        "flag",
        new Fields(
            called,
            optional("window", span, "How long after its decision an outcome counts."),
            aggregate,
            optional(
                "silence-of",
                new ListOf(name, 1, 32),
                "Instead of a window: 1 for each item without any of these signals.")));
    byType.put(
        "number",
        new Fields(
            called,
            optional("min", new Number(-ANY, ANY, false), "Least value."),
            optional("max", new Number(-ANY, ANY, false), "Greatest value."),
            window,
            aggregate));
    return new Variants("type", "What values it takes.", byType);
  }

  /** The length that a text such as {@code 30m} names. */
  static Duration duration(String text) {
    String unit = text.replaceAll("[0-9]", "");
    long count = Long.parseLong(text.substring(0, text.length() - unit.length()));
    return switch (unit) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  private static Field required(String name, Shape shape, String says) {
    return new Field(name, shape, true, says);
  }

  private static Field optional(String name, Shape shape, String says) {
    return new Field(name, shape, false, says);
  }
}
