package io.bellwether.serving.rule;

import com.fasterxml.jackson.databind.JsonNode;
import io.bellwether.ingestion.surface.Rules.GroupRule;
import io.bellwether.ingestion.surface.Rules.Kind;
import io.bellwether.serving.request.JsonFields;
import io.bellwether.serving.request.Limits;
import io.bellwether.serving.surface.DeclaredSurface;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules of one request, checked. Immutable.
 *
 * @param masks why a candidate may not be shown, by its id
 * @param pins which candidate stands at a position, by its id; no position and no candidate twice
 * @param groups bounds on items that have a feature in common
 */
public record AskedRules(Map<String, String> masks, List<PinAt> pins, List<GroupRule> groups) {

  /** A request without rules. */
  public static final AskedRules NONE = new AskedRules(Map.of(), List.of(), List.of());

  private static final Set<String> FIELDS = Set.of("masks", "pins", "atLeast", "atMost", "apart");
  private static final Set<String> MASK_FIELDS = Set.of("candidateId", "reason");
  private static final Set<String> PIN_FIELDS = Set.of("candidateId", "position");
  private static final Set<String> COUNT_FIELDS = Set.of("feature", "value", "n");
  private static final Set<String> DISTANCE_FIELDS = Set.of("feature", "value", "distance");

  /** A code that metrics and logs can carry. */
  private static final Pattern REASON = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final int MOST_GROUP_RULES = 16;

  public AskedRules {
    masks = Map.copyOf(masks);
    pins = List.copyOf(pins);
    groups = List.copyOf(groups);
  }

  /** A candidate that is to stand at a position, 0 first. */
  public record PinAt(String candidateId, int position) {}

  /** Whether nothing is asked for. */
  public boolean isNone() {
    return masks.isEmpty() && pins.isEmpty() && groups.isEmpty();
  }

  /**
   * Reads the field {@code rules} of a request, noting what is wrong in its violations.
   *
   * @param request the request's outermost object
   */
  public static AskedRules read(JsonFields request, DeclaredSurface surface) {
    if (!request.has("rules")) {
      return NONE;
    }
    JsonFields rules = request.object("rules").only(FIELDS);
    Map<String, String> masks = masks(rules);
    List<PinAt> pins = pins(rules, masks.keySet());
    List<GroupRule> groups = new ArrayList<>();
    readGroups(rules, "atLeast", Kind.AT_LEAST, surface, groups);
    readGroups(rules, "atMost", Kind.AT_MOST, surface, groups);
    readGroups(rules, "apart", Kind.APART, surface, groups);
    return new AskedRules(masks, pins, groups);
  }

  private static Map<String, String> masks(JsonFields rules) {
    Map<String, String> masks = new LinkedHashMap<>();
    for (JsonFields mask : elements(rules, "masks", Limits.STANDARD.candidates())) {
      mask.only(MASK_FIELDS);
      String reason = mask.requiredText("reason");
      if (mask.has("reason") && !REASON.matcher(reason).matches()) {
        mask.refuse(
            "reason",
            "is "
                + JsonFields.found(mask.get("reason"))
                + ", must be a code of 1 to 64 letters, digits, '.', '_' or '-'");
      }
      masks.putIfAbsent(mask.requiredForeignId("candidateId"), reason);
    }
    return masks;
  }

  private static List<PinAt> pins(JsonFields rules, Set<String> masked) {
    List<PinAt> pins = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    Set<Integer> positions = new HashSet<>();
    for (JsonFields pin : elements(rules, "pins", Limits.STANDARD.positions())) {
      pin.only(PIN_FIELDS);
      String id = pin.requiredForeignId("candidateId");
      int last = Limits.STANDARD.positions() - 1;
      Optional<Integer> position = pin.integer("position", 0, last);
      if (!pin.has("position")) {
        pin.refuse("position", "is missing, must be from 0 to " + last);
      }
      if (!ids.add(id)) {
        pin.refuse("candidateId", "is pinned twice");
      } else if (masked.contains(id)) {
        pin.refuse("candidateId", "is masked as well");
      }
      if (position.isPresent() && !positions.add(position.get())) {
        pin.refuse("position", "has another candidate already");
      } else {
        position.ifPresent(at -> pins.add(new PinAt(id, at)));
      }
    }
    return pins;
  }

  private static void readGroups(
      JsonFields rules, String field, Kind kind, DeclaredSurface surface, List<GroupRule> groups) {
    String number = kind == Kind.APART ? "distance" : "n";
    Set<String> seen = new HashSet<>();
    for (JsonFields each : elements(rules, field, MOST_GROUP_RULES)) {
      each.only(kind == Kind.APART ? DISTANCE_FIELDS : COUNT_FIELDS);
      int least = kind == Kind.AT_MOST ? 1 : 0;
      Optional<Integer> count = each.integer(number, least, Limits.STANDARD.positions());
      if (!each.has(number)) {
        each.refuse(number, "is missing, must be a whole number");
      }
      GroupRule rule =
          new GroupRule(
              kind, each.requiredText("feature"), each.text("value"), count.orElse(least));
      if (!each.has("feature")) {
        continue;
      }
      rule.refusal(surface.surface().item())
          .ifPresent(
              right -> each.refuse("feature", "is '" + rule.items() + "', must be " + right));
      if (!seen.add(rule.items())) {
        each.refuse("feature", "has a number already for '" + rule.items() + "'");
      }
      groups.add(rule);
    }
  }

  private static List<JsonFields> elements(JsonFields rules, String field, int most) {
    JsonNode list = rules.get(field);
    if (list.isMissingNode()) {
      return List.of();
    }
    if (!list.isArray() || list.size() > most) {
      rules.refuse(
          field,
          "is " + JsonFields.found(list) + ", must be an array of at most " + most + " objects");
      return List.of();
    }
    List<JsonFields> elements = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      elements.add(JsonFields.of(list.get(i), rules.pointer(field + "/" + i), rules.violations()));
    }
    return elements;
  }
}
