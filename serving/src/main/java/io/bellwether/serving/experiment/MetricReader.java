package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.feature.Violation;
import io.bellwether.ingestion.surface.Constraint;
import io.bellwether.ingestion.surface.Signal;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.serving.experiment.MetricDeclaration.Direction;
import io.bellwether.serving.experiment.MetricDeclaration.Kind;
import io.bellwether.serving.experiment.MetricDeclaration.Margin;
import io.bellwether.serving.experiment.TypedFields.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metrics of one declaration: objects, or a signal's name alone for its mean per
 * decision. What is left out comes from the surface: its objective is the primary metric, and its
 * constraints are the guardrails. Confined to one thread.
 */
final class MetricReader {

  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "signal",
          "kind",
          "denominator",
          "quantile",
          "winsorize",
          "covariate",
          "direction",
          "margin");

  private static final Set<String> MARGINS = Set.of("kind", "value");

  /** More would need larger corrections than anybody wants. */
  private static final int MAX_PRIMARY = 3;

  private static final int MAX_OTHERS = 50;

  /** What a guardrail that says nothing lets pass: the promise that most surfaces make. */
  private static final Margin STANDARD_MARGIN = new Margin(Margin.Kind.RELATIVE, 0.05);

  private final TypedFields declaration;
  private final @Nullable Surface surface;
  private final Duration preperiod;

  /** Where each name was used first. */
  private final Map<String, String> names = new HashMap<>();

  /**
   * @param surface absent where it is not declared, which was noted elsewhere
   */
  MetricReader(TypedFields declaration, @Nullable Surface surface, Duration preperiod) {
    this.declaration = declaration;
    this.surface = surface;
    this.preperiod = preperiod;
  }

  /** The metrics that decide; at least one. */
  List<MetricDeclaration> primary() {
    List<MetricDeclaration> metrics = read("primary", MAX_PRIMARY, false, this::objective);
    if (metrics.isEmpty() && declaration.has("primary")) {
      declaration.refuse("primary", "an array of 1 to " + MAX_PRIMARY + " metrics");
    }
    return metrics;
  }

  List<MetricDeclaration> secondary() {
    return read("secondary", MAX_OTHERS, false, List::of);
  }

  List<MetricDeclaration> guardrails() {
    return read("guardrails", MAX_OTHERS, true, this::promises);
  }

  private List<MetricDeclaration> read(
      String list, int max, boolean guarding, Supplier<List<MetricDeclaration>> standard) {
    if (!declaration.has(list)) {
      return surface == null ? List.of() : standard.get();
    }
    List<JsonNode> nodes = declaration.array(list, "metrics");
    if (nodes.size() > max) {
      declaration.refuse(list, "an array of at most " + max + " metrics");
      return List.of();
    }
    List<MetricDeclaration> metrics = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      String pointer = declaration.fields().pointer(list + "/" + i);
      metrics.add(
          nodes.get(i).isTextual()
              ? ofSignal(nodes.get(i).textValue(), pointer, guarding)
              : one(
                  TypedFields.at(nodes.get(i), pointer, declaration.fields().violations(), FIELDS),
                  guarding));
    }
    return metrics;
  }

  private MetricDeclaration ofSignal(String signal, String pointer, boolean guarding) {
    unknownSignal(signal)
        .ifPresent(
            detail ->
                declaration
                    .fields()
                    .violations()
                    .add(new Violation("invalid-request", pointer, detail)));
    takeName(signal, pointer);
    return perDecision(
        signal, signal, Direction.UP, guarding ? Optional.of(STANDARD_MARGIN) : Optional.empty());
  }

  private MetricDeclaration one(TypedFields metric, boolean guarding) {
    String signal = signal(metric, "signal", true);
    Kind kind = metric.word("kind", Kind.class, Kind.PER_DECISION);
    String name = metric.fields().text("name").orElse(standardName(signal, kind));
    if (!ExperimentStore.NAME.matcher(name).matches()) {
      metric.refuse("name", ExperimentReader.NAME_WORDS);
    }
    takeName(name, metric.fields().pointer("name"));
    Optional<String> denominator = Optional.empty();
    if (kind == Kind.RATIO) {
      denominator = Optional.of(signal(metric, "denominator", true));
    } else {
      metric.mustNotHave("belongs to the kind RATIO", "denominator");
    }
    OptionalDouble quantile = metric.number("quantile", Range.between(0, 1));
    if (kind != Kind.QUANTILE) {
      metric.mustNotHave("belongs to the kind QUANTILE", "quantile");
    } else if (!metric.has("quantile")) {
      metric.refuse("quantile", "a number above 0 and below 1 for the kind QUANTILE");
    }
    OptionalDouble winsorize = metric.number("winsorize", Range.between(0, 1));
    boolean covariate = metric.fields().flag("covariate");
    if (covariate) {
      checkCovariate(metric, kind, winsorize);
    }
    Optional<Margin> margin = margin(metric, guarding);
    if (covariate && margin.filter(each -> each.kind() == Margin.Kind.BOUND).isPresent()) {
      metric.refuse("covariate", "false: it adjusts a difference, and a BOUND limits a level");
    }
    Direction direction = metric.word("direction", Direction.class, Direction.UP);
    return new MetricDeclaration(
        name, signal, kind, denominator, quantile, winsorize, covariate, direction, margin);
  }

  private void checkCovariate(TypedFields metric, Kind kind, OptionalDouble winsorize) {
    if (kind == Kind.QUANTILE || winsorize.isPresent()) {
      metric.refuse("covariate", "false: quantiles and winsorised metrics take no covariate");
    } else if (preperiod.isZero()) {
      metric.refuse(
          "covariate", "false while analysis.preperiod is 0; declare one, for instance P14D");
    }
  }

  private Optional<Margin> margin(TypedFields metric, boolean guarding) {
    if (!metric.has("margin")) {
      return guarding ? Optional.of(STANDARD_MARGIN) : Optional.empty();
    }
    TypedFields margin = metric.object("margin", MARGINS);
    Margin.Kind kind = margin.word("kind", Margin.Kind.class, Margin.Kind.RELATIVE);
    Range range = kind == Margin.Kind.BOUND ? Range.atLeast(-Double.MAX_VALUE) : Range.atLeast(0);
    if (!margin.has("value")) {
      margin.refuse("value", "a number");
    }
    return Optional.of(new Margin(kind, margin.number("value", range).orElse(0)));
  }

  private String signal(TypedFields metric, String field, boolean required) {
    String name = required ? metric.fields().requiredText(field) : "";
    if (metric.has(field)) {
      unknownSignal(name).ifPresent(detail -> metric.fields().refuse(field, detail));
    }
    return name;
  }

  private Optional<String> unknownSignal(String name) {
    if (surface == null || surface.signal(name).isPresent()) {
      return Optional.empty();
    }
    String declared =
        surface.signals().stream().map(Signal::name).collect(Collectors.joining(", "));
    return Optional.of(
        "is '%s', must be a signal of '%s': %s".formatted(name, surface.name(), declared));
  }

  private void takeName(String name, String pointer) {
    String first = names.putIfAbsent(name, pointer);
    if (first != null) {
      declaration
          .fields()
          .violations()
          .add(
              new Violation(
                  "invalid-request",
                  pointer,
                  "is '%s', the name of %s already; names are distinct among all metrics"
                      .formatted(name, first.replaceAll("/name$", ""))));
    }
  }

  private List<MetricDeclaration> objective() {
    String signal = declared().objective().signal();
    takeName(signal, "#/primary");
    return List.of(perDecision(signal, signal, Direction.UP, Optional.empty()));
  }

  private List<MetricDeclaration> promises() {
    return declared().constraints().stream().map(this::promise).toList();
  }

  /** A constraint as a guardrail: the part of it that may be lost is the margin. */
  private MetricDeclaration promise(Constraint constraint) {
    boolean least = constraint.direction() == Constraint.Direction.AT_LEAST;
    double lost = least ? 1 - constraint.bound() : constraint.bound() - 1;
    Margin margin =
        constraint.relative()
            ? new Margin(Margin.Kind.RELATIVE, Math.max(0, rounded(lost)))
            : new Margin(Margin.Kind.BOUND, constraint.bound());
    return perDecision(
        free(constraint.signal() + (least ? "-at-least" : "-at-most")),
        constraint.signal(),
        least ? Direction.UP : Direction.DOWN,
        Optional.of(margin));
  }

  /** A name that no metric has: a signal may be promised twice, as a share and as a level. */
  private String free(String wanted) {
    String name = wanted;
    for (int next = 2; names.putIfAbsent(name, "#/guardrails") != null; next++) {
      name = wanted + "-" + next;
    }
    return name;
  }

  /** 1 - 0.95 is 0.05. */
  private static double rounded(double share) {
    return Math.round(share * 1e9) / 1e9;
  }

  private Surface declared() {
    if (surface == null) {
      throw new IllegalStateException("the defaults of a surface that is not declared");
    }
    return surface;
  }

  private static String standardName(String signal, Kind kind) {
    return kind == Kind.PER_DECISION ? signal : signal + "-" + kind.name().toLowerCase(Locale.ROOT);
  }

  private static MetricDeclaration perDecision(
      String name, String signal, Direction direction, Optional<Margin> margin) {
    return new MetricDeclaration(
        name,
        signal,
        Kind.PER_DECISION,
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        false,
        direction,
        margin);
  }
}
