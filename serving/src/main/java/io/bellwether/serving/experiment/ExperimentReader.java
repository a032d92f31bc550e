package io.bellwether.serving.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.bellwether.ingestion.surface.Surface;
import io.bellwether.policy.version.Alias;
import io.bellwether.serving.experiment.TypedFields.Range;
import io.bellwether.serving.problem.ProblemException;
import io.bellwether.serving.pseudonym.Pseudonyms;
import io.bellwether.serving.request.JsonBody;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import io.bellwether.serving.surface.Surfaces;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns a declaration into an {@link Experiment} with all defaults filled in, or refuses it with
 * everything that is wrong in it. What other experiments and the policy store have to say is {@link
 * Admission}'s. Immutable and thread-safe.
 */
final class ExperimentReader {

  static final String NAME_WORDS =
      "1 to 64 letters, digits, '.', '_' or '-', the first one a letter or a digit";

  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "surface",
          "kind",
          "hypothesis",
          "owner",
          "layer",
          "slice",
          "salt",
          "unit",
          "variants",
          "targeting",
          "primary",
          "secondary",
          "guardrails",
          "health",
          "plan",
          "analysis",
          "overrides",
          "startAt",
          "endAt",
          "blockLength",
          "washout",
          "floor",
          "every",
          "autoActivateBulk",
          "override");

  private static final Set<String> SLICE = Set.of("from", "to");
  private static final Set<String> VARIANT = Set.of("name", "weight", "policy", "payload");
  private static final Set<String> STEP =
      Set.of("share", "atLeast", "unitsPerVariant", "onPass", "onFail");
  private static final Set<String> HEALTH = Set.of("degradedShare", "decisionP99", "exposures");
  private static final Set<String> ANALYSIS =
      Set.of("method", "alpha", "plannedUnits", "looks", "minimumEffect", "preperiod");

  private static final Pattern VERSION = Pattern.compile("v[0-9a-f]{12}");
  private static final String POLICY_WORDS =
      "champion, challenger, shadow, as-given, uniform or a version's id";

  private static final int MAX_VARIANTS = 20;
  private static final int MAX_OVERRIDES = 1000;
  private static final int MAX_STEPS = 50;

  /** Nothing is concluded from fewer: the sequences are asymptotic. */
  private static final long BURN_IN_UNITS = 100;

  /** So many requests show whether a version scores without errors and in time. */
  private static final long SHADOW_REQUESTS = 10_000;

  /** Nothing is learned in less, and a plan of seconds is a demonstration's. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static final long PLANNED_UNITS = 20_000;
  private static final int LOOKS = 5;
  private static final int MAX_LOOKS = 100;
  private static final double MINIMUM_EFFECT = 0.01;
  private static final double DEGRADED_SHARE = 0.05;
  private static final long HEALTH_EXPOSURES = 200;
  private static final double FLOOR = 0.05;
  private static final Duration EVERY = Duration.ofHours(1);

  private final Surfaces surfaces;
  private final Pseudonyms pseudonyms;

  ExperimentReader(Surfaces surfaces) {
    this(surfaces, Pseudonyms.NONE);
  }

  /**
   * @param pseudonyms what is kept of the subjects that a declaration names
   */
  ExperimentReader(Surfaces surfaces, Pseudonyms pseudonyms) {
    this.surfaces = surfaces;
    this.pseudonyms = pseudonyms;
  }

  /**
   * Reads a declaration as far as that is possible.
   *
   * @throws ProblemException where the bytes are not JSON, or too many
   */
  Draft read(byte[] json) {
    JsonFields request =
        JsonFields.ofRequest(JsonBody.parse(json, Limits.STANDARD.bodyBytes())).only(FIELDS);
    return new Reading(new TypedFields(request)).read();
  }

  /** An experiment as far as it could be read, and what is wrong with it. */
  record Draft(Experiment experiment, JsonFields fields) {}

  /** One declaration while it is being read. */
  private final class Reading {

    private final TypedFields declaration;
    private final JsonFields fields;

    Reading(TypedFields declaration) {
      this.declaration = declaration;
      fields = declaration.fields();
    }

    Draft read() {
      String name = name("name", fields.requiredText("name"));
      String surfaceName = fields.requiredText("surface");
      Surface surface = surfaces.find(surfaceName).map(DeclaredSurface::surface).orElse(null);
      Kind kind = declaration.word("kind", Kind.class, Kind.AB);
      List<Variant> variants = variants(kind);
      boolean flag = variants.stream().anyMatch(variant -> !variant.arm().choosesPolicy());
      List<Step> plan = plan(kind, flag);
      Analysis analysis = analysis();
      MetricReader metrics = new MetricReader(declaration, surface, analysis.preperiod());
      List<MetricDeclaration> primary = metrics.primary();
      List<MetricDeclaration> secondary = metrics.secondary();
      List<MetricDeclaration> guardrails = metrics.guardrails();
      String layer = fields.text("layer").orElse(standardLayer(kind, flag, name, surfaceName));
      Optional<Instant> startAt = declaration.instant("startAt");
      Optional<Instant> endAt = declaration.instant("endAt");
      if (startAt.isPresent()
          && endAt.filter(startAt.get()::isBefore).isEmpty()
          && endAt.isPresent()) {
        declaration.refuse("endAt", "after startAt, " + startAt.get());
      }
      Optional<String> override = fields.text("override");
      if (override.filter(String::isBlank).isPresent()) {
        declaration.refuse("override", "the reason why versions without a pass may be shown");
      }
      Duration blockLength = blockLength(kind);
      Experiment experiment =
          new Experiment(
              name,
              surfaceName,
              kind,
              fields.text("hypothesis").orElse(""),
              fields.text("owner").orElse(""),
              name("layer", layer),
              slice(kind),
              name("salt", fields.text("salt").orElse(name)),
              unit(kind, flag),
              variants,
              targeting(surface),
              primary,
              secondary,
              guardrails,
              health(surface),
              plan,
              analysis,
              overrides(variants),
              startAt,
              endAt,
              blockLength,
              washout(kind, blockLength),
              floor(kind, variants.size()),
              every(kind),
              autoActivateBulk(flag),
              override);
      return new Draft(experiment, fields);
    }

    private String name(String field, String text) {
      if (!ExperimentStore.NAME.matcher(text).matches() && fields.has(field)) {
        declaration.refuse(field, NAME_WORDS);
      }
      return text;
    }

    /** Experiments that choose the policy of a surface exclude each other; others are alone. */
    private String standardLayer(Kind kind, boolean flag, String name, String surfaceName) {
      return flag || kind == Kind.SHADOW || kind == Kind.HOLDOUT ? name : surfaceName;
    }

    private Slice slice(Kind kind) {
      if (!fields.has("slice")) {
        return Slice.WHOLE;
      }
      TypedFields slice = declaration.object("slice", SLICE);
      long from = slice.count("from", 0, 0);
      long to = slice.count("to", 1, Bucket.COUNT);
      if (from >= to || to > Bucket.COUNT) {
        fields.refuse(
            "slice",
            "is [%d, %d), must be a range of buckets with 0 <= from < to <= %d"
                .formatted(from, to, Bucket.COUNT));
        return Slice.WHOLE;
      }
      boolean all = from == 0 && to == Bucket.COUNT;
      if (!all && (kind == Kind.SHADOW || kind == Kind.HOLDOUT)) {
        fields.refuse("slice", "has no meaning for the kind " + kind + "; leave it out");
      }
      return new Slice((int) from, (int) to);
    }

    private UnitKind unit(Kind kind, boolean flag) {
      UnitKind standard =
          switch (kind) {
            case SWITCHBACK -> UnitKind.BLOCK;
            case SHADOW, APPRENTICE -> UnitKind.REQUEST;
            case AB, INTERLEAVING, BANDIT, HOLDOUT -> UnitKind.SUBJECT;
          };
      UnitKind unit = declaration.word("unit", UnitKind.class, standard);
      if (flag && unit != UnitKind.SUBJECT) {
        declaration.refuse("unit", "SUBJECT for payloads, whose answers must be stable");
        return UnitKind.SUBJECT;
      }
      boolean free = kind == Kind.AB || kind == Kind.INTERLEAVING || kind == Kind.BANDIT;
      if (unit != standard && (!free || unit == UnitKind.BLOCK)) {
        declaration.refuse(
            "unit", free ? "SUBJECT or REQUEST" : standard + " for the kind " + kind);
      }
      return unit;
    }

    private List<Variant> variants(Kind kind) {
      List<TypedFields> objects = declaration.objects("variants", VARIANT);
      int least = kind == Kind.SHADOW || kind == Kind.APPRENTICE ? 1 : 2;
      int most =
          switch (kind) {
            case AB, SHADOW, BANDIT -> MAX_VARIANTS;
            case INTERLEAVING, HOLDOUT, SWITCHBACK -> 2;
            case APPRENTICE -> 1;
          };
      if (objects.size() < least || objects.size() > most) {
        fields.refuse(
            "variants",
            "%s, the kind %s has %s"
                .formatted(
                    objects.isEmpty() ? "is missing or empty" : "are " + objects.size(),
                    kind,
                    least == most ? "exactly " + least : least + " to " + most));
      }
      // The checks of what is there go on, and what is not there is stood in for.
      List<Variant> variants = new ArrayList<>();
      Map<String, Integer> first = new HashMap<>();
      for (int i = 0; i < Math.min(objects.size(), MAX_VARIANTS); i++) {
        variants.add(variant(kind, objects.get(i), i, first));
      }
      if (variants.isEmpty()) {
        variants.add(new Variant("control", Bucket.COUNT, new Arm.Policy("champion")));
      }
      checkArms(objects, variants);
      return weighted(kind, objects, variants);
    }

    private Variant variant(Kind kind, TypedFields object, int index, Map<String, Integer> first) {
      String name = object.fields().requiredText("name");
      boolean wrong =
          !ExperimentStore.NAME.matcher(name).matches() || name.equals(Variant.INTERLEAVED);
      if (object.has("name") && wrong) {
        object.refuse("name", NAME_WORDS + ", and not 'interleaved'");
      }
      Integer earlier = first.putIfAbsent(name, index);
      if (earlier != null && !name.isEmpty()) {
        object.fields().refuse("name", "is the name of variant " + earlier + " as well");
      }
      return new Variant(name, 0, arm(kind, object, index));
    }

    private Arm arm(Kind kind, TypedFields object, int index) {
      if (object.has("policy") && object.has("payload")) {
        object.fields().refuse("payload", "stands beside policy; a variant has one of the two");
      }
      if (object.has("payload")) {
        if (kind != Kind.AB && kind != Kind.BANDIT) {
          object.fields().refuse("payload", "the kind " + kind + " compares policies only");
        }
        return new Arm.Payload(object.fields().get("payload"));
      }
      Optional<String> policy = object.fields().text("policy");
      if (policy.isEmpty()) {
        boolean known = index == 0 && kind != Kind.SHADOW && kind != Kind.HOLDOUT;
        if (!known && !object.has("policy") && !(kind == Kind.HOLDOUT && index == 1)) {
          object.fields().refuse("policy", "is missing, must be " + POLICY_WORDS);
        }
        return kind == Kind.APPRENTICE ? new Arm.AsGiven() : new Arm.Policy("champion");
      }
      Arm arm = Arm.ofPolicy(policy.get());
      boolean alias =
          policy.get().equals(Alias.CHAMPION.word())
              || policy.get().equals(Alias.CHALLENGER.word())
              || policy.get().equals(Alias.SHADOW.word());
      if (arm instanceof Arm.Policy && !alias && !VERSION.matcher(policy.get()).matches()) {
        object.refuse("policy", POLICY_WORDS);
      }
      if (kind == Kind.APPRENTICE && !(arm instanceof Arm.AsGiven)) {
        object.refuse("policy", "as-given for the kind APPRENTICE");
      }
      if (kind == Kind.INTERLEAVING && arm instanceof Arm.Uniform) {
        object.refuse("policy", "a ranking: teams draft from the best down");
      }
      return arm;
    }

    private boolean autoActivateBulk(boolean flag) {
      boolean wanted = fields.flag("autoActivateBulk");
      if (wanted && !flag) {
        fields.refuse("autoActivateBulk", "belongs to variants with payloads; leave it out");
      }
      return wanted;
    }

    private void checkArms(List<TypedFields> objects, List<Variant> variants) {
      boolean flag = variants.stream().anyMatch(variant -> !variant.arm().choosesPolicy());
      for (int i = 0; flag && i < objects.size() && i < variants.size(); i++) {
        if (variants.get(i).arm().choosesPolicy()) {
          objects
              .get(i)
              .fields()
              .refuse("payload", "is missing, as other variants have one; all must or none");
        }
      }
      if (flag && variants.get(0).payload() != null) {
        checkPayloads(objects, variants);
      }
    }

    /** A client asks for a flag of one type; 1 and 1.0 are two types to some. */
    private void checkPayloads(List<TypedFields> objects, List<Variant> variants) {
      String first = type(Objects.requireNonNull(variants.get(0).payload()));
      for (int i = 0; i < variants.size(); i++) {
        JsonNode payload = variants.get(i).payload();
        if (payload == null) {
          continue; // Noted already.
        }
        if (payload.isArray()) {
          objects.get(i).refuse("payload", "a text, a number, true or false, or an object");
        } else if (!type(payload).equals(first)) {
          objects.get(i).refuse("payload", first + " like that of the first variant");
        }
      }
    }

    private static String type(JsonNode payload) {
      if (payload.isNumber()) {
        return payload.isIntegralNumber() ? "a whole number" : "a decimal number";
      }
      if (payload.isTextual()) {
        return "a text";
      }
      return payload.isBoolean() ? "true or false" : "an object";
    }

    private List<Variant> weighted(Kind kind, List<TypedFields> objects, List<Variant> variants) {
      long given = objects.stream().filter(object -> object.has("weight")).count();
      int count = variants.size();
      if (given == 0) {
        int even = Bucket.COUNT / count;
        List<Variant> equal = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          int rest = i == 0 ? Bucket.COUNT - even * count : 0;
          equal.add(variants.get(i).withWeight(kind == Kind.SHADOW ? Bucket.COUNT : even + rest));
        }
        if (kind == Kind.HOLDOUT && count == 2) {
          objects.get(0).fields().refuse("weight", "is missing, for instance 200 for 2 in 100");
        }
        return equal;
      }
      List<Variant> weighted = new ArrayList<>();
      long sum = 0;
      for (int i = 0; i < count; i++) {
        TypedFields object = objects.get(i);
        if (!object.has("weight")) {
          object.fields().refuse("weight", "is missing, while other variants have one");
        }
        int weight = object.fields().integer("weight", 1, Bucket.COUNT).orElse(0);
        sum += weight;
        weighted.add(variants.get(i).withWeight(weight));
      }
      if (kind != Kind.SHADOW && sum != Bucket.COUNT) {
        fields.refuse(
            "variants",
            "have weights that add up to %d, must add up to %d (basis points)"
                .formatted(sum, Bucket.COUNT));
      }
      if (kind == Kind.SWITCHBACK && weighted.get(0).weight() * 2 != Bucket.COUNT) {
        fields.refuse("variants", "have other weights than 5000 each, as blocks come in pairs");
      }
      return weighted;
    }

    private List<Step> plan(Kind kind, boolean flag) {
      JsonNode plan = fields.get("plan");
      if (plan.isMissingNode()) {
        return List.of();
      }
      if (kind != Kind.AB) {
        fields.refuse("plan", "belongs to the kind AB, this is " + kind + "; leave it out");
        return List.of();
      }
      if (plan.isTextual() && plan.textValue().equals("default")) {
        return standardPlan(flag);
      }
      if (!plan.isArray() || plan.size() > MAX_STEPS) {
        declaration.refuse("plan", "\"default\" or an array of at most " + MAX_STEPS + " steps");
        return List.of();
      }
      List<Step> steps = new ArrayList<>();
      int before = -1;
      for (TypedFields object : declaration.objects("plan", STEP)) {
        Step step = step(object, flag, before);
        before = step.share();
        steps.add(step);
      }
      return steps;
    }

    private Step step(TypedFields object, boolean flag, int before) {
      if (!object.has("share")) {
        object.refuse("share", "basis points of all treatments together, 0 to 10000");
      }
      int share = object.fields().integer("share", 0, Bucket.COUNT).orElse(before + 1);
      if (share <= before) {
        object
            .fields()
            .refuse("share", "is %d after %d, shares must grow".formatted(share, before));
      }
      if (share == 0 && flag) {
        object.fields().refuse("share", "is 0, payloads cannot be scored in the shadow");
      }
      long units =
          object.count(
              "unitsPerVariant",
              0,
              share == 0 ? SHADOW_REQUESTS : share == Bucket.COUNT ? 0 : BURN_IN_UNITS);
      return new Step(
          Math.min(share, Bucket.COUNT),
          object.duration("atLeast", Duration.ZERO, Duration.ZERO),
          units,
          object.word("onPass", Step.OnPass.class, Step.OnPass.ADVANCE),
          object.word("onFail", Step.OnFail.class, Step.OnFail.ROLLBACK));
    }

    private List<Step> standardPlan(boolean flag) {
      List<Step> steps = new ArrayList<>();
      if (!flag) {
        steps.add(standardStep(0, Duration.ofHours(1), SHADOW_REQUESTS));
      }
      steps.add(standardStep(100, Duration.ofHours(2), BURN_IN_UNITS));
      steps.add(standardStep(500, Duration.ofHours(24), BURN_IN_UNITS));
      steps.add(standardStep(1000, Duration.ofHours(24), BURN_IN_UNITS));
      steps.add(standardStep(2500, Duration.ofDays(2), BURN_IN_UNITS));
      steps.add(standardStep(5000, Duration.ofDays(7), BURN_IN_UNITS));
      steps.add(standardStep(Bucket.COUNT, Duration.ZERO, 0));
      return steps;
    }

    private static Step standardStep(int share, Duration atLeast, long units) {
      return new Step(share, atLeast, units, Step.OnPass.ADVANCE, Step.OnFail.ROLLBACK);
    }

    private Analysis analysis() {
      TypedFields analysis = declaration.object("analysis", ANALYSIS);
      return new Analysis(
          analysis.word("method", Analysis.Method.class, Analysis.Method.SEQUENTIAL),
          analysis.number("alpha", Range.between(0, 0.5)).orElse(0.05),
          analysis.count("plannedUnits", 2 * BURN_IN_UNITS, PLANNED_UNITS),
          looks(analysis),
          analysis
              .number("minimumEffect", Range.between(0, Double.MAX_VALUE))
              .orElse(MINIMUM_EFFECT),
          analysis.duration("preperiod", Duration.ZERO, Duration.ZERO));
    }

    private int looks(TypedFields analysis) {
      long looks = analysis.count("looks", 1, LOOKS);
      if (looks > MAX_LOOKS) {
        analysis.refuse("looks", "at most " + MAX_LOOKS + "; SEQUENTIAL may be read at any time");
        return LOOKS;
      }
      return (int) looks;
    }

    /** A decision's own deadline is held elsewhere; this is for a policy that breaks it often. */
    private HealthLimits health(@Nullable Surface surface) {
      Duration standard =
          surface == null ? Duration.ofSeconds(1) : surface.deadline().multipliedBy(2);
      TypedFields health = declaration.object("health", HEALTH);
      return new HealthLimits(
          health.number("degradedShare", Range.from(0, 1)).orElse(DEGRADED_SHARE),
          health.duration("decisionP99", SHORTEST, standard),
          health.count("exposures", 1, HEALTH_EXPOSURES));
    }

    private List<Condition> targeting(@Nullable Surface surface) {
      ConditionReader reader = new ConditionReader(declaration, surface);
      return reader.read("targeting").stream().map(this::withoutIds).toList();
    }

    /** A condition on the subject that names those whom it means as they are kept. */
    private Condition withoutIds(Condition condition) {
      if (condition instanceof Condition.In in && in.attribute().equals(Condition.SUBJECT)) {
        return new Condition.In(in.attribute(), kept(in.in()));
      }
      if (condition instanceof Condition.NotIn not && not.attribute().equals(Condition.SUBJECT)) {
        return new Condition.NotIn(not.attribute(), kept(not.notIn()));
      }
      return condition;
    }

    private List<JsonNode> kept(List<JsonNode> subjects) {
      List<JsonNode> kept = new ArrayList<>();
      for (JsonNode subject : subjects) {
        kept.add(
            subject.isTextual()
                ? TextNode.valueOf(pseudonyms.ofDeclared(subject.textValue()))
                : subject);
      }
      return kept;
    }

    private Map<String, String> overrides(List<Variant> variants) {
      Map<String, String> overrides = new LinkedHashMap<>();
      JsonFields object = fields.object("overrides");
      JsonNode node = fields.get("overrides");
      if (node.size() > MAX_OVERRIDES) {
        fields.refuse("overrides", "are " + node.size() + ", must be at most " + MAX_OVERRIDES);
        return overrides;
      }
      Set<String> names = variants.stream().map(Variant::name).collect(Collectors.toSet());
      Iterator<String> subjects = node.fieldNames();
      while (subjects.hasNext()) {
        String subject = subjects.next();
        String variant = node.path(subject).asText("");
        if (!JsonFields.isForeignId(subject)) {
          object.refuse(JsonFields.escaped(subject), "is no subject's id");
        }
        if (!names.contains(variant)) {
          object.refuse(
              JsonFields.escaped(subject),
              "is %s, must be one of the variants %s"
                  .formatted(
                      JsonFields.found(node.path(subject)),
                      String.join(", ", variants.stream().map(Variant::name).toList())));
        }
        overrides.put(pseudonyms.ofDeclared(subject), variant);
      }
      return overrides;
    }

    private Duration blockLength(Kind kind) {
      if (kind != Kind.SWITCHBACK) {
        declaration.mustNotHave("belongs to the kind SWITCHBACK", "blockLength", "washout");
        return Duration.ZERO;
      }
      if (!fields.has("blockLength")) {
        fields.refuse("blockLength", "is missing, must be an ISO 8601 duration such as PT1H");
      }
      return declaration.duration("blockLength", SHORTEST, Duration.ofHours(1));
    }

    private Duration washout(Kind kind, Duration blockLength) {
      if (kind != Kind.SWITCHBACK) {
        return Duration.ZERO;
      }
      Duration washout = declaration.duration("washout", Duration.ZERO, Duration.ZERO);
      if (washout.compareTo(blockLength) >= 0) {
        declaration.refuse("washout", "shorter than the block, " + blockLength);
      }
      return washout;
    }

    private double floor(Kind kind, int variants) {
      if (kind != Kind.BANDIT) {
        declaration.mustNotHave("belongs to the kind BANDIT", "floor", "every");
        return 0;
      }
      double most = 1.0 / variants;
      return declaration
          .number("floor", new Range(0, false, most, true))
          .orElse(Math.min(FLOOR, most));
    }

    private Duration every(Kind kind) {
      return kind == Kind.BANDIT ? declaration.duration("every", SHORTEST, EVERY) : Duration.ZERO;
    }
  }
}
