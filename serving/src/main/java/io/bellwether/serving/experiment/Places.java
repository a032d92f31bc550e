package io.bellwether.serving.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which buckets belong to which variant, by two layouts:
 *
 * <ul>
 *   <li>with fixed shares one variant follows the other, control first;
 *   <li>with a plan each treatment has a place of its own, as wide as its share when all treatments
 *       have everything together, and grows in it from its start; control has the rest. A growing
 *       share thus only moves units from control to a treatment: nobody ever moves back, or from
 *       one treatment to another.
 * </ul>
 *
 * <p>Immutable.
 */
final class Places {

  /** {@code [variants]}, the first bucket of each and one past its last; control has the rest. */
  private final int[] from;

  private final int[] to;

  private Places(int[] from, int[] to) {
    this.from = from;
    this.to = to;
  }

  /** The places of an experiment's variants with these shares, basis points by variant. */
  static Places of(Experiment experiment, Map<String, Integer> shares) {
    List<Variant> variants = experiment.variants();
    int[] widths = experiment.plan().isEmpty() ? null : widths(experiment);
    int[] from = new int[variants.size()];
    int[] to = new int[variants.size()];
    int next = widths == null ? shares.getOrDefault(variants.get(0).name(), 0) : 0;
    to[0] = next;
    for (int i = 1; i < variants.size(); i++) {
      int share = shares.getOrDefault(variants.get(i).name(), 0);
      from[i] = next;
      to[i] = next + share;
      next += widths == null ? share : widths[i];
    }
    return new Places(from, to);
  }

  /** The index of the variant that a bucket belongs to. */
  int variantAt(int bucket) {
    for (int i = 1; i < from.length; i++) {
      if (bucket >= from[i] && bucket < to[i]) {
        return i;
      }
    }
    return 0;
  }

  /** The shares of all variants when a plan's treatments have this share together. */
  static Map<String, Integer> shares(Experiment experiment, int treated) {
    int[] widths = widths(experiment);
    Map<String, Integer> shares = new LinkedHashMap<>();
    List<Variant> variants = experiment.variants();
    shares.put(variants.get(0).name(), 0);
    int left = Bucket.COUNT;
    for (int i = 1; i < widths.length; i++) {
      int share = (int) ((long) widths[i] * treated / Bucket.COUNT);
      shares.put(variants.get(i).name(), share);
      left -= share;
    }
    shares.put(variants.get(0).name(), left);
    return shares;
  }

  /** The declared weights as shares. */
  static Map<String, Integer> weights(Experiment experiment) {
    Map<String, Integer> shares = new LinkedHashMap<>();
    experiment.variants().forEach(variant -> shares.put(variant.name(), variant.weight()));
    return shares;
  }

  /** {@code [variants]}: how many buckets each treatment can grow to, in the ratio of weights. */
  private static int[] widths(Experiment experiment) {
    List<Variant> variants = experiment.variants();
    long total = experiment.treatments().stream().mapToLong(Variant::weight).sum();
    int[] widths = new int[variants.size()];
    long before = 0;
    for (int i = 1; i < widths.length; i++) {
      long after = before + variants.get(i).weight();
      widths[i] = (int) (Bucket.COUNT * after / total - Bucket.COUNT * before / total);
      before = after;
    }
    return widths;
  }
}
