package io.bellwether.serving.rule;

import io.bellwether.ingestion.surface.Rules.GroupRule;
import io.bellwether.ingestion.surface.Rules.Kind;
import io.bellwether.policy.scoring.SlateRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One grouping while its rules are gathered: all bounds on one feature, or on one value of it.
 * Mutable and confined to one compilation.
 */
final class Grouped {

  private final String items;
  private final int[] groups;
  private final Map<Integer, Integer> numberOfId;
  private final List<String> valueOfGroup = new ArrayList<>();
  private int[] atLeast = new int[0];
  private int atMost = SlateRules.ANY_NUMBER;
  private int apart;

  private Grouped(String items, int[] groups, Map<Integer, Integer> numberOfId) {
    this.items = items;
    this.groups = groups;
    this.numberOfId = numberOfId;
  }

  /** What a rule groups; as a whole where it bounds every value of a category. */
  static Grouped of(GroupRule rule, FeatureGroups features) {
    if (rule.value().isEmpty() && features.isCategory(rule.feature())) {
      Map<Integer, Integer> numbers = new HashMap<>();
      return new Grouped(rule.items(), features.ofCategory(rule.feature(), numbers), numbers);
    }
    return new Grouped(
        rule.items(), features.ofValue(rule.feature(), rule.value()), new HashMap<>());
  }

  String items() {
    return items;
  }

  /** Adds a rule about the same items, or about one value of a category that is grouped whole. */
  void add(GroupRule rule, FeatureGroups features) {
    if (rule.kind() == Kind.AT_MOST) {
      atMost = rule.number();
    } else if (rule.kind() == Kind.APART) {
      apart = rule.number();
    } else {
      int group = 0;
      if (!rule.items().equals(items)) {
        int id = (int) features.id(rule.feature(), rule.value().orElseThrow());
        group = numberOfId.computeIfAbsent(id, fresh -> numberOfId.size());
      }
      if (atLeast.length <= group) {
        atLeast = Arrays.copyOf(atLeast, group + 1);
      }
      atLeast[group] = rule.number();
      while (valueOfGroup.size() <= group) {
        valueOfGroup.add("");
      }
      valueOfGroup.set(group, rule.items());
    }
  }

  SlateRules.Grouping grouping() {
    return new SlateRules.Grouping(items, groups, atMost, apart, atLeast);
  }

  /** Which items a least is about. */
  String itemsOf(int group) {
    return valueOfGroup.get(group);
  }

  /** The grouping that a rule belongs to, or null where it begins one. */
  static @Nullable Grouped find(GroupRule rule, List<Grouped> all) {
    Optional<Grouped> same =
        all.stream().filter(each -> each.items.equals(rule.items())).findFirst();
    if (same.isPresent() || rule.kind() != Kind.AT_LEAST) {
      return same.orElse(null);
    }
    // A least on one value rides along where the whole category is grouped anyway.
    return all.stream()
        .filter(each -> each.items.equals(rule.feature()) && rule.value().isPresent())
        .findFirst()
        .orElse(null);
  }
}
