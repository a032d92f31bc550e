package io.bellwether.ingestion.surface;

import io.bellwether.ingestion.surface.Surface.Exploration;
import io.bellwether.ingestion.surface.Surface.Fallback;
import io.bellwether.ingestion.surface.Surface.GraphChoice;
import io.bellwether.ingestion.surface.Surface.History;
import io.bellwether.ingestion.surface.Surface.Objective;
import io.bellwether.ingestion.surface.Surface.Ranking;
import io.bellwether.ingestion.surface.Surface.Retrieval;
import io.bellwether.ingestion.surface.Surface.Sessions;
import io.bellwether.ingestion.surface.Surface.WhenUnlogged;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads surface files: first their shape, then what must agree inside them. Every mistake is found
 * before a file is refused. Thread-safe.
 */
public final class SurfaceReader {

  private static final double DEFAULT_DISCOUNT = 0.95;
  private static final double DEFAULT_UNIFORM = 0.02;
  private static final double DEFAULT_MIN_PROPENSITY = 1e-4;
  private static final int DEFAULT_CANDIDATES = 500;
  private static final int DEFAULT_BUCKETS = 1024;
  private static final int DEFAULT_CATEGORIES = 8;
  private static final Duration DEFAULT_GAP = Duration.ofMinutes(30);
  private static final Duration DEFAULT_DEADLINE = Duration.ofMillis(50);
  private static final Duration DEFAULT_HALF_LIFE = Duration.ofDays(7);
  private static final Duration DEFAULT_FRESH_FOR = Duration.ofDays(3);
  private static final double DEFAULT_FRESH_SHARE = 0.1;
  private static final double DEFAULT_RANDOM_SHARE = 0.05;
  private static final double DEFAULT_DIFFERENCE = 0.02;
  private static final double DEFAULT_PRUNED_SHARE = 0.9;

  /** Experiments have numbers of these names of their own. */
  private static final List<String> NO_SIGNALS = List.of("decisions", "seen");

  /** All surfaces of a folder's {@code *.yaml} and {@code *.yml} files, in the order of names. */
  public List<Surface> readFolder(Path folder) throws IOException, InvalidSurfaceException {
    List<Path> files;
    try (Stream<Path> paths = Files.list(folder)) {
      files = paths.filter(SurfaceReader::isYaml).sorted().toList();
    }
    List<Surface> surfaces = new ArrayList<>();
    Map<String, Path> origins = new HashMap<>();
    for (Path file : files) {
      Surface surface = read(file);
      Path other = origins.putIfAbsent(surface.name(), file);
      if (other != null) {
        throw new InvalidSurfaceException(
            file.toString(),
            List.of(
                new Problem(
                    1,
                    "surface",
                    "'" + surface.name() + "', as in " + other,
                    "a name of its own")));
      }
      surfaces.add(surface);
    }
    surfaces.sort(Comparator.comparing(Surface::name));
    return surfaces;
  }

  private static boolean isYaml(Path file) {
    String name = file.toString();
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /** The surface that a file declares. */
  public Surface read(Path file) throws IOException, InvalidSurfaceException {
    return parse(file.toString(), Files.readAllBytes(file));
  }

  /**
   * The surface that the bytes of a file declare.
   *
   * @param file named in problems
   */
  public Surface parse(String file, byte[] yaml) throws InvalidSurfaceException {
    Located root = compose(file, yaml);
    List<Problem> problems = new ArrayList<>();
    SurfaceFile.SHAPE.check(root, problems);
    if (problems.isEmpty()) {
      Surface surface = build(root, digest(yaml), problems);
      if (problems.isEmpty()) {
        return surface;
      }
    }
    problems.sort(Comparator.comparingInt(Problem::line));
    throw new InvalidSurfaceException(file, problems);
  }

  /** The JSON Schema (2020-12) of surface files, as plain maps and lists. */
  public static Map<String, Object> jsonSchema() {
    Map<String, Object> schema = new java.util.LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "A Bellwether surface");
    schema.putAll(SurfaceFile.SHAPE.jsonSchema());
    return schema;
  }

