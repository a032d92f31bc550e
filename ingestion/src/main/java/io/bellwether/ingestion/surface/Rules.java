package io.bellwether.ingestion.surface;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What every slate of a surface has to keep to beside its scores. Immutable.
 *
 * @param groups rules about items that have a feature in common, in the order of importance of
 *     their kind; requests may bring more, or other numbers
 * @param caps how often a subject is shown what it knows
 */
public record Rules(List<GroupRule> groups, List<FrequencyCap> caps) {

  /** No rules. */
  public static final Rules NONE = new Rules(List.of(), List.of());

  public Rules {
    groups = List.copyOf(groups);
    caps = List.copyOf(caps);
  }

  /** What a group rule bounds. */
  public enum Kind {
    /** Least positions of one group. */
    AT_LEAST("at-least"),
    /** Most positions of one group. */
    AT_MOST("at-most"),
    /** Positions that must lie between two of one group. */
    APART("apart");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** As surface files and traces write it. */
    public String words() {
      return words;
    }
  }

  /**
   * A bound on the items that share a feature's value.
   *
   * @param feature a category, a flag (which groups the items that have it), or categories
   * @param value the one value that is bound; empty: each value is a group of its own
   * @param number positions; what they are is the kind's
   */
  public record GroupRule(Kind kind, String feature, Optional<String> value, int number) {

    /** Which items are meant, such as {@code topic} or {@code topic=news}. */
    public String items() {
      return value.map(v -> feature + "=" + v).orElse(feature);
    }

    /**
     * What would be right where the rule does not fit an item's features; empty where it fits. Only
     * a category gives every item one group; the others need to know which value is meant.
     */
    public Optional<String> refusal(List<Feature> item) {
      Optional<Feature> found = item.stream().filter(f -> f.name().equals(feature)).findFirst();
      if (found.isPresent() && found.get() instanceof Feature.Flag) {
        return value.isEmpty()
            ? Optional.empty()
            : Optional.of("without a value: a flag groups the items that have it");
      }
      if (found.isPresent() && found.get() instanceof Feature.Category category) {
        return refusal(category.values(), kind == Kind.AT_LEAST);
      }
      if (found.isPresent() && found.get() instanceof Feature.Categories many) {
        return refusal(many.values(), true);
      }
      return Optional.of("a category, a flag or categories of the item");
    }

    private Optional<String> refusal(List<String> values, boolean needsValue) {
      if (value.isEmpty()) {
        return needsValue ? Optional.of("given a value") : Optional.empty();
      }
      return values.isEmpty() || values.contains(value.get())
          ? Optional.empty()
          : Optional.of("one of its values, " + String.join(", ", values));
    }
  }

  /**
   * Candidates that a subject was shown often enough are no candidates.
   *
   * @param feature what makes two items the same: this category; empty: all features
   * @param signal counts only what it was a reaction to (above 0); empty: all that was shown
   * @param number so many times within the window are enough
   * @param window how far back, within the history that is kept
   */
  public record FrequencyCap(
      Optional<String> feature, Optional<String> signal, int number, Duration window) {}

  /** Whether nothing is bound. */
  public boolean isNone() {
    return groups.isEmpty() && caps.isEmpty();
  }
}