  private static Located compose(String file, byte[] yaml) throws InvalidSurfaceException {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).build();
      Optional<Node> node =
          new Compose(settings).composeString(new String(yaml, StandardCharsets.UTF_8));
      return new Located(
          node.orElseThrow(
              () ->
                  new InvalidSurfaceException(
                      file, List.of(new Problem(1, "(file)", "nothing", "a surface declaration")))),
          "");
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      String started =
          e.getContextMark()
              .filter(mark -> mark.getLine() + 1 < line)
              .map(mark -> ", in what begins on line " + (mark.getLine() + 1))
              .orElse("");
      throw notYaml(file, line, e.getProblem() + started);
    } catch (YamlEngineException e) {
      throw notYaml(file, 1, String.valueOf(e.getMessage()));
    }
  }

  private static InvalidSurfaceException notYaml(String file, int line, String why) {
    String right = "one YAML document: a space after each colon, brackets closed, no tabs";
    return new InvalidSurfaceException(
        file, List.of(new Problem(line, "(file)", "no YAML (" + why + ")", right)));
  }

  private static Surface build(Located root, String digest, List<Problem> problems) {
    Located slate = root.required("slate");
    int slateSize = (int) slate.required("size").number();
    int maxCandidates =
        slate
            .get("candidates")
            .map(c -> (int) c.required("max").number())
            .orElse(Math.max(DEFAULT_CANDIDATES, slateSize));
    if (maxCandidates < slateSize) {
      problems.add(
          problem(slate, maxCandidates + " candidates", "at least the slate's size, " + slateSize));
    }
    List<Feature> context = features(root.get("context"), problems);
    List<Feature> item = features(root.get("item"), problems);
    List<Signal> signals = signals(root.required("signals"), problems);
    return new Surface(
        root.required("surface").text(),
        digest,
        slateSize,
        maxCandidates,
        context,
        history(root.get("history"), signals, problems),
        item,
        signals,
        objective(root.required("objective"), signals, problems),
        constraints(root.get("constraints"), signals, problems),
        exploration(root.get("exploration"), maxCandidates, problems),
        sessions(root.get("sessions"), signals, problems),
        root.get("ranking").map(r -> ranking(r, context, item, problems)),
        root.get("deadline").map(d -> SurfaceFile.duration(d.text())).orElse(DEFAULT_DEADLINE),
        fallback(root.get("fallback"), problems),
        root.get("when-unlogged")
            .map(w -> WhenUnlogged.valueOf(w.text().toUpperCase(Locale.ROOT)))
            .orElse(WhenUnlogged.REFUSE),
        retrieval(root, slateSize, maxCandidates, signals, problems),
        graph(root.get("graph")),
        RulesFile.read(
            root.get("rules"),
            item,
            history(root.get("history"), signals, new ArrayList<>()),
            slateSize,
            problems));
  }

  private static GraphChoice graph(Optional<Located> graph) {
    return new GraphChoice(
        graph
            .flatMap(g -> g.get("form"))
            .map(form -> GraphChoice.Form.valueOf(form.text().toUpperCase(Locale.ROOT)))
            .orElse(GraphChoice.Form.FULL),
        numberOr(graph, "changed-slates", DEFAULT_DIFFERENCE),
        numberOr(graph, "propensity-difference", DEFAULT_DIFFERENCE),
        numberOr(graph, "pruned-share", DEFAULT_PRUNED_SHARE));
  }

  private static Retrieval retrieval(
      Located root,
      int slateSize,
      int maxCandidates,
      List<Signal> signals,
      List<Problem> problems) {
    Optional<Located> retrieval = root.get("retrieval");
    int candidates = (int) numberOr(retrieval, "candidates", maxCandidates);
    if (candidates < slateSize || candidates > maxCandidates) {
      retrieval.ifPresent(
          r ->
              problems.add(
                  problem(
                      r,
                      candidates + " candidates",
                      "from the slate's size to its candidates, %d to %d"
                          .formatted(slateSize, maxCandidates))));
    }
    Optional<Located> popularity = retrieval.flatMap(r -> r.get("popularity"));
    Optional<Located> signal = popularity.flatMap(p -> p.get("signal"));
    signal.ifPresent(s -> declared(s, signals, problems));
    Optional<Located> fresh = retrieval.flatMap(r -> r.get("fresh"));
    double freshShare = numberOr(fresh, "share", DEFAULT_FRESH_SHARE);
    double randomShare = numberOr(retrieval, "random", DEFAULT_RANDOM_SHARE);
    if (freshShare + randomShare > 1) {
      retrieval.ifPresent(
          r ->
              problems.add(
                  problem(
                      r,
                      "fresh.share " + freshShare + " and random " + randomShare,
                      "at most 1 together")));
    }
    return new Retrieval(
        candidates,
        (int) numberOr(retrieval, "embedding", 0),
        signal.map(Located::text).orElse(root.required("objective").required("maximize").text()),
        lengthOr(popularity, "half-life", DEFAULT_HALF_LIFE),
        freshShare,
        lengthOr(fresh, "for", DEFAULT_FRESH_FOR),
        randomShare);
  }

  private static List<Feature> features(Optional<Located> list, List<Problem> problems) {
    List<Feature> features = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Located each : list.map(Located::elements).orElse(List.of())) {
      Feature feature = feature(each, problems);
      if (!names.add(feature.name())) {
        problems.add(
            problem(each.required("name"), "'" + feature.name() + "' twice", "a name of its own"));
      }
      features.add(feature);
    }
    return features;
  }

  private static Feature feature(Located each, List<Problem> problems) {
    String name = each.required("name").text();
    int buckets = each.get("buckets").map(b -> (int) b.number()).orElse(DEFAULT_BUCKETS);
    List<String> values = each.get("values").map(v -> distinct(v, problems)).orElse(List.of());
    if (each.get("values").isPresent() && each.get("buckets").isPresent()) {
      problems.add(problem(each, "values and buckets", "one of the two"));
    }
    return switch (each.required("type").text()) {
      case "number" -> {
        double min = bound(each, "min", Double.NEGATIVE_INFINITY);
        double max = bound(each, "max", Double.POSITIVE_INFINITY);
        checkRange(each, min, max, problems);
        yield new Feature.Number(name, min, max);
      }
      case "flag" -> new Feature.Flag(name);
      case "category" -> new Feature.Category(name, values, buckets);
      case "categories" ->
          new Feature.Categories(
              name,
              values,
              buckets,
              each.get("max").map(m -> (int) m.number()).orElse(DEFAULT_CATEGORIES));
      default -> new Feature.Vector(name, (int) each.required("size").number());
    };
  }

  private static List<String> distinct(Located values, List<Problem> problems) {
    Set<String> seen = new HashSet<>();
    List<String> texts = new ArrayList<>();
    for (Located value : values.elements()) {
      if (!seen.add(value.text())) {
        problems.add(problem(value, value.found() + " twice", "listed once"));
      }
      texts.add(value.text());
    }
    return texts;
  }

  private static List<Signal> signals(Located list, List<Problem> problems) {
    List<Signal> signals = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Located each : list.elements()) {
      String name = each.required("name").text();
      if (!names.add(name)) {
        problems.add(problem(each.required("name"), "'" + name + "' twice", "a name of its own"));
      }
      if (NO_SIGNALS.contains(name)) {
        problems.add(problem(each.required("name"), "'" + name + "'", "none of " + NO_SIGNALS));
      }
      if (each.get("silence-of").isEmpty()) {
        signals.add(signal(name, each, problems));
      }
    }
    List<Signal> all = new ArrayList<>();
    for (Located each : list.elements()) {
      String name = each.required("name").text();
      all.add(
          each.get("silence-of")
              .map(of -> silence(name, each, of, signals, problems))
              .or(() -> signals.stream().filter(s -> s.name().equals(name)).findFirst())
              .orElseThrow());
    }
    return all;
  }

  private static Signal signal(String name, Located each, List<Problem> problems) {
    boolean flag = each.required("type").text().equals("flag");
    double min = flag ? 0 : bound(each, "min", Double.NEGATIVE_INFINITY);
    double max = flag ? 1 : bound(each, "max", Double.POSITIVE_INFINITY);
    checkRange(each, min, max, problems);
    if (each.get("window").isEmpty()) {
      problems.add(problem(each, "no window", "given, or silence-of"));
    }
    return new Signal(
        name,
        flag ? Signal.Type.FLAG : Signal.Type.NUMBER,
        min,
        max,
        each.get("window").map(w -> SurfaceFile.duration(w.text())).orElse(Duration.ZERO),
        each.get("aggregate")
            .map(a -> Signal.Aggregate.valueOf(a.text().toUpperCase(Locale.ROOT)))
            .orElse(flag ? Signal.Aggregate.MAX : Signal.Aggregate.SUM),
        List.of());
  }

  /** A flag that follows from what is not sent; it is known when the others' windows are over. */
  private static Signal silence(
      String name, Located each, Located of, List<Signal> sent, List<Problem> problems) {
    for (String field : List.of("window", "aggregate")) {
      each.get(field)
          .ifPresent(f -> problems.add(problem(f, field + " and silence-of", "one of the two")));
    }
    of.elements().forEach(other -> declared(other, sent, problems));
    List<String> names = distinct(of, problems);
    Duration window =
        sent.stream()
            .filter(s -> names.contains(s.name()))
            .map(Signal::window)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    return new Signal(name, Signal.Type.FLAG, 0, 1, window, Signal.Aggregate.MAX, names);
  }

  /** Refuses a silence where a signal is needed that people send. */
  private static void sent(Located reference, List<Signal> signals, List<Problem> problems) {
    boolean silence =
        signals.stream().anyMatch(s -> s.name().equals(reference.text()) && s.isSilence());
    if (silence) {
      problems.add(problem(reference, reference.found() + ", a silence", "a signal that is sent"));
    }
  }

  private static History history(
      Optional<Located> history, List<Signal> signals, List<Problem> problems) {
    List<Located> named =
        history.flatMap(h -> h.get("signals")).map(Located::elements).orElse(List.of());
    named.forEach(
        s -> {
          declared(s, signals, problems);
          sent(s, signals, problems);
        });
    return new History(
        history.flatMap(h -> h.get("signals")).map(s -> distinct(s, problems)).orElse(List.of()),
        history.map(h -> (int) h.required("last").number()).orElse(0));
  }

  private static Objective objective(
      Located objective, List<Signal> signals, List<Problem> problems) {
    Located maximize = objective.required("maximize");
    declared(maximize, signals, problems);
    return new Objective(
        maximize.text(), objective.get("discount").map(Located::number).orElse(DEFAULT_DISCOUNT));
  }

  private static List<Constraint> constraints(
      Optional<Located> list, List<Signal> signals, List<Problem> problems) {
    List<Constraint> constraints = new ArrayList<>();
    for (Located each : list.map(Located::elements).orElse(List.of())) {
      declared(each.required("signal"), signals, problems);
      Optional<Located> least = each.get("at-least");
      Optional<Located> most = each.get("at-most");
      if (least.isPresent() == most.isPresent()) {
        problems.add(
            problem(each, least.isPresent() ? "both bounds" : "no bound", "at-least or at-most"));
        continue;
      }
      String bound = least.or(() -> most).orElseThrow().text();
      boolean relative = bound.contains("%");
      double value =
          relative
              ? Double.parseDouble(bound.substring(0, bound.indexOf('%'))) / 100
              : Double.parseDouble(bound);
      Constraint constraint =
          new Constraint(
              each.required("signal").text(),
              least.isPresent() ? Constraint.Direction.AT_LEAST : Constraint.Direction.AT_MOST,
              value,
              relative);
      constraints.stream()
          .filter(constraint::excludes)
          .findFirst()
          .ifPresent(
              other ->
                  problems.add(
                      problem(each, constraint.words(), "compatible with: " + other.words())));
      constraints.add(constraint);
    }
    return constraints;
  }

  private static Exploration exploration(
      Optional<Located> exploration, int maxCandidates, List<Problem> problems) {
    double floor = numberOr(exploration, "min-propensity", DEFAULT_MIN_PROPENSITY);
    if (floor * maxCandidates > 1) {
      exploration.ifPresent(
          e ->
              problems.add(
                  problem(
                      e,
                      "min-propensity " + floor,
                      "at most 1 / " + maxCandidates + " candidates")));
    }
    return new Exploration(
        numberOr(exploration, "temperature", 1),
        numberOr(exploration, "uniform", DEFAULT_UNIFORM),
        floor);
  }

  private static Sessions sessions(
      Optional<Located> sessions, List<Signal> signals, List<Problem> problems) {
    Optional<Located> end = sessions.flatMap(s -> s.get("ends-with"));
    end.ifPresent(
        e -> {
          declared(e, signals, problems);
          sent(e, signals, problems);
          if (signals.stream()
              .anyMatch(s -> s.name().equals(e.text()) && s.type() != Signal.Type.FLAG)) {
            problems.add(problem(e, e.found() + ", a number", "a flag"));
          }
        });
    return new Sessions(
        sessions
            .flatMap(s -> s.get("gap"))
            .map(g -> SurfaceFile.duration(g.text()))
            .orElse(DEFAULT_GAP),
        end.map(Located::text));
  }

  private static Ranking ranking(
      Located ranking, List<Feature> context, List<Feature> item, List<Problem> problems) {
    List<Ranking.Term> terms = new ArrayList<>();
    for (Located each : ranking.required("terms").elements()) {
      String itemName = each.required("item").text();
      double weight = each.required("weight").number();
      Optional<Feature> itemFeature = named(item, itemName);
      Optional<Located> contextName = each.get("context");
      if (contextName.isEmpty()) {
        if (!(itemFeature.orElse(null) instanceof Feature.Number)) {
          problems.add(
              problem(each.required("item"), each.required("item").found(), "an item's number"));
        }
        terms.add(new Ranking.Term.ItemNumber(itemName, weight));
      } else {
        Optional<Feature> contextFeature = named(context, contextName.get().text());
        if (!(itemFeature.orElse(null) instanceof Feature.Vector v
            && contextFeature.orElse(null) instanceof Feature.Vector c
            && c.size() == v.size())) {
          problems.add(
              problem(
                  each,
                  contextName.get().found() + " and " + each.required("item").found(),
                  "a context vector and an item vector of one size"));
        }
        terms.add(new Ranking.Term.DotProduct(contextName.get().text(), itemName, weight));
      }
    }
    return new Ranking(terms, ranking.get("temperature").map(Located::number).orElse(1.0));
  }

  private static List<Fallback> fallback(Optional<Located> list, List<Problem> problems) {
    return list.map(
            l ->
                distinct(l, problems).stream()
                    .map(f -> Fallback.valueOf(f.toUpperCase(Locale.ROOT).replace('-', '_')))
                    .toList())
        .orElse(List.of(Fallback.CHAMPION, Fallback.AS_GIVEN));
  }

  private static Optional<Feature> named(List<Feature> features, String name) {
    return features.stream().filter(f -> f.name().equals(name)).findFirst();
  }

  private static void declared(Located name, List<Signal> signals, List<Problem> problems) {
    List<String> names = signals.stream().map(Signal::name).toList();
    if (!names.contains(name.text())) {
      problems.add(problem(name, name.found(), "one of the signals " + String.join(", ", names)));
    }
  }

  private static void checkRange(Located each, double min, double max, List<Problem> problems) {
    if (min > max) {
      problems.add(problem(each, "min " + min + " above max " + max, "min at most max"));
    }
  }

  private static double bound(Located each, String key, double otherwise) {
    return each.get(key).map(Located::number).orElse(otherwise);
  }

  private static double numberOr(Optional<Located> map, String key, double otherwise) {
    return map.flatMap(m -> m.get(key)).map(Located::number).orElse(otherwise);
  }

  private static Duration lengthOr(Optional<Located> map, String key, Duration otherwise) {
    return map.flatMap(m -> m.get(key)).map(l -> SurfaceFile.duration(l.text())).orElse(otherwise);
  }

  private static Problem problem(Located where, String found, String right) {
    return new Problem(where.line(), where.path(), found, right);
  }

  private static String digest(byte[] yaml) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(yaml));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
